public import NostrCore
public import NostrNIPs

// What signers that only sign answer.
extension EventSigner {
    /// Never encrypts.
    public func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        throw SigningFailure.cannotEncrypt
    }

    /// Never decrypts.
    public func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        throw SigningFailure.cannotEncrypt
    }

    /// Never opens anything.
    public func open(_ wraps: [Event]) async throws -> [Result<Gift, GiftRejection>] {
        throw SigningFailure.cannotEncrypt
    }
}
