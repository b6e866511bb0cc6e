internal import Crypto
internal import NostrCore
internal import NostrNIPs

extension LocalSigner {
    /// Encrypts the words this key was made from, so that only this key opens them.
    ///
    /// Shape: a random nonce of 12 bytes, the ciphertext, a tag of 16 bytes; ChaCha20-Poly1305 under a key derived from
    /// the secret key (HKDF-SHA256). So the words need no second passphrase, and a changed one leaves them as they are.
    package func seal(words: String) throws -> [UInt8] {
        let key = try wordsKey()
        return Array(
            try ChaChaPoly.seal(Array(words.utf8), using: key, authenticating: Array(publicKey.npub.utf8)).combined)
    }

    /// Decrypts words.
    ///
    /// - Throws: ``KeystoreError`` with code `damaged` when they were sealed for another key or changed.
    package func open(sealedWords: [UInt8]) throws -> String {
        let key = try wordsKey()
        do {
            let box = try ChaChaPoly.SealedBox(combined: sealedWords)
            let opened = try ChaChaPoly.open(box, using: key, authenticating: Array(publicKey.npub.utf8))
            if let words = String(validating: opened, as: UTF8.self) { return words }
        } catch {
            // What the cipher says adds nothing to what is said below.
        }
        throw KeystoreError(.damaged, .wordsOfAnother)
    }

    private func wordsKey() throws -> SymmetricKey {
        try withKey { key in
            key.withBytes { secret in
                let root = SymmetricKey(copying: secret)
                return HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: root, info: Array("linnet words v1".utf8), outputByteCount: 32)
            }
        }
    }
}

extension SymmetricKey {
    /// A key from lent bytes; the copy made on the way is wiped.
    fileprivate init(copying secret: Span<UInt8>) {
        var copy = secret.indices.map { secret[$0] }
        defer { for i in copy.indices { copy[i] = 0 } }
        self.init(data: copy)
    }
}
