public import MLS

/// A message that came in an event.
public struct OpenedEvent: Hashable, Sendable {
    /// The message; nothing of it is verified.
    public let message: MLSMessage
    /// The epoch whose key opened it.
    public let epoch: UInt64
}
