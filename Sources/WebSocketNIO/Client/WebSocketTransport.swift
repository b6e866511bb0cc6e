public import NIOCore
import NIOHTTP1
public import NIOPosix
import NIOSSL
import NIOWebSocket
public import NostrCore
public import NostrRelay

/// Opens WebSockets with NIO: `ws` in the clear, `wss` with the certificate checked against the host's name.
public struct WebSocketTransport: RelayTransport {
    private let group: any EventLoopGroup
    private let limits: WebSocketLimits
    private let tls: NIOSSLContext
    private var reach: Reach

    /// Prepares TLS once for all connections.
    ///
    /// - Parameters:
    ///   - group: where the sockets live.
    ///   - limits: what each connection may cost.
    ///   - trustedRoots: certificates in PEM to believe instead of the system's, for tests and private networks.
    ///   - reach: where its sockets may lead to.
    /// - Throws: an error of the TLS library when the roots cannot be read.
    public init(
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, limits: WebSocketLimits = WebSocketLimits(),
        trustedRoots: [UInt8]? = nil, reach: Reach = .anywhere
    ) throws {
        self.reach = reach
        self.group = group
        self.limits = limits
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // Together with the half second a goodbye may take, closing stays under a second.
        configuration.shutdownTimeout = .milliseconds(400)
        if let trustedRoots {
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(trustedRoots))
        }
        tls = try NIOSSLContext(configuration: configuration)
    }

    /// The same sockets with another reach.
    public func reaching(_ reach: Reach) -> WebSocketTransport {
        var transport = self
        transport.reach = reach
        return transport
    }

    public func connect(to relay: RelayURL, deadline: Duration) async throws -> any RelayConnection {
        let loop = group.next()
        let attempt = ConnectAttempt<WebSocketConnection>(on: loop, deadline: deadline)
        open(relay, on: loop, deadline: deadline, attempt) { channel in
            try upgrade(channel, relay)
        }
        return try await attempt.outcome()
    }

    public func information(of relay: RelayURL, deadline: Duration, maxBytes: Int) async throws -> [UInt8] {
        let loop = group.next()
        let attempt = ConnectAttempt<[UInt8]>(on: loop, deadline: deadline)
        open(relay, on: loop, deadline: deadline, attempt) { channel in
            let answer = channel.eventLoop.makePromise(of: [UInt8].self)
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            try channel.pipeline.syncOperations.addHandler(
                DocumentHandler(head: requestHead(relay, accept: "application/nostr+json"), maxBytes: maxBytes, answer))
            return answer.futureResult
        }
        return try await attempt.outcome()
    }

    /// Connects the socket, adds TLS where asked, then what `configure` adds.
    private func open<Outcome: Sendable>(
        _ relay: RelayURL, on loop: any EventLoop, deadline: Duration, _ attempt: ConnectAttempt<Outcome>,
        _ configure: @escaping @Sendable (any Channel) throws -> EventLoopFuture<Outcome>
    ) {
        bootstrap(for: relay, on: loop)
            .connectTimeout(TimeAmount(deadline))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: relay.host, port: relay.port)
            .flatMap { channel in
                do {
                    try attempt.connected(channel)
                    if relay.isSecure { try channel.pipeline.syncOperations.addHandler(clientTLS(for: relay.host)) }
                    return try configure(channel)
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
            .whenComplete { attempt.end($0) }
    }

    /// A socket that looks its host up where the reach says, and leads nowhere else.
    private func bootstrap(for relay: RelayURL, on loop: any EventLoop) -> ClientBootstrap {
        let answer = reach.resolver?.resolve(relay.host, port: relay.port) ?? .unknown
        var bootstrap = ClientBootstrap(group: loop)
        switch answer {
        case .unknown: break
        case .addresses(let addresses), .simulated(let addresses):
            bootstrap = bootstrap.resolver(KnownAddresses(addresses, on: loop))
        }
        if case .simulated = answer { return bootstrap }
        guard reach.isOpenNetworkOnly else { return bootstrap }
        return bootstrap.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(OpenNetworkOnly())
            }
        }
    }

    private func clientTLS(for host: String) throws -> NIOSSLClientHandler {
        // An address has no name to send; the certificate is then checked against the address of the socket.
        let isAddress = (try? SocketAddress(ipAddress: host, port: 443)) != nil
        return try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host)
    }

    private func requestHead(_ relay: RelayURL, accept: String? = nil) -> HTTPRequestHead {
        let host = relay.host.contains(":") ? "[\(relay.host)]" : relay.host
        let isDefaultPort = relay.port == (relay.isSecure ? 443 : 80)
        var headers = HTTPHeaders([("Host", isDefaultPort ? host : "\(host):\(relay.port)"), ("User-Agent", "linnet")])
        if let accept { headers.add(contentsOf: [("Accept", accept), ("Connection", "close")]) }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: relay.target, headers: headers)
    }

    private func upgrade(_ channel: any Channel, _ relay: RelayURL) throws -> EventLoopFuture<WebSocketConnection> {
        let head = requestHead(relay)
        let request = UpgradeRequest(
            target: relay.target, headers: head.headers.map { ($0.name, $0.value) },
            peer: channel.remoteAddress?.ipAddress ?? "unknown")
        let limits = limits
        let upgrader = NIOTypedWebSocketClientUpgrader<EventLoopFuture<WebSocketConnection>>(
            maxFrameSize: limits.messageBytes, enableAutomaticErrorHandling: false
        ) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let connection = try WebSocketConnection(
                    channel: channel, request: request, limits: limits, masks: true)
                return channel.eventLoop.makeSucceededFuture(connection)
            }
        }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<EventLoopFuture<WebSocketConnection>>(
            upgradeRequestHead: head, upgraders: [upgrader]
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let refusal = channel.eventLoop.makePromise(of: WebSocketConnection.self)
                try channel.pipeline.syncOperations.addHandler(RefusalHandler(refusal))
                return refusal.futureResult
            }
        }
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        // A relay may send its first message in one breath with its consent; that must not be dropped.
        pipeline.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
            .flatMap { $0 }
    }
}
