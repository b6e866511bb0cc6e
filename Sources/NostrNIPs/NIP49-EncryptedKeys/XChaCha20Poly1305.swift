internal import Crypto
internal import CryptoExtras

/// Authenticated encryption with a 24-byte nonce.
///
/// Source: draft-irtf-cfrg-xchacha-03: HChaCha20 turns the key and the first 16 bytes of the nonce into a key for the
/// ordinary ChaCha20-Poly1305 of RFC 8439.
enum XChaCha20Poly1305 {
    static let nonceLength = 24
    static let tagLength = 16

    /// Encrypts; the tag stands at the end.
    static func seal(
        _ plaintext: [UInt8], key: SymmetricKey, nonce: [UInt8], authenticating data: [UInt8]
    ) throws -> [UInt8] {
        let (subkey, shortNonce) = try derive(key: key, nonce: nonce)
        let box = try ChaChaPoly.seal(plaintext, using: subkey, nonce: shortNonce, authenticating: data)
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts what ``seal(_:key:nonce:authenticating:)`` made.
    ///
    /// - Throws: when it was made with another key, nonce or data, or is shorter than a tag.
    static func open(
        _ ciphertext: [UInt8], key: SymmetricKey, nonce: [UInt8], authenticating data: [UInt8]
    ) throws -> [UInt8] {
        guard ciphertext.count >= tagLength else { throw CryptoKitError.incorrectParameterSize }
        let (subkey, shortNonce) = try derive(key: key, nonce: nonce)
        let box = try ChaChaPoly.SealedBox(
            nonce: shortNonce, ciphertext: ciphertext.dropLast(tagLength), tag: ciphertext.suffix(tagLength))
        return Array(try ChaChaPoly.open(box, using: subkey, authenticating: data))
    }

    private static func derive(key: SymmetricKey, nonce: [UInt8]) throws -> (SymmetricKey, ChaChaPoly.Nonce) {
        guard key.bitCount == 256, nonce.count == nonceLength else { throw CryptoKitError.incorrectParameterSize }
        let subkey = try hChaCha20(key: key, nonce: Array(nonce.prefix(16)))
        return (subkey, try ChaChaPoly.Nonce(data: [0, 0, 0, 0] + nonce.suffix(8)))
    }

    /// HChaCha20: the rounds of ChaCha20 without the final addition of the input, words 0–3 and 12–15 of the result.
    ///
    /// swift-crypto gives the block after that addition, and what was added at these words (the constants, the counter
    /// and the nonce) is public; so it is taken off again instead of writing a cipher of our own.
    static func hChaCha20(key: SymmetricKey, nonce: [UInt8]) throws -> SymmetricKey {
        let block = Array(
            try Insecure.ChaCha20CTR.encrypt(
                [UInt8](repeating: 0, count: 64), using: key,
                counter: Insecure.ChaCha20CTR.Counter(data: nonce.prefix(4)),
                nonce: Insecure.ChaCha20CTR.Nonce(data: nonce.dropFirst(4))))
        let added = Array("expand 32-byte k".utf8) + nonce
        var output: [UInt8] = []
        for word in 0..<8 {
            let place = word < 4 ? word * 4 : 32 + word * 4
            let difference = littleEndian(block, at: place) &- littleEndian(added, at: word * 4)
            for shift in [0, 8, 16, 24] { output.append(UInt8(truncatingIfNeeded: difference >> shift)) }
        }
        return SymmetricKey(data: output)
    }

    private static func littleEndian(_ bytes: [UInt8], at place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
    }
}
