internal import NostrCore
internal import NostrNIPs

/// What a signer elsewhere is asked, and what is believed of its answers.
extension RemoteSigning {
    /// Asks for a text to be encrypted.
    ///
    /// - Throws: ``SigningFailure/wrongAnswer``, and what asking throws.
    static func encrypt(
        _ plaintext: String, for other: PublicKey, by cipher: ContentCipher,
        _ ask: (RemoteMethod, [String]) async throws -> String
    ) async throws -> String {
        let payload = try await ask(cipher == .nip44 ? .nip44Encrypt : .nip04Encrypt, [other.hex, plaintext])
        // What is no payload of the cipher would be published as one; maybe it is the plain text.
        guard isPayload(payload, of: cipher) else { throw SigningFailure.wrongAnswer }
        return payload
    }

    /// Asks for a payload to be decrypted.
    ///
    /// - Throws: ``SigningFailure/wrongAnswer``, and what asking throws.
    static func decrypt(
        _ payload: String, from other: PublicKey, by cipher: ContentCipher,
        _ ask: (RemoteMethod, [String]) async throws -> String
    ) async throws -> String {
        let text = try await ask(cipher == .nip44 ? .nip44Decrypt : .nip04Decrypt, [other.hex, payload])
        // NIP-44 holds no empty texts.
        if text.isEmpty, cipher == .nip44 { throw SigningFailure.wrongAnswer }
        return text
    }

    /// Whether a text has the form of an encrypted one: no plain text passes for it by accident.
    static func isPayload(_ text: String, of cipher: ContentCipher) -> Bool {
        switch cipher {
        case .nip44:
            // Base64 of a first byte of 2, the version, and whatever follows it.
            let start = Array(text.utf8.prefix(2))
            return text.utf8.count >= 132 && start[0] == UInt8(ascii: "A")
                && (UInt8(ascii: "g")...UInt8(ascii: "v")).contains(start[1]) && text.utf8.allSatisfy(isBase64)
        case .nip04:
            let parts = text.split(separator: "?", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && parts[0].utf8.allSatisfy(isBase64)
                && parts[1].hasPrefix("iv=") && parts[1].utf8.dropFirst(3).allSatisfy(isBase64)
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
