internal import Crypto
public import NostrCore

/// The people of a private conversation: the author of a message and everybody it names.
///
/// Adding or taking away a person makes another room. Source: NIP-17, "Chat Rooms".
public struct ChatRoom: Hashable, Sendable {
    /// Everybody, the reader included; sorted, each once.
    public let participants: [PublicKey]

    /// The same people make the same room, in any order and however often named.
    public init(_ people: some Sequence<PublicKey>) {
        participants = Set(people).sorted()
    }

    /// The room a rumor belongs to: its author and its `p` tags.
    public init(of rumor: Rumor) {
        self.init([rumor.pubkey] + rumor.tags.named("p").compactMap { $0.publicKey(at: 1) })
    }

    /// Everybody but one person.
    public func others(than key: PublicKey) -> [PublicKey] { participants.filter { $0 != key } }

    /// A short name for addresses of pages: 32 hex characters of the SHA-256 over the sorted keys.
    public var word: String {
        var hasher = SHA256()
        for key in participants { key.bytes.withSpan { hasher.update(data: bytes(of: $0)) } }
        return String(encodeHex(Array(hasher.finalize())).prefix(32))
    }
}
