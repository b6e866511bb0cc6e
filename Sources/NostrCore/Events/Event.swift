internal import Secp256k1

/// An event whose id and signature have been checked.
///
/// Source: NIP-01.
public struct Event: Hashable, Sendable, Identifiable {
    /// The event without the promise, as it goes on the wire.
    public let unverified: UnverifiedEvent

    /// SHA-256 of the canonical serialisation, in the form of it that the author's program hashed.
    public var id: EventID { unverified.id }
    /// The author.
    public var pubkey: PublicKey { unverified.pubkey }
    /// When the author says it was made; nobody has checked that.
    public var createdAt: Timestamp { unverified.createdAt }
    /// What it is.
    public var kind: Kind { unverified.kind }
    /// Its tags.
    public var tags: [Tag] { unverified.tags }
    /// Its content.
    public var content: String { unverified.content }
    /// The author's signature over ``id``.
    public var signature: Signature { unverified.signature }

    /// Checks the id, then the signature.
    ///
    /// - Throws: ``EventRejection/wrongID(claimed:computed:)`` or ``EventRejection/badSignature(_:)``.
    public init(verifying raw: UnverifiedEvent) throws(EventRejection) {
        try raw.id.check(
            pubkey: raw.pubkey, createdAt: raw.createdAt, kind: raw.kind, tags: raw.tags, content: raw.content)
        let valid = raw.signature.bytes.withSpan { signature in
            raw.id.bytes.withSpan { id in
                raw.pubkey.bytes.withSpan { key in
                    SchnorrSignature.isValid(signature, message: id, publicKey: key)
                }
            }
        }
        guard valid else { throw .badSignature(raw.id) }
        unverified = raw
    }

    /// Signs a draft.
    public init(
        signing draft: EventDraft, with key: borrowing SecretKey, using random: inout some RandomNumberGenerator
    ) {
        let id = canonicalID(
            pubkey: key.publicKey, createdAt: draft.createdAt, kind: draft.kind, tags: draft.tags,
            content: draft.content)
        unverified = UnverifiedEvent(
            id: id, pubkey: key.publicKey, createdAt: draft.createdAt, kind: draft.kind, tags: draft.tags,
            content: draft.content, signature: key.sign(id.bytes, using: &random))
    }

    /// Takes an event read back from our own database, which only ever receives checked events.
    ///
    /// The one other door to this type: for storage adapters, never for bytes from a network, a file or a person.
    package init(trustingStored raw: UnverifiedEvent) {
        unverified = raw
    }
}

extension Event {
    /// About how much memory it takes.
    package var roughBytes: Int {
        var bytes = 256 + content.utf8.count
        for tag in tags {
            bytes += 64
            for value in tag.elements { bytes += 16 + value.utf8.count }
        }
        return bytes
    }
}

/// Why a claimed event is not believed.
public enum EventRejection: Error, Hashable, Sendable {
    /// The id is not the hash of the content.
    case wrongID(claimed: EventID, computed: EventID)
    /// The signature does not fit the id and the author.
    case badSignature(EventID)
}
