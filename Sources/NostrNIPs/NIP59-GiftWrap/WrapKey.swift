public import NostrCore

/// The key of one gift wrap: used once and forgotten, unless more work may have to go into the wrap.
///
/// Who has it can take the outer layer off, and finds a seal that only the recipient opens. Equal are two of the same
/// public key.
public final class WrapKey: Sendable {
    private let key: SecretKey

    /// The key that relays see.
    public var publicKey: PublicKey { key.publicKey }

    /// Draws a new one.
    public init(using random: inout some RandomNumberGenerator) {
        key = SecretKey.generate(using: &random)
    }

    /// Takes one that was kept.
    ///
    /// - Throws: `SecretKeyError`.
    public init(hex: String) throws(SecretKeyError) {
        key = try SecretKey(hex: hex)
    }

    /// The conversation key with the recipient.
    func conversation(with recipient: PublicKey) throws(PayloadError) -> ConversationKey {
        do { return try ConversationKey(between: key, and: recipient) } catch { throw .notAPublicKey }
    }

    /// Signs a wrap.
    func sign(_ draft: EventDraft, using random: inout some RandomNumberGenerator) -> Event {
        Event(signing: draft, with: key, using: &random)
    }

    /// The secret as text, to be kept sealed.
    public var exportHex: String { key.withBytes { encodeHex($0) } }
}

extension WrapKey: Hashable {
    /// Whether both are the same key.
    public static func == (a: WrapKey, b: WrapKey) -> Bool { a.publicKey == b.publicKey }
    /// Hashes what anybody may know of it.
    public func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }
}
