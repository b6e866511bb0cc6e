/// What a relay says to a client.
///
/// Source: NIP-01, NIP-42 (AUTH), NIP-45 (COUNT).
public enum RelayMessage: Hashable, Sendable {
    /// An event for a subscription, as the relay claims it.
    case event(SubscriptionID, UnverifiedEvent)
    /// What became of a published event.
    case ok(EventID, accepted: Bool, Reason)
    /// All stored events have been sent.
    case eose(SubscriptionID)
    /// The relay ended a subscription.
    case closed(SubscriptionID, Reason)
    /// Words for a person.
    case notice(String)
    /// A challenge to sign (NIP-42).
    case auth(challenge: String)
    /// A number (NIP-45).
    case count(SubscriptionID, Int, approximate: Bool)
}

/// Why a relay said no (or how it said yes): a machine-readable prefix and words for a person.
///
/// Shape on the wire: `prefix: words`, or words alone. Source: NIP-01, NIP-42.
public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The machine-readable prefix.
    public enum Prefix: String, Hashable, Sendable, CaseIterable {
        case duplicate, pow, blocked, invalid, restricted, mute, error, unsupported
        case rateLimited = "rate-limited"
        case authRequired = "auth-required"
    }

    /// The known prefix, if there was one.
    public let prefix: Prefix?
    /// What follows the prefix, or the whole text where the prefix is unknown or missing.
    public let text: String

    /// A reason as a relay is to write it; without a prefix it stands for itself.
    public init(_ prefix: Prefix?, _ text: String) {
        self.prefix = prefix
        self.text = text
    }

    /// Parses the wire form; never fails.
    public init(wire: String) {
        if let colon = wire.firstIndex(of: ":"), let known = Prefix(rawValue: String(wire[..<colon])) {
            prefix = known
            let rest = wire[wire.index(after: colon)...]
            text = rest.first == " " ? String(rest.dropFirst()) : String(rest)
        } else {
            prefix = nil
            text = wire
        }
    }

    /// The wire form.
    public var description: String {
        prefix.map { "\($0.rawValue): \(text)" } ?? text
    }
}
