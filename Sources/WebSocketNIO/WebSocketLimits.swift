/// What one WebSocket may cost: sizes, waits, buffers.
public struct WebSocketLimits: Hashable, Sendable {
    /// The longest message taken, in bytes, fragments put together.
    public var messageBytes: Int
    /// How many fragments one message may have.
    public var fragments: Int
    /// How many bytes wait for a slow reader before the socket is no longer read.
    public var waitingBytes: Int
    /// How many messages wait for a slow reader before the socket is no longer read.
    public var waitingMessages: Int
    /// How long a write may make no progress before the connection is given up.
    public var sendTimeout: Duration
    /// How long the peer may be silent before it is pinged, and after a second such span given up; `nil` for never.
    public var idle: Duration?

    /// Defaults: 1.5 MiB as the parsers take, 512 fragments, 1 MiB or 1024 messages waiting, 10 s, no idle limit.
    public init(
        messageBytes: Int = 3 << 19, fragments: Int = 512, waitingBytes: Int = 1 << 20, waitingMessages: Int = 1024,
        sendTimeout: Duration = .seconds(10), idle: Duration? = nil
    ) {
        self.messageBytes = messageBytes
        self.fragments = fragments
        self.waitingBytes = waitingBytes
        self.waitingMessages = waitingMessages
        self.sendTimeout = sendTimeout
        self.idle = idle
    }
}
