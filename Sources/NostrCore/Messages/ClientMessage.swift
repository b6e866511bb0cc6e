/// What a client says to a relay.
///
/// Source: NIP-01, NIP-42 (AUTH), NIP-45 (COUNT).
public enum ClientMessage: Hashable, Sendable {
    /// Publishes an event.
    case event(UnverifiedEvent)
    /// Opens or replaces a subscription.
    case req(SubscriptionID, [Filter])
    /// Ends a subscription.
    case close(SubscriptionID)
    /// Answers a challenge with a signed kind 22242.
    case auth(UnverifiedEvent)
    /// Asks for a number.
    case count(SubscriptionID, [Filter])
}

/// The name of a subscription on one connection.
///
/// Shape: 1–64 characters. Source: NIP-01.
public struct SubscriptionID: Hashable, Sendable, CustomStringConvertible {
    /// The text on the wire.
    public let text: String

    /// A name; `nil` unless it has 1–64 characters, counted as Unicode scalars.
    public init?(_ text: String) {
        guard (1...64).contains(text.unicodeScalars.count) else { return nil }
        self.text = text
    }

    public var description: String { text }
}
