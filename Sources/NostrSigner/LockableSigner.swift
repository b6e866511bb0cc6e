public import NostrCore
public import NostrNIPs
internal import Synchronization

/// The signer of an account whose key comes and goes: locked until the person unlocks it, and locked again at will.
public final class LockableSigner: EventSigner {
    /// The key other people know.
    public let publicKey: PublicKey
    private let signer: Mutex<(any EndingSigner)?>

    /// A locked signer.
    public init(_ publicKey: PublicKey) {
        self.publicKey = publicKey
        signer = Mutex(nil)
    }

    /// Whether there is no key to sign with now.
    public var isLocked: Bool {
        signer.withLock { $0?.isLocked ?? true }
    }

    /// Whether it answers without waiting for anybody.
    public var answersAtOnce: Bool {
        signer.withLock { $0?.answersAtOnce ?? true }
    }

    /// Takes the key's signer: the key itself, or the way to where it is.
    ///
    /// - Throws: ``SigningFailure/refused`` for the key of another person; then nothing has changed.
    public func unlock(with opened: any EndingSigner) throws(SigningFailure) {
        guard opened.publicKey == publicKey else { throw .refused }
        signer.withLock { $0 = opened }
    }

    /// Wipes the key.
    public func lock() {
        signer.withLock {
            $0?.lock()
            $0 = nil
        }
    }

    /// Signs a draft.
    ///
    /// - Throws: ``SigningFailure/locked``.
    public func sign(_ draft: EventDraft) async throws -> Event {
        try await unlocked().sign(draft)
    }

    /// Encrypts a text.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PayloadError``.
    public func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await unlocked().encrypt(plaintext, for: other, by: cipher)
    }

    /// Encrypts a text of up to 1 MiB for a reader of NIP-44's long form.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PayloadError``.
    public func encryptLong(_ plaintext: String, for other: PublicKey) async throws -> String {
        try await unlocked().encryptLong(plaintext, for: other)
    }

    /// Decrypts a payload.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PayloadError``.
    public func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await unlocked().decrypt(payload, from: other, by: cipher)
    }

    /// Reads the private part of a zap request.
    ///
    /// - Throws: ``SigningFailure/locked`` or ``/NostrNIPs/PrivateZapError``.
    public func decryptZap(_ request: Event) async throws -> Event {
        try await unlocked().decryptZap(request)
    }

    /// Opens gift wraps on all cores, in order.
    ///
    /// - Throws: ``SigningFailure/locked``.
    public func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        try await unlocked().open(wraps)
    }

    private func unlocked() throws(SigningFailure) -> any EndingSigner {
        guard let opened = signer.withLock({ $0 }) else { throw .locked }
        return opened
    }
}
