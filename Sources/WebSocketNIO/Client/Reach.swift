import NIOCore
import NostrCore
import NostrRelay

/// Where sockets may lead to, whatever the host is called.
///
/// A name that a stranger gave may lead to this machine or to a neighbour, today or at the next look-up. So the address
/// itself is judged, at the last moment before the first packet goes there.
public struct Reach: Sendable {
    /// Wherever the host's name leads: for hosts that a person named.
    public static let anywhere = Reach(isOpenNetworkOnly: false)
    /// The open network alone: for hosts that strangers named.
    public static let openNetwork = Reach(isOpenNetworkOnly: true)

    let isOpenNetworkOnly: Bool
    private(set) var resolver: (any HostResolver)?

    private init(isOpenNetworkOnly: Bool) {
        self.isOpenNetworkOnly = isOpenNetworkOnly
    }

    /// The same, where another resolver is asked before the system's.
    package func resolving(by resolver: (any HostResolver)?) -> Reach {
        var reach = self
        reach.resolver = resolver
        return reach
    }
}

/// Says where hosts are, before the system's resolver is asked.
package protocol HostResolver: Sendable {
    /// Where a port of a host is.
    func resolve(_ host: String, port: Int) -> HostAnswer
}

/// What a ``HostResolver`` knows of a host.
package enum HostAnswer: Hashable, Sendable {
    /// Nothing: the system's resolver is asked.
    case unknown
    /// It is at these addresses, which are judged as if the system's resolver had given them.
    case addresses([String])
    /// It is a host of a simulated network and stands at these addresses, wherever they are.
    case simulated([String])
}

/// Refuses to connect a socket to this machine or a private network.
///
/// It is told the very address that the socket connects to, after every look-up; no other look-up comes after it.
final class OpenNetworkOnly: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard let number = address.ipAddress, !isPrivateHost(number) else {
            promise?.fail(TransportFailure.privateAddress)
            return
        }
        context.connect(to: address, promise: promise)
    }
}
