public import NostrCore
public import NostrNIPs
internal import Synchronization

/// Signs, encrypts and decrypts with a key held in this process, until it is locked.
///
/// Only taking the key is behind a lock, so that slow work (shared secrets, passphrases) goes on side by side.
public final class LocalSigner: EventSigner {
    /// The key other people know.
    public let publicKey: PublicKey
    private let held: Mutex<HeldKey?>
    private let random: Mutex<any RandomNumberGenerator & Sendable>
    private let longestText: Int

    /// A key in this process needs nobody.
    public var answersAtOnce: Bool { true }

    /// Takes a key.
    ///
    /// - Parameters:
    ///   - random: gives nonces and the extra randomness of BIP-340 signatures.
    ///   - longestText: the longest text to encrypt, in bytes; above ``/NostrNIPs/ConversationKey/compatibleLength``
    ///     few other programs can read it.
    public init(
        _ key: consuming SecretKey, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        longestText: Int = ConversationKey.compatibleLength
    ) {
        publicKey = key.publicKey
        held = Mutex(HeldKey(key))
        self.random = Mutex(random)
        self.longestText = longestText
    }

    /// Draws a new key.
    public static func generate(
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> LocalSigner {
        var random = random
        return LocalSigner(SecretKey.generate(using: &random), random: random)
    }

    /// Whether the key is gone from memory.
    public var isLocked: Bool { held.withLock { $0 == nil } }

    /// Wipes the key and all that was derived from it; from now on nothing is signed, encrypted or opened.
    ///
    /// What is under way ends first and releases the key then.
    public func lock() {
        held.withLock { held in
            held?.conversations.removeAll()
            held = nil
        }
    }

    /// Signs a draft.
    ///
    /// - Throws: ``SigningFailure/locked``.
    public func sign(_ draft: EventDraft) async throws -> Event {
        let held = try unlocked()
        var drawn = drawn(32)
        return Event(signing: draft, with: held.key, using: &drawn)
    }

    /// Encrypts a text.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PayloadError``.
    public func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        let held = try unlocked()
        var drawn = drawn(32)
        switch cipher {
        case .nip44:
            return try held.conversation(with: other).encrypt(plaintext, limit: longestText, using: &drawn)
        case .nip04:
            return try LegacyEncryption.encrypt(plaintext, between: held.key, and: other, using: &drawn)
        }
    }

    /// Encrypts a text of up to 1 MiB for a reader of NIP-44's long form.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PayloadError``.
    public func encryptLong(_ plaintext: String, for other: PublicKey) async throws -> String {
        let held = try unlocked()
        var drawn = drawn(32)
        return try held.conversation(with: other)
            .encrypt(plaintext, limit: ConversationKey.longestRead, using: &drawn)
    }

    /// Decrypts a payload.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PayloadError``.
    public func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        let held = try unlocked()
        switch cipher {
        case .nip44: return try held.conversation(with: other).decrypt(payload)
        case .nip04: return try LegacyEncryption.decrypt(payload, between: held.key, and: other)
        }
    }

    /// Reads the private part of a zap request, as the one who was zapped or the one who zapped.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PrivateZapError``.
    public func decryptZap(_ request: Event) async throws -> Event {
        let held = try unlocked()
        return try PrivateZap(request).message(with: held.key)
    }

    /// Opens gift wraps on all cores, in order.
    ///
    /// - Throws: ``SigningFailure/locked``, also when the signer is locked before the last wrap was tried, and
    ///   `CancellationError`.
    public func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        let outcomes = await mapOnAllCores(wraps, parts: 1...64) {
            [self] wrap -> Result<UnwrappedGift, GiftRejection>? in
            guard !Task.isCancelled, let held = held.withLock({ $0 }) else { return nil }
            return Result { () throws(GiftRejection) in
                try UnwrappedGift(opening: wrap, with: held.key, authors: held.conversations)
            }
        }
        let opened = outcomes.compactMap { $0 }
        guard opened.count == wraps.count else {
            try Task.checkCancellation()
            throw SigningFailure.locked
        }
        return opened
    }

    /// Lends the key, for keeping it only.
    ///
    /// - Throws: ``SigningFailure/locked``, or what the body throws.
    func withKey<Value: Sendable>(_ body: (borrowing SecretKey) throws -> Value) throws -> Value {
        try body(try unlocked().key)
    }

    /// Encrypts the key with a passphrase; blocks while scrypt runs.
    package func encrypted(
        passphrase: String, logN: UInt8, handling: EncryptedSecretKey.Handling
    ) throws -> EncryptedSecretKey {
        let held = try unlocked()
        var drawn = drawn(64)
        return try EncryptedSecretKey(
            encrypting: held.key, passphrase: passphrase, logN: logN, handling: handling, using: &drawn)
    }

    private func unlocked() throws(SigningFailure) -> HeldKey {
        guard let held = held.withLock({ $0 }) else { throw .locked }
        return held
    }

    /// Draws bytes now for work that takes longer than the generator may be held.
    private func drawn(_ count: Int) -> DrawnRandomness {
        random.withLock { DrawnRandomness(randomBytes(count, using: &$0)) }
    }
}

/// Random bytes that were drawn before, handed out as a generator.
private struct DrawnRandomness: RandomNumberGenerator {
    private var words: [UInt64]

    init(_ bytes: [UInt8]) {
        words = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    mutating func next() -> UInt64 {
        guard let word = words.popLast() else { preconditionFailure("more randomness was used than drawn") }
        return word
    }
}
