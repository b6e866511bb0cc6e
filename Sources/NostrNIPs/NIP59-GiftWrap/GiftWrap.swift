public import NostrCore

/// The outer layer of a private message: signed by a key that is used once, it says to whom and nothing else.
///
/// Source: NIP-59, "Gift Wrap Event Kind".
public enum GiftWrap {
    /// The kind of a gift wrap.
    public static let kind: Kind = 1059
    /// The kind of a gift wrap that relays pass on and do not store.
    public static let ephemeralKind: Kind = 21_059
    /// The longest rumor to send, as JSON: with it the seal still has the form of NIP-44 that every program reads.
    ///
    /// Unit: bytes. 40 960 bytes become a seal of about 55 000; one byte more would be padded to 49 152 and make one of
    /// 65 628, above ``ConversationKey/compatibleLength``.
    public static let longestRumor = 40_960
    /// The longest wrap to open; unit: bytes of content.
    public static let longestContent = 512 * 1024
    /// The longest text within a wrap or a seal to read; unit: bytes.
    public static let longestText = 384 * 1024
    /// How far into the past the times of seals and wraps are moved.
    public static let spread: Duration = .seconds(172_800)

    /// Refuses what is no gift wrap and what is too large, before any work is done.
    ///
    /// - Throws: ``GiftRejection/notAGiftWrap`` or ``GiftRejection/tooLarge``.
    public static func check(_ wrap: Event) throws(GiftRejection) {
        guard wrap.kind == kind || wrap.kind == ephemeralKind else { throw .notAGiftWrap }
        guard wrap.content.utf8.count <= longestContent else { throw .tooLarge }
    }

    /// A moment within the two days before another, every second as likely as any other.
    public static func moment(before now: Timestamp, using random: inout some RandomNumberGenerator) -> Timestamp {
        max(now - .seconds(Int64.random(in: 0...spread.components.seconds, using: &random)), Timestamp(seconds: 0))
    }

    /// When relays may forget a message that disappears at a moment: some time within the two days after it.
    ///
    /// The moment itself would tell when the message was really sent, and which wraps belong together. It stands in the
    /// rumor, where only readers see it.
    static func end(after moment: Timestamp, using random: inout some RandomNumberGenerator) -> Timestamp {
        moment + .seconds(Int64.random(in: 0...spread.components.seconds, using: &random))
    }

    /// Wraps a seal for one recipient under a key that is drawn for it and forgotten.
    ///
    /// - Parameters:
    ///   - relay: where the recipient reads, written beside their name.
    ///   - expiration: when the message disappears; the wrap names a moment up to two days later (NIP-40).
    ///   - isEphemeral: whether relays are to pass it on only.
    ///   - random: gives the key, the nonce and the moment within the past two days.
    /// - Throws: ``PayloadError/tooLong(limit:)`` or ``PayloadError/notAPublicKey``.
    public static func wrap(
        _ seal: Event, for recipient: PublicKey, relay: RelayURL? = nil, now: Timestamp, expiration: Timestamp? = nil,
        isEphemeral: Bool = false, using random: inout some RandomNumberGenerator
    ) throws(PayloadError) -> Event {
        let key = SecretKey.generate(using: &random)
        let draft = try draft(
            seal, for: recipient, relay: relay, now: now, expiration: expiration, isEphemeral: isEphemeral,
            by: try conversationKey(key, recipient), using: &random)
        return Event(signing: draft, with: key, using: &random)
    }

    /// Wraps a seal as ``wrap(_:for:relay:now:expiration:isEphemeral:using:)`` does, with proof of work (NIP-13).
    ///
    /// - Parameters:
    ///   - key: signs the wrap; one that is drawn for it and forgotten where none is given.
    ///   - work: gets the draft and the key that will sign it, and gives the draft with its `nonce` tag.
    /// - Throws: ``PayloadError``, or what `work` throws.
    public static func wrap(
        _ seal: Event, for recipient: PublicKey, relay: RelayURL? = nil, now: Timestamp, expiration: Timestamp? = nil,
        isEphemeral: Bool = false, under key: WrapKey? = nil, using random: inout some RandomNumberGenerator,
        work: (EventDraft, PublicKey) async throws -> EventDraft
    ) async throws -> Event {
        let signing = if let key { key } else { WrapKey(using: &random) }
        let draft = try draft(
            seal, for: recipient, relay: relay, now: now, expiration: expiration, isEphemeral: isEphemeral,
            by: try signing.conversation(with: recipient), using: &random)
        let worked = try await work(draft, signing.publicKey)
        return signing.sign(worked, using: &random)
    }

    /// Makes a wrap again with other work (NIP-13) in it, for a relay that asks for more; its seal stays.
    ///
    /// - Parameters:
    ///   - key: the one that signed it.
    ///   - work: as for wrapping; it replaces the `nonce` tag there is.
    /// - Throws: what `work` throws.
    public static func rework(
        _ wrap: Event, under key: WrapKey, using random: inout some RandomNumberGenerator,
        work: (EventDraft, PublicKey) async throws -> EventDraft
    ) async throws -> Event {
        let draft = EventDraft(kind: wrap.kind, tags: wrap.tags, content: wrap.content, createdAt: wrap.createdAt)
        let worked = try await work(draft, key.publicKey)
        return key.sign(worked, using: &random)
    }

    /// Seals and wraps a rumor for one recipient with the author's key at hand.
    ///
    /// Where a signer holds the key, encrypt ``Rumor/sealable()`` with it, sign ``Seal/draft(_:now:expiration:using:)``
    /// and wrap that.
    ///
    /// - Parameter expiration: when the message disappears; the rumor should say so too, to the second.
    /// - Throws: ``PayloadError``.
    public static func make(
        _ rumor: Rumor, by author: borrowing SecretKey, for recipient: PublicKey, relay: RelayURL? = nil,
        now: Timestamp, expiration: Timestamp? = nil, isEphemeral: Bool = false,
        using random: inout some RandomNumberGenerator
    ) throws(PayloadError) -> Event {
        let payload = try conversationKey(author, recipient).encrypt(rumor.sealable(), using: &random)
        let seal = Seal.draft(payload, now: now, expiration: expiration, using: &random)
        return try wrap(
            Event(signing: seal, with: author, using: &random), for: recipient, relay: relay, now: now,
            expiration: expiration, isEphemeral: isEphemeral, using: &random)
    }

    private static func draft(
        _ seal: Event, for recipient: PublicKey, relay: RelayURL?, now: Timestamp, expiration: Timestamp?,
        isEphemeral: Bool, by conversation: ConversationKey, using random: inout some RandomNumberGenerator
    ) throws(PayloadError) -> EventDraft {
        let payload = try conversation.encrypt(String(decoding: seal.json, as: UTF8.self), using: &random)
        var tags = [Tag(trimming: ["p", recipient.hex, relay?.text ?? ""])]
        if let expiration { tags.append(.expiration(end(after: expiration, using: &random))) }
        return EventDraft(
            kind: isEphemeral ? ephemeralKind : kind, tags: tags, content: payload,
            createdAt: moment(before: now, using: &random))
    }

    private static func conversationKey(
        _ mine: borrowing SecretKey, _ other: PublicKey
    ) throws(PayloadError) -> ConversationKey {
        do { return try ConversationKey(between: mine, and: other) } catch { throw .notAPublicKey }
    }
}

extension Rumor {
    /// The JSON to encrypt into a seal.
    ///
    /// - Throws: ``PayloadError/tooLong(limit:)`` above ``GiftWrap/longestRumor``.
    public func sealable() throws(PayloadError) -> String {
        let text = json
        guard text.utf8.count <= GiftWrap.longestRumor else { throw .tooLong(limit: GiftWrap.longestRumor) }
        return text
    }
}
