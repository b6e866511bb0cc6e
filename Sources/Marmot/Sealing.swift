internal import Crypto
internal import NostrCore

// ChaCha20-Poly1305 as Marmot has it everywhere: a nonce of 12 bytes, the tag of 16 at the end.

/// Encrypts.
///
/// - Parameter nonce: 12 bytes.
func seal(
    _ plain: [UInt8], under key: SymmetricKey, nonce: [UInt8], authenticating: [UInt8] = []
) throws(MarmotError) -> [UInt8] {
    do {
        let box = try ChaChaPoly.seal(
            plain, using: key, nonce: ChaChaPoly.Nonce(data: nonce), authenticating: authenticating)
        return Array(box.ciphertext) + Array(box.tag)
    } catch {
        throw MarmotError(.malformed, "A key or nonce has another length.")
    }
}

/// Decrypts.
///
/// - Throws: `undecryptable`.
func open(
    _ sealed: [UInt8], under key: SymmetricKey, nonce: [UInt8], authenticating: [UInt8] = []
) throws(MarmotError) -> [UInt8] {
    do {
        guard sealed.count >= 16 else { throw MarmotError(.undecryptable, "It is shorter than a tag.") }
        let box = try ChaChaPoly.SealedBox(
            nonce: ChaChaPoly.Nonce(data: nonce), ciphertext: sealed.dropLast(16), tag: sealed.suffix(16))
        return Array(try ChaChaPoly.open(box, using: key, authenticating: authenticating))
    } catch {
        throw MarmotError(.undecryptable, "The key does not open it.")
    }
}

extension Bytes32 {
    /// The hash of bytes.
    static func sha256(of bytes: [UInt8]) -> Bytes32 { ofExactly32(Array(SHA256.hash(data: bytes))) }

    /// 32 random bytes.
    static func random(using random: inout some RandomNumberGenerator) -> Bytes32 {
        ofExactly32(randomBytes(32, using: &random))
    }

    private static func ofExactly32(_ bytes: [UInt8]) -> Bytes32 {
        do { return try Bytes32(bytes.span) } catch { preconditionFailure("32 bytes were asked for: \(error)") }
    }
}
