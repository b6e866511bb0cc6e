import NIOCore
import NIOHTTP1
public import NIOWebSocket
import NostrRelay

/// Turns an HTTP channel into a ``WebSocketConnection``; for servers of our own and for a port shared with others.
public struct WebSocketUpgrade: Sendable {
    private let limits: WebSocketLimits
    private let accepts: @Sendable (UpgradeRequest) -> Bool

    /// - Parameters:
    ///   - limits: what each connection may cost.
    ///   - accepts: whether this request may become a WebSocket; a refused one is served as plain HTTP.
    public init(
        limits: WebSocketLimits = WebSocketLimits(),
        accepts: @escaping @Sendable (UpgradeRequest) -> Bool = { _ in true }
    ) {
        self.limits = limits
        self.accepts = accepts
    }

    /// An upgrader whose result is what `wrap` makes of the connection, for a typed upgrade configuration of NIO.
    public func upgrader<Outcome: Sendable>(
        _ wrap: @escaping @Sendable (WebSocketConnection) throws -> Outcome
    ) -> NIOTypedWebSocketServerUpgrader<Outcome> {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: limits.messageBytes, enableAutomaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                let accepted = accepts(Self.request(head, channel))
                return channel.eventLoop.makeSucceededFuture(accepted ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    try wrap(
                        WebSocketConnection(
                            channel: channel, request: Self.request(head, channel), limits: limits, masks: false))
                }
            })
    }

    private static func request(_ head: HTTPRequestHead, _ channel: any Channel) -> UpgradeRequest {
        UpgradeRequest(
            target: head.uri, headers: head.headers.map { ($0.name, $0.value) },
            peer: channel.remoteAddress?.ipAddress ?? "unknown")
    }
}
