public import NostrCore

/// What was inside a gift wrap, once the wrap, the seal and the rumor have all been checked.
///
/// Source: NIP-59; NIP-17 on why the seal's author must be the rumor's.
public struct UnwrappedGift: Hashable, Sendable {
    /// The wrap it came in.
    public let wrapID: EventID
    /// When the wrap says it was made; up to two days before it really was.
    public let wrapCreatedAt: Timestamp
    /// What the author sent; the author's seal was verified.
    public let rumor: Rumor
    /// When it disappears: the earliest moment that the wrap, the seal or the rumor names (NIP-40).
    public let expiration: Timestamp?

    /// A gift whose parts were checked elsewhere, such as a rumor that was never wrapped.
    public init(wrapID: EventID, wrapCreatedAt: Timestamp, rumor: Rumor, expiration: Timestamp? = nil) {
        self.wrapID = wrapID
        self.wrapCreatedAt = wrapCreatedAt
        self.rumor = rumor
        self.expiration = expiration ?? rumor.tags.expiration
    }

    /// Puts together a wrap, the seal that was in it, and the text that was in the seal.
    ///
    /// - Throws: ``GiftRejection/notARumor``, ``GiftRejection/impersonation`` or ``GiftRejection/wrongRumorID``.
    public init(wrap: Event, seal: Seal, rumor text: String) throws(GiftRejection) {
        let rumor = try Rumor(json: text)
        guard rumor.pubkey == seal.author else { throw .impersonation }
        let moments = [wrap.tags.expiration, seal.event.tags.expiration, rumor.tags.expiration]
        self.init(
            wrapID: wrap.id, wrapCreatedAt: wrap.createdAt, rumor: rumor,
            expiration: moments.compactMap { $0 }.min())
    }

    /// Opens a gift wrap with the key it was made for, checking everything ``GiftRejection`` names.
    ///
    /// - Parameter authors: keeps the conversation keys with those who seal; those with wraps are used only once.
    /// - Throws: ``GiftRejection``.
    public init(
        opening wrap: Event, with key: borrowing SecretKey, authors: ConversationKeyCache
    ) throws(GiftRejection) {
        try GiftWrap.check(wrap)
        let outer: ConversationKey
        do { outer = try ConversationKey(between: key, and: wrap.pubkey) } catch { throw .notForUs }
        let seal = try Seal(json: Self.text(of: wrap.content, outer, else: .notForUs))
        let inner: ConversationKey
        do { inner = try authors.key(between: key, and: seal.author) } catch { throw .notARumor }
        try self.init(wrap: wrap, seal: seal, rumor: Self.text(of: seal.event.content, inner, else: .notARumor))
    }

    private static func text(
        of payload: String, _ key: ConversationKey, else rejection: GiftRejection
    ) throws(GiftRejection) -> String {
        do {
            return try key.decrypt(payload, limit: GiftWrap.longestText)
        } catch {
            if case .tooLong = error { throw .tooLarge }
            throw rejection
        }
    }
}

/// Why a gift wrap was not believed.
public enum GiftRejection: Error, Hashable, Sendable {
    /// It is no gift wrap (kind 1059 or 21059).
    case notAGiftWrap
    /// It is longer than we read.
    case tooLarge
    /// It was not encrypted to this key, or is damaged.
    case notForUs
    /// What it holds is no event, or no seal (kind 13).
    case notASeal
    /// The seal's id or signature is wrong.
    case forgedSeal
    /// The seal carries tags, which it must not.
    case taggedSeal
    /// The seal holds no rumor that can be read.
    case notARumor
    /// The rumor is by somebody else than the one who sealed it.
    case impersonation
    /// The rumor claims an id that is not its own.
    case wrongRumorID
}
