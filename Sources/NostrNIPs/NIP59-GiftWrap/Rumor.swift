public import NostrCore

/// An event that nobody signed: what a seal carries.
///
/// It proves nothing by itself; who wrote it is known only from the seal around it. The id is always one of its content:
/// computed here, or compared with what was computed. Source: NIP-59, "The Rumor Event Kind".
public struct Rumor: Hashable, Sendable, Identifiable {
    /// SHA-256 of the canonical serialisation, in the form of it that its author's program hashed.
    public let id: EventID
    /// Who is said to have written it.
    public let pubkey: PublicKey
    /// When, in the author's words: the one time of a message that means something.
    public let createdAt: Timestamp
    /// What it is.
    public let kind: Kind
    /// Its tags.
    public let tags: [Tag]
    /// Its content.
    public let content: String

    /// The id follows from the rest; nobody signs it, so `author` is a claim until a seal says the same.
    public init(_ draft: EventDraft, author: PublicKey) {
        let id = canonicalID(
            pubkey: author, createdAt: draft.createdAt, kind: draft.kind, tags: draft.tags, content: draft.content)
        self.init(draft, author: author, id: id)
    }

    /// Parses what a seal held.
    ///
    /// The id may be missing, it is computed then; a wrong one is refused. A `sig`, which must not be there, is
    /// passed over and never kept: a message must not get lost because its author's program gave away more than it had to.
    ///
    /// - Throws: ``GiftRejection/notARumor`` or ``GiftRejection/wrongRumorID``.
    public init(json text: String) throws(GiftRejection) {
        let read: UnsignedEvent
        do {
            read = try UnsignedEvent(json: text.utf8.span, limits: ParseLimits(bytes: GiftWrap.longestText))
        } catch {
            throw .notARumor
        }
        let draft = read.draft
        guard let claimed = read.claimedID else {
            self.init(draft, author: read.pubkey)
            return
        }
        do {
            try claimed.check(
                pubkey: read.pubkey, createdAt: draft.createdAt, kind: draft.kind, tags: draft.tags,
                content: draft.content)
        } catch {
            throw .wrongRumorID
        }
        self.init(draft, author: read.pubkey, id: claimed)
    }

    /// - Parameter id: by which its author's program knows it; checked already.
    private init(_ draft: EventDraft, author: PublicKey, id: EventID) {
        self.id = id
        pubkey = author
        createdAt = draft.createdAt
        kind = draft.kind
        tags = draft.tags
        content = draft.content
    }

    /// The rumor as JSON on one line, keys in the order of NIP-01, with its id and without a `sig`.
    public var json: String {
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: createdAt)
        return String(decoding: UnsignedEvent(claimedID: id, pubkey: pubkey, draft: draft).json, as: UTF8.self)
    }
}
