/// An event as somebody claims it: parsed, its id and signature not checked.
///
/// Only ``Event/init(verifying:)`` makes it more. Source: NIP-01.
public struct UnverifiedEvent: Hashable, Sendable {
    /// The claimed identity.
    public var id: EventID
    /// The claimed author.
    public var pubkey: PublicKey
    /// The claimed moment.
    public var createdAt: Timestamp
    /// What it is.
    public var kind: Kind
    /// Its tags, exactly as they came.
    public var tags: [Tag]
    /// Its content, exactly as it came.
    public var content: String
    /// The claimed signature.
    public var signature: Signature

    /// Puts an event together from its seven fields; neither the id nor the signature is compared with the rest.
    public init(
        id: EventID, pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String,
        signature: Signature
    ) {
        self.id = id
        self.pubkey = pubkey
        self.createdAt = createdAt
        self.kind = kind
        self.tags = tags
        self.content = content
        self.signature = signature
    }
}
