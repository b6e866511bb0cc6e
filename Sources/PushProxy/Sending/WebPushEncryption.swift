internal import Crypto
internal import NostrStore

/// Encrypts a message for a browser or a distributor, so that the push service in between reads nothing.
///
/// Shape: 16 bytes salt, 4 bytes record size, 1 byte key length (65), the sender's public key, then one record of
/// AES-128-GCM. Source: RFC 8291 §3 and §4; RFC 8188 §2.
enum WebPushEncryption {
    /// The whole body of a message at most; no push service must take more (RFC 8030 §7.2).
    static let longestBody = 4096
    /// What fits into it: less the header, the delimiter and the tag.
    static let longestMessage = longestBody - 86 - 1 - 16

    /// Why a message cannot be encrypted.
    enum Failure: Error, Equatable {
        /// The subscription's key is no point on P-256, or its secret is not 16 bytes.
        case badSubscription
        /// Longer than ``longestMessage``.
        case tooLong
    }

    /// Encrypts with a fresh key and salt.
    ///
    /// - Parameter padding: the message is filled up to a multiple of this, so that its length tells little.
    static func encrypt(
        _ message: [UInt8], for subscription: PushSubscription, padding: Int = 1024
    ) throws(Failure) -> [UInt8] {
        let wanted = (message.count + padding) / padding * padding
        let zeros = max(min(wanted, longestMessage) - message.count, 0)
        return try encrypt(
            message, for: subscription, key: P256.KeyAgreement.PrivateKey(),
            salt: bytes(of: SymmetricKey(size: .bits128)), zeros: zeros)
    }

    /// Encrypts with a given key and salt, as the RFC's example needs.
    static func encrypt(
        _ message: [UInt8], for subscription: PushSubscription, key: P256.KeyAgreement.PrivateKey, salt: [UInt8],
        zeros: Int = 0
    ) throws(Failure) -> [UInt8] {
        guard message.count + zeros <= longestMessage else { throw .tooLong }
        guard subscription.secret.count == 16, subscription.publicKey.count == 65 else { throw .badSubscription }
        let receiver: P256.KeyAgreement.PublicKey
        let shared: SharedSecret
        do {
            receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
            shared = try key.sharedSecretFromKeyAgreement(with: receiver)
        } catch {
            throw .badSubscription
        }
        let sender = Array(key.publicKey.x963Representation)
        let info = Array("WebPush: info\0".utf8) + subscription.publicKey + sender
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.secret, sharedInfo: info, outputByteCount: 32)
        let contentKey = derive(input, salt, "Content-Encoding: aes128gcm\0", 16)
        let nonce = derive(input, salt, "Content-Encoding: nonce\0", 12)
        // 2 ends the last record, and the first is the last.
        let record = message + [2] + [UInt8](repeating: 0, count: zeros)
        guard let nonce = try? AES.GCM.Nonce(data: bytes(of: nonce)),
            let box = try? AES.GCM.seal(record, using: contentKey, nonce: nonce)
        else { throw .badSubscription }
        var body = salt
        for shift in [24, 16, 8, 0] { body.append(UInt8(truncatingIfNeeded: longestBody >> shift)) }
        body.append(UInt8(sender.count))
        return body + sender + Array(box.ciphertext) + Array(box.tag)
    }

    private static func derive(_ input: SymmetricKey, _ salt: [UInt8], _ info: String, _ count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, salt: salt, info: Array(info.utf8), outputByteCount: count)
    }

    private static func bytes(of key: SymmetricKey) -> [UInt8] {
        unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}
