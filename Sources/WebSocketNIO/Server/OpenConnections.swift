public import NIOCore
public import NostrCore
import Synchronization

/// Whether a socket comes in.
public enum ConnectionAdmission: Hashable, Sendable {
    /// There is room.
    case welcome
    /// There is room only for a browser that is logged in, as its first request shows.
    case ifLoggedIn
    /// There is none.
    case refused
}

/// The sockets that a server bears; for servers of our own and for a port shared with others.
public final class OpenConnections: Sendable {
    private let places: Mutex<ConnectionPlaces>
    private let proxies: TrustedProxies
    /// Yields when ``count`` has changed, to one reader; several changes may count as one.
    package let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    /// Bears so many; a proxy of ours may have them all, as it stands for many.
    public init(_ limits: ConnectionLimits = ConnectionLimits(), proxies: TrustedProxies = TrustedProxies()) {
        places = Mutex(ConnectionPlaces(limits))
        self.proxies = proxies
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes in a socket, which counts until it is closed, unless there are too many.
    public func admit(_ channel: any Channel) -> ConnectionAdmission {
        let address = Self.address(of: channel)
        let isProxy = channel.remoteAddress?.ipAddress.map(proxies.contains) ?? false
        let admission = places.withLock { $0.admit(address, isProxy: isProxy) }
        if admission != .refused {
            change.yield()
            channel.closeFuture.whenComplete { _ in
                self.places.withLock { $0.leave(address) }
                self.change.yield()
            }
        }
        return admission
    }

    /// A browser behind this socket is logged in, so that others from its address find room.
    public func meet(_ channel: any Channel) {
        let address = Self.address(of: channel)
        places.withLock { $0.meet(address) }
    }

    /// How many sockets are open.
    public var count: Int { places.withLock { $0.count } }

    private static func address(of channel: any Channel) -> String {
        ConnectionPlaces.key(of: channel.remoteAddress?.ipAddress ?? "unknown")
    }
}
