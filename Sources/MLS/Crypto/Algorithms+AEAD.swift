internal import Crypto

/// Encryption under a key that both sides have.
///
/// Source: RFC 9420 §5.1. The tag of 16 bytes ends the ciphertext.
extension Algorithms {
    func seal<Role>(
        _ plaintext: [UInt8], key: Secret<Role>, nonce: [UInt8], authenticating: [UInt8] = []
    ) throws(MLSError) -> [UInt8] {
        do {
            switch aead {
            case .aes128, .aes256:
                let box = try AES.GCM.seal(
                    plaintext, using: key.key, nonce: AES.GCM.Nonce(data: nonce), authenticating: authenticating)
                return Array(box.ciphertext) + Array(box.tag)
            case .chaCha20:
                let box = try ChaChaPoly.seal(
                    plaintext, using: key.key, nonce: ChaChaPoly.Nonce(data: nonce), authenticating: authenticating)
                return Array(box.ciphertext) + Array(box.tag)
            }
        } catch {
            throw MLSError(.invalidKey, "a key or nonce does not fit the cipher")
        }
    }

    func open<Role>(
        _ ciphertext: [UInt8], key: Secret<Role>, nonce: [UInt8], authenticating: [UInt8] = []
    ) throws(MLSError) -> [UInt8] {
        guard ciphertext.count >= 16 else { throw MLSError(.decryptionFailed, "shorter than a tag") }
        let (text, tag) = (ciphertext.dropLast(16), ciphertext.suffix(16))
        do {
            switch aead {
            case .aes128, .aes256:
                let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: nonce), ciphertext: text, tag: tag)
                return Array(try AES.GCM.open(box, using: key.key, authenticating: authenticating))
            case .chaCha20:
                let box = try ChaChaPoly.SealedBox(nonce: ChaChaPoly.Nonce(data: nonce), ciphertext: text, tag: tag)
                return Array(try ChaChaPoly.open(box, using: key.key, authenticating: authenticating))
            }
        } catch {
            throw MLSError(.decryptionFailed)
        }
    }
}
