internal import Crypto
internal import CryptoExtras
public import NostrCore

/// The encryption of the first Nostr programs: legacy, to read what is old and to speak to what cannot do better.
///
/// AES-256-CBC under the x coordinate two people share. Nothing authenticates it: a relay that carries a payload can
/// change what it decrypts to, and only the signature of the event around it shows that. Write ``ConversationKey`` instead.
/// Source: NIP-04.
public enum LegacyEncryption {
    /// The longest text that is written or read; unit: bytes of UTF-8.
    public static let longestText = ConversationKey.longestRead

    /// Encrypts a text.
    ///
    /// Shape: Base64, `?iv=`, Base64 of 16 bytes.
    ///
    /// - Parameter random: gives the initialisation vector, which must never come twice.
    /// - Throws: ``PayloadError/tooLong(limit:)``, or ``PayloadError/notAPublicKey``.
    public static func encrypt(
        _ text: String, between mine: borrowing SecretKey, and other: PublicKey,
        using random: inout some RandomNumberGenerator
    ) throws(PayloadError) -> String {
        let plain = Array(text.utf8)
        guard plain.count <= longestText else { throw .tooLong(limit: longestText) }
        let iv = randomBytes(16, using: &random)
        let key = try key(between: mine, and: other)
        do {
            let cipher = Array(try AES._CBC.encrypt(plain, using: key, iv: AES._CBC.IV(ivBytes: iv)))
            return Base64.encode(cipher.span) + separator + Base64.encode(iv.span)
        } catch {
            preconditionFailure("AES-CBC takes any key of 32 bytes and any vector of 16: \(error)")
        }
    }

    /// Decrypts a payload.
    ///
    /// - Throws: ``PayloadError``. Wrong padding, a wrong key and bytes that are no text are one and the same failure, so
    ///   that nobody learns from it what a changed payload decrypts to.
    public static func decrypt(
        _ payload: String, between mine: borrowing SecretKey, and other: PublicKey
    ) throws(PayloadError) -> String {
        let longest = Base64.length(ofBytes: longestText + 16) + separator.utf8.count + 24
        guard payload.utf8.count <= longest else { throw .tooLong(limit: longestText) }
        guard isPayload(payload), let (cipher, iv) = parts(of: payload) else { throw .malformed }
        let key = try key(between: mine, and: other)
        // One answer for all that can go wrong from here on, see above.
        guard let vector = try? AES._CBC.IV(ivBytes: iv),
            let plain = try? AES._CBC.decrypt(cipher, using: key, iv: vector),
            let text = String(validating: Array(plain), as: UTF8.self)
        else { throw .wrongKey }
        return text
    }

    /// Whether a text has the form of this encryption, which NIP-44 never has.
    public static func isPayload(_ text: String) -> Bool {
        // The vector is the last 24 characters.
        text.utf8.count >= 28 && text.utf8.dropLast(24).suffix(4).elementsEqual(separator.utf8)
    }

    private static let separator = "?iv="

    private static func parts(of payload: String) -> (cipher: [UInt8], iv: [UInt8])? {
        let text = payload.utf8
        guard let cipher = Base64.decode(String(decoding: text.dropLast(28), as: UTF8.self)),
            let iv = Base64.decode(String(decoding: text.suffix(24), as: UTF8.self)), iv.count == 16,
            !cipher.isEmpty, cipher.count % 16 == 0
        else { return nil }
        return (cipher, iv)
    }

    private static func key(
        between mine: borrowing SecretKey, and other: PublicKey
    ) throws(PayloadError) -> SymmetricKey {
        do {
            let shared = try mine.sharedX(with: other)
            return shared.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
        } catch {
            throw .notAPublicKey
        }
    }
}
