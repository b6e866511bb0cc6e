public import MLS
internal import NostrCore
public import NostrNIPs

/// What a member said: an event that nobody signed, believed because MLS says who sent it.
///
/// Source: MIP-03.
public struct GroupMessage: Hashable, Sendable {
    /// What was said; its author is the member who sent it.
    public let rumor: Rumor
    /// The place it was sent from.
    public let place: LeafIndex
    /// The key that verified it: that of the sender's leaf in its epoch.
    public let signatureKey: SignaturePublicKey
    /// The epoch it was sent in.
    public let epoch: UInt64
    /// Which of its author's messages in that epoch it is, counted from 0.
    public let generation: UInt32

    /// The longest message, as JSON; unit: bytes.
    ///
    /// Its event then has about half a megabyte.
    public static let longest = 383 * 1024

    /// Reads what MLS decrypted.
    ///
    /// JSON is bounded in length and depth before it is read. A `sig`, which must not be there, is passed over and not
    /// kept.
    ///
    /// - Throws: `tooLarge`, `malformed` for what is no event or has the id of another, `wrongAuthor` if it is by
    ///   somebody else than who sent it, `badTag` if it names a group, which would link it to one if it got out.
    public init(_ message: ApplicationMessage) throws(MarmotError) {
        guard message.data.count <= Self.longest else { throw MarmotError(.tooLarge, "The message is too long.") }
        guard let text = String(validating: message.data, as: UTF8.self) else {
            throw MarmotError(.malformed, "The message is not UTF-8.")
        }
        let rumor: Rumor
        do { rumor = try Rumor(json: text) } catch {
            throw MarmotError(.malformed, error == .wrongRumorID ? "The id is another's." : "The message is no event.")
        }
        guard message.credential.nostrKey == rumor.pubkey else {
            throw MarmotError(.wrongAuthor, "The message is by somebody else than who sent it.")
        }
        try Self.check(rumor.tags)
        (self.rumor, place, epoch, generation) = (rumor, message.sender, message.epoch, message.generation)
        signatureKey = message.signatureKey
    }

    /// The bytes for MLS to encrypt.
    ///
    /// - Throws: `badTag` for a rumor that names a group, `tooLarge`.
    static func encode(_ rumor: Rumor) throws(MarmotError) -> [UInt8] {
        try check(rumor.tags)
        let bytes = Array(rumor.json.utf8)
        guard bytes.count <= longest else { throw MarmotError(.tooLarge, "The message is too long.") }
        return bytes
    }

    private static func check(_ tags: [Tag]) throws(MarmotError) {
        guard !tags.contains(where: { $0.name == "h" }) else {
            throw MarmotError(.badTag, "A message inside a group names no group.")
        }
    }
}
