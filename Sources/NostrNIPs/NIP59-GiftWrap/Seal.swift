public import NostrCore

/// The layer of a gift wrap that its author signs: kind 13.
///
/// It says who wrote, and neither what nor to whom. Source: NIP-59, "The Seal Event Kind".
public struct Seal: Hashable, Sendable {
    /// The kind of a seal.
    public static let kind: Kind = 13

    /// The seal itself, verified.
    public let event: Event
    /// Who sealed.
    public var author: PublicKey { event.pubkey }

    /// Takes an event that is a seal.
    ///
    /// Tags must be empty, says NIP-59; NIP-17 asks for `expiration` on seals of disappearing messages, so that one is
    /// taken.
    ///
    /// - Throws: ``GiftRejection/notASeal`` or ``GiftRejection/taggedSeal``.
    public init(_ event: Event) throws(GiftRejection) {
        guard event.kind == Self.kind else { throw .notASeal }
        guard event.tags.allSatisfy({ $0.name == "expiration" }) else { throw .taggedSeal }
        self.event = event
    }

    /// Parses what a wrap held and checks its id and signature.
    ///
    /// - Throws: ``GiftRejection/notASeal``, ``GiftRejection/taggedSeal`` or ``GiftRejection/forgedSeal``.
    public init(json text: String) throws(GiftRejection) {
        let raw: UnverifiedEvent
        do {
            raw = try UnverifiedEvent(json: text.utf8.span, limits: ParseLimits(bytes: GiftWrap.longestText))
        } catch {
            throw .notASeal
        }
        // What is no seal is not worth the time a signature takes.
        guard raw.kind == Self.kind else { throw .notASeal }
        let event: Event
        do { event = try Event(verifying: raw) } catch { throw .forgedSeal }
        try self.init(event)
    }

    /// A seal for a signer to sign.
    ///
    /// - Parameters:
    ///   - payload: the rumor's JSON, encrypted by its author to one recipient with NIP-44.
    ///   - expiration: when the message disappears; the seal names a moment up to two days later (NIP-40).
    ///   - random: moves the seal's time into the past two days.
    public static func draft(
        _ payload: String, now: Timestamp, expiration: Timestamp? = nil, using random: inout some RandomNumberGenerator
    ) -> EventDraft {
        var tags: [Tag] = []
        if let expiration { tags.append(.expiration(GiftWrap.end(after: expiration, using: &random))) }
        return EventDraft(
            kind: kind, tags: tags, content: payload, createdAt: GiftWrap.moment(before: now, using: &random))
    }
}
