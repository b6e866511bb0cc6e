internal import Secp256k1

/// A secret key that signs; not copyable, never printed, wiped on release.
///
/// Shape: 32 bytes, a scalar from 1 to the order of the curve less one. Source: NIP-01, BIP-340.
public struct SecretKey: ~Copyable, Sendable {
    private let key: SigningKey
    private let secret: SecretBytes

    /// The key other people know.
    public let publicKey: PublicKey

    /// Takes 32 secret bytes; the caller wipes its own copy.
    ///
    /// - Throws: ``SecretKeyError``.
    public init(_ bytes: Span<UInt8>) throws(SecretKeyError) {
        guard bytes.count == 32 else { throw .wrongLength(got: bytes.count) }
        do {
            let made = try SigningKey(secret: bytes)
            let x = made.publicKey
            publicKey = PublicKey(try Bytes32(x.span))
            key = made
            secret = SecretBytes(bytes)
        } catch {
            throw .notASecretKey
        }
    }

    /// Parses 64 lowercase hex characters.
    public init(hex: String) throws(SecretKeyError) {
        let decoded: [UInt8]
        do { decoded = try decodeHex(hex, byteCount: 32) } catch { throw .notHex(error) }
        try self.init(decoded.span)
    }

    /// Draws a new key.
    public static func generate(using random: inout some RandomNumberGenerator) -> SecretKey {
        while true {
            let bytes = randomBytes(32, using: &random)
            // A draw outside the scalar range has a chance of 2^-128; draw again.
            if let key = try? SecretKey(bytes.span) { return key }
        }
    }

    /// Lends the 32 secret bytes, for encryption and export only.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try secret.withBytes(body)
    }

    /// Writes the shared x coordinate; see ``sharedX(with:)``.
    borrowing func writeSharedX(
        with other: Span<UInt8>, into output: inout MutableSpan<UInt8>
    ) throws(CurveError) {
        try key.sharedX(with: other, into: &output)
    }

    /// Signs 32 bytes, usually an event id.
    public borrowing func sign(_ message: Bytes32, using random: inout some RandomNumberGenerator) -> Signature {
        let auxiliary = randomBytes(32, using: &random)
        let digest = message.array
        do {
            let signed = try key.sign(digest, auxiliary: auxiliary)
            return Signature(try Bytes64(signed.span))
        } catch {
            preconditionFailure("signing 32 bytes with a valid key cannot fail: \(error)")
        }
    }
}

/// Why something is not a secret key.
public enum SecretKeyError: Error, Equatable, Sendable {
    /// Not 32 bytes.
    case wrongLength(got: Int)
    /// Not lowercase hex; the offending text is not kept.
    case notHex(HexError)
    /// Zero or not below the order of the curve.
    case notASecretKey
}
