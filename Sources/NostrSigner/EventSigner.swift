public import NostrCore
public import NostrNIPs

/// Whatever holds a key and signs with it: a local key, a bunker, a browser.
public protocol EventSigner: Sendable {
    /// The key it signs with.
    var publicKey: PublicKey { get }

    /// Whether it answers without waiting for anybody: its key is in this process, or it has none and says so.
    var answersAtOnce: Bool { get }

    /// Signs a draft.
    ///
    /// - Throws: ``SigningFailure``.
    func sign(_ draft: EventDraft) async throws -> Event

    /// Encrypts a text that only the other person and this key can read; the other person may be this key.
    ///
    /// - Throws: ``SigningFailure``, or why the cipher refused.
    func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String

    /// Encrypts a text of up to 1 MiB by NIP-44, above 65 535 bytes in its long form; for a reader known to read that.
    ///
    /// - Throws: ``SigningFailure``, or why the cipher refused.
    func encryptLong(_ plaintext: String, for other: PublicKey) async throws -> String

    /// Decrypts what the other person, or this key, encrypted.
    ///
    /// - Throws: ``SigningFailure``, or why the cipher refused.
    func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String

    /// Reads the private part of a zap request (kind 9734): the event of kind 9733 inside.
    ///
    /// - Throws: ``SigningFailure`` or ``/NostrNIPs/PrivateZapError``.
    func decryptZap(_ request: Event) async throws -> Event

    /// Opens gift wraps (NIP-59), as many at a time as there are cores; the outcomes come in the order of the wraps.
    ///
    /// The wraps themselves were verified, as every ``/NostrCore/Event`` is; here the seals are.
    ///
    /// - Throws: ``SigningFailure`` when no wrap could be tried at all.
    func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>]
}

extension EventSigner {
    /// A signer that does not say so may have to wait.
    public var answersAtOnce: Bool { false }

    /// A signer that does not know the long form encrypts what fits the short one.
    public func encryptLong(_ plaintext: String, for other: PublicKey) async throws -> String {
        try await encrypt(plaintext, for: other, by: .nip44)
    }
}

/// How content is encrypted between two keys.
public enum ContentCipher: String, Hashable, Sendable, CaseIterable {
    /// NIP-44, version 2.
    case nip44
    /// NIP-04, legacy: unauthenticated; kept to read what is old and to speak to what cannot do better.
    case nip04
}

/// Why a draft was not signed.
public enum SigningFailure: Error, Hashable, Sendable {
    /// The key is locked; unlock the account first.
    case locked
    /// This account can only read.
    case readOnly
    /// The person said no.
    case refused
    /// No answer within the deadline.
    case timedOut
    /// This signer only signs: it cannot encrypt or decrypt.
    case cannotEncrypt
    /// The signer is elsewhere, and no relay leads there now.
    case unreachable
    /// The key is in a browser, and no page of Linnet is open there.
    case noPage
    /// What came back is not what was asked for; it was thrown away.
    case wrongAnswer
    /// A signer elsewhere did not do it, in its own words: one visible line.
    case said(String)
}
