/// What a person means to publish, before a signer adds key, id and signature.
public struct EventDraft: Hashable, Sendable {
    /// What it is.
    public var kind: Kind
    /// Its tags.
    public var tags: [Tag]
    /// Its content.
    public var content: String
    /// Its moment.
    public var createdAt: Timestamp

    /// What a signer adds (key, id, signature) is not there yet; nothing is checked before.
    public init(kind: Kind, tags: [Tag] = [], content: String = "", createdAt: Timestamp) {
        self.kind = kind
        self.tags = tags
        self.content = content
        self.createdAt = createdAt
    }
}
