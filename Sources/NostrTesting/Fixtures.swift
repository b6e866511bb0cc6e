public import NostrCore

/// A person of the tests with a key that never changes.
public enum TestPerson: UInt8, CaseIterable, Sendable {
    case alice = 1, bob, carol, dave, eve

    /// 64 lowercase hex characters; the number of the person, repeated.
    public var secretHex: String {
        encodeHex([UInt8](repeating: rawValue, count: 32))
    }

    /// The secret key.
    public var secretKey: SecretKey {
        // Every repeated small byte is a valid scalar.
        do { return try SecretKey(hex: secretHex) } catch { preconditionFailure("not a key: \(error)") }
    }

    /// The public key.
    public var publicKey: PublicKey { secretKey.publicKey }

    /// Signs an event; the same arguments always give the same signature.
    public func event(
        _ content: String = "", kind: Kind = 1, tags: [Tag] = [], at seconds: Int64 = 1_700_000_000
    ) -> Event {
        var random = SeededRandom(seed: UInt64(rawValue))
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: seconds))
        return Event(signing: draft, with: secretKey, using: &random)
    }
}
