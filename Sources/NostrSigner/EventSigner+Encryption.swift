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
    public func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        throw SigningFailure.cannotEncrypt
    }

    /// Reads a private zap with nothing but ``decrypt(_:from:by:)``, so only as the one who was zapped.
    ///
    /// - Throws: ``SigningFailure`` or ``/NostrNIPs/PrivateZapError``.
    public func decryptZap(_ request: Event) async throws -> Event {
        let zap = try PrivateZap(request)
        guard zap.recipient == publicKey else { throw PrivateZapError.notOurs }
        do {
            return try zap.message(try await decrypt(zap.payload, from: zap.oneTimeKey, by: .nip04))
        } catch is PayloadError {
            throw PrivateZapError.unreadable
        }
    }
}
