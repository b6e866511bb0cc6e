import NIOCore
import NIOPosix

/// Answers look-ups with addresses that are known already.
struct KnownAddresses: Resolver, Sendable {
    private let loop: any EventLoop
    private let addresses: [String]

    /// - Parameter addresses: as numbers, IPv6 without brackets; what is none is left out.
    init(_ addresses: [String], on loop: any EventLoop) {
        self.loop = loop
        self.addresses = addresses
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(found(.inet, port))
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(found(.inet6, port))
    }

    func cancelQueries() {}

    private func found(_ family: NIOBSDSocket.ProtocolFamily, _ port: Int) -> [SocketAddress] {
        // What is no address leads nowhere, like a name without one.
        addresses.compactMap { try? SocketAddress(ipAddress: $0, port: port) }.filter { $0.protocol == family }
    }
}
