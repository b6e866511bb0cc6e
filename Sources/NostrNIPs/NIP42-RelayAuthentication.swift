public import NostrCore

/// How a client proves to a relay who it is.
///
/// Source: NIP-42.
public enum RelayAuthentication {
    /// The kind of an authentication event; never stored, never passed on.
    public static let kind: Kind = 22_242

    /// How far the event's moment may be from the relay's clock, in both directions.
    public static let tolerance: Duration = .seconds(600)

    /// Why an authentication event does not count.
    public enum Refusal: Error, Hashable, Sendable {
        /// Not kind 22242.
        case wrongKind(Kind)
        /// Made too long ago, or in the future.
        case wrongMoment(Timestamp)
        /// No challenge, or another one.
        case wrongChallenge
        /// No relay address, or another relay's: it may have been signed for somebody who wants to pass for its author.
        case wrongRelay
    }

    /// The answer to a relay's challenge.
    public static func draft(relay: RelayURL, challenge: String, createdAt: Timestamp) -> EventDraft {
        EventDraft(
            kind: kind, tags: [["relay", relay.text], ["challenge", challenge]], createdAt: createdAt)
    }

    /// Checks an answer, as a relay.
    ///
    /// - Parameters:
    ///   - addresses: the addresses this relay is known by; compared normalised and whole, because on one host every
    ///     port can be another relay.
    ///   - challenge: the last one sent on this connection.
    /// - Throws: ``Refusal``.
    public static func check(
        _ event: Event, addresses: [RelayURL], challenge: String, now: Timestamp
    ) throws(Refusal) {
        guard event.kind == kind else { throw .wrongKind(event.kind) }
        guard event.createdAt >= now - tolerance, event.createdAt <= now + tolerance else {
            throw .wrongMoment(event.createdAt)
        }
        guard !challenge.isEmpty, event.tags.firstValue("challenge") == challenge else { throw .wrongChallenge }
        guard let relay = event.tags.first(where: { $0.name == "relay" })?.relay(at: 1), addresses.contains(relay)
        else { throw .wrongRelay }
    }
}
