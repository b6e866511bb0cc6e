internal import Crypto
internal import NostrNIPs

/// A receiver of Web Push: its key, and the secret it shares with whoever may send to it.
///
/// Source: RFC 8291; RFC 8188.
public struct WebPushKey: Sendable {
    /// Why a message cannot be opened.
    public enum Failure: Error, Hashable, Sendable {
        /// It is not one record for a key of P-256.
        case malformed
        /// It was made for another receiver, or changed on its way.
        case notForUs
    }

    /// The longest message; unit: bytes.
    ///
    /// No push service must carry more (RFC 8030 §7.2).
    public static let longest = 4096

    private let key: P256.KeyAgreement.PrivateKey
    private let authentication: [UInt8]

    /// Draws a key and a secret.
    public init() {
        key = P256.KeyAgreement.PrivateKey()
        authentication = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { unsafe Array($0) }
    }

    /// Reads what ``text`` wrote; `nil` for anything else.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Base64URL.decode(String($0)) }
        // A number that is no key of the curve is as good as none.
        guard parts.count == 2, let raw = parts[0], let secret = parts[1], secret.count == 16,
            let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: raw)
        else { return nil }
        self.key = key
        authentication = secret
    }

    /// Key and secret as they are kept; a secret.
    public var text: String {
        Base64URL.encode(Array(key.rawRepresentation)) + "." + Base64URL.encode(authentication)
    }

    /// `p256dh` of the subscription: an uncompressed point in URL-safe Base64.
    public var publicKey: String { Base64URL.encode(Array(key.publicKey.x963Representation)) }

    /// `auth` of the subscription: 16 bytes in URL-safe Base64.
    public var secret: String { Base64URL.encode(authentication) }

    /// Opens a message.
    ///
    /// Shape: salt (16 bytes), record size (4), length of the sender's key (1), that key (65), one record of AES-128-GCM
    /// that ends in 2 and zeros. Source: RFC 8188 §2; RFC 8291 §3.3 and §3.4.
    public func open(_ body: [UInt8]) throws(Failure) -> [UInt8] {
        let header = 21 + 65
        guard body.count > header + 17, body.count <= Self.longest, body[20] == 65 else { throw .malformed }
        let salt = Array(body[..<16])
        let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let (sender, record) = (Array(body[21..<header]), body[header...])
        guard record.count <= size, let point = try? P256.KeyAgreement.PublicKey(x963Representation: sender),
            let shared = try? key.sharedSecretFromKeyAgreement(with: point)
        else { throw .malformed }
        let info = Array("WebPush: info\0".utf8) + Array(key.publicKey.x963Representation) + sender
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: authentication, sharedInfo: info, outputByteCount: 32)
        let contentKey = Self.derive(input, salt, "Content-Encoding: aes128gcm\0", 16)
        let nonce = unsafe Self.derive(input, salt, "Content-Encoding: nonce\0", 12).withUnsafeBytes {
            unsafe Array($0)
        }
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: record.dropLast(16), tag: record.suffix(16)),
            let padded = (try? AES.GCM.open(box, using: contentKey)).map({ Array($0) })
        else { throw .notForUs }
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 2 else { throw .malformed }
        return Array(padded[..<end])
    }

    private static func derive(_ input: SymmetricKey, _ salt: [UInt8], _ info: String, _ count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: input, salt: salt, info: Array(info.utf8), outputByteCount: count)
    }
}
