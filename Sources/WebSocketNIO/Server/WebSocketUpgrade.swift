public import NIOCore
import NIOHTTP1
import NIOWebSocket
public import NostrCore

/// Decides per accepted channel between WebSocket and plain HTTP/1.1; for servers of our own and for a port shared
/// with others.
public struct WebSocketUpgrade: Sendable {
    private let limits: WebSocketLimits
    private let headerTimeout: Duration
    private let proxies: TrustedProxies
    private let accepts: @Sendable (UpgradeRequest) -> Bool

    /// Takes the rules for all channels of a server.
    ///
    /// - Parameters:
    ///   - limits: what each connection may cost.
    ///   - headerTimeout: how long a peer may take to say what it wants.
    ///   - proxies: whose word for where a request comes from is believed.
    ///   - accepts: whether this request may become a WebSocket; a refused one is served as plain HTTP.
    public init(
        limits: WebSocketLimits = WebSocketLimits(idle: .seconds(60)), headerTimeout: Duration = .seconds(10),
        proxies: TrustedProxies = TrustedProxies(),
        accepts: @escaping @Sendable (UpgradeRequest) -> Bool = { _ in true }
    ) {
        self.limits = limits
        self.headerTimeout = headerTimeout
        self.proxies = proxies
        self.accepts = accepts
    }

    /// The same for a channel that may not become a WebSocket, whatever is asked.
    public var refusing: WebSocketUpgrade {
        WebSocketUpgrade(limits: limits, headerTimeout: headerTimeout, proxies: proxies) { _ in false }
    }

    /// Puts HTTP on a fresh channel and waits for its first request; call on the channel's event loop.
    ///
    /// - Parameters:
    ///   - plain: adds the handlers for a request that stays HTTP; they receive that request from its head on.
    ///   - webSocket: receives the open connection.
    /// - Returns: what one of the two made; failed, with the channel closed, when the peer wants nothing in time.
    public func configure<Outcome: Sendable>(
        _ channel: any Channel, plain: @escaping @Sendable (any Channel) throws -> Outcome,
        webSocket: @escaping @Sendable (WebSocketConnection) throws -> Outcome
    ) throws -> EventLoopFuture<Outcome> {
        let upgrading = NIOTypedHTTPServerUpgradeConfiguration<Outcome>(upgraders: [upgrader(webSocket)]) { channel in
            channel.eventLoop.makeCompletedFuture { try plain(channel) }
        }
        var configuration = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrading)
        configuration.enablePipelining = false
        let pipeline = channel.pipeline.syncOperations
        let settled = try pipeline.configureUpgradableHTTPServerPipeline(configuration: configuration)
        let chooser = try pipeline.handler(type: NIOTypedHTTPServerUpgradeHandler<Outcome>.self)
        let gate = RequestGate(accepts, proxies: proxies)
        try pipeline.addHandler(gate, position: .before(chooser))
        let bound = NIOLoopBound(gate, eventLoop: channel.eventLoop)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(headerTimeout)) {
            bound.value.endLate(channel)
        }
        settled.whenComplete { result in
            timer.cancel()
            if case .failure = result { channel.close(promise: nil) }
        }
        return settled
    }

    private func upgrader<Outcome: Sendable>(
        _ wrap: @escaping @Sendable (WebSocketConnection) throws -> Outcome
    ) -> NIOTypedWebSocketServerUpgrader<Outcome> {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: limits.messageBytes, enableAutomaticErrorHandling: false,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    try wrap(
                        WebSocketConnection(
                            channel: channel, request: UpgradeRequest(head, on: channel, behind: proxies),
                            limits: limits, masks: false))
                }
            })
    }
}

extension UpgradeRequest {
    init(_ head: HTTPRequestHead, on channel: any Channel, behind proxies: TrustedProxies) {
        let headers = head.headers.map { (name: $0.name, value: $0.value) }
        self.init(
            target: head.uri, headers: headers,
            peer: proxies.origin(of: headers, from: channel.remoteAddress?.ipAddress ?? "unknown"))
    }
}
