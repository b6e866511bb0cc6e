import NIOCore
import NIOWebSocket
public import NostrRelay

/// One open WebSocket over a NIO channel, of either side.
///
/// Dropping the last reference closes the socket.
public final class WebSocketConnection: RelayConnection, Sendable {
    /// The request that opened it; on the client's side, what was asked.
    public let request: UpgradeRequest
    public let incoming: AsyncThrowingStream<[UInt8], any Error>
    private let channel: any Channel

    /// Puts the message handlers on an upgraded channel; call on its event loop.
    init(channel: any Channel, request: UpgradeRequest, limits: WebSocketLimits, masks: Bool) throws {
        self.request = request
        self.channel = channel
        let queue = MessageQueue(maxBytes: limits.waitingBytes, maxMessages: limits.waitingMessages) {
            [weak channel] in
            channel?.triggerUserOutboundEvent(WebSocketCommand.resumeReading, promise: nil)
        }
        incoming = AsyncThrowingStream(unfolding: { try await queue.next() })
        try channel.pipeline.syncOperations.addHandlers(
            FrameRules(wantsMasks: !masks),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: limits.fragments,
                maxAccumulatedFrameSize: limits.messageBytes),
            WebSocketHandler(queue: queue, limits: limits, masks: masks))
    }

    deinit {
        if channel.isActive { channel.triggerUserOutboundEvent(WebSocketCommand.close, promise: nil) }
    }

    public func send(_ text: [UInt8]) async throws {
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: text)).get()
        } catch {
            throw TransportFailure(error, frameLimit: text.count)
        }
    }

    /// Sends several text messages in order with one flush; returns when the last is written to the socket.
    ///
    /// - Throws: ``/NostrRelay/TransportFailure``.
    public func send(contentsOf texts: [[UInt8]]) async throws {
        guard let last = texts.last else { return }
        for text in texts.dropLast() { channel.write(ByteBuffer(bytes: text), promise: nil) }
        try await send(last)
    }

    public func ping(deadline: Duration) async throws {
        let pong = channel.eventLoop.makePromise(of: Void.self)
        let command = WebSocketCommand.ping(pong, deadline: TimeAmount(deadline))
        let sent = channel.eventLoop.makePromise(of: Void.self)
        // A closed channel has no handler left to keep or break the promise.
        sent.futureResult.whenFailure { _ in pong.fail(TransportFailure.closed(code: nil)) }
        channel.triggerUserOutboundEvent(command, promise: sent)
        try await pong.futureResult.get()
    }

    /// Says goodbye and closes the socket, within a second at most.
    ///
    /// Returns at once. What is handed to ``send(_:)`` from now on fails, and so does what the peer has not taken by then.
    public func beginClosing() {
        channel.triggerUserOutboundEvent(WebSocketCommand.close, promise: nil)
    }

    public func close() async {
        beginClosing()
        // The close future cannot fail in a way that matters: either way the socket is gone.
        try? await channel.closeFuture.get()
    }
}

/// The HTTP request that asked for a WebSocket.
public struct UpgradeRequest: Sendable {
    /// The path and query.
    public let target: String
    /// The header lines in order, names as they came.
    public let headers: [(name: String, value: String)]
    /// The peer's address without port, as a trusted proxy names it where one stands before; `unknown` where the socket
    /// has none.
    public let peer: String

    /// A request as it stood on the wire; nothing of it is checked here.
    public init(target: String, headers: [(name: String, value: String)], peer: String) {
        self.target = target
        self.headers = headers
        self.peer = peer
    }

    /// The first value of a header, by name without regard to case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
