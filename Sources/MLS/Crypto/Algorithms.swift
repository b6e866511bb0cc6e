/// The algorithms of one cipher suite.
///
/// Its extensions lie in many files: the primitives here, and each derivation that the RFC defines for a structure beside
/// that structure (sender data, transcript hashes, epoch secrets, the private tree).
/// Source: RFC 9420 §5.1, §17.1.
struct Algorithms: Sendable, Hashable {
    enum Hash: Sendable { case sha256, sha384, sha512 }
    enum Curve: Sendable { case x25519, p256, p384, p521 }
    enum AEAD: Sendable { case aes128, aes256, chaCha20 }

    let suite: CipherSuite
    let hash: Hash
    let curve: Curve
    let aead: AEAD

    /// The algorithms of a suite.
    ///
    /// - Throws: `unsupported` for suites this library does not speak, 4 and 6 among them.
    init(_ suite: CipherSuite) throws(MLSError) {
        self.suite = suite
        switch suite {
        case .x25519AES128: (hash, curve, aead) = (.sha256, .x25519, .aes128)
        case .p256AES128: (hash, curve, aead) = (.sha256, .p256, .aes128)
        case .x25519ChaCha20: (hash, curve, aead) = (.sha256, .x25519, .chaCha20)
        case .p521AES256: (hash, curve, aead) = (.sha512, .p521, .aes256)
        case .p384AES256: (hash, curve, aead) = (.sha384, .p384, .aes256)
        default: throw MLSError(.unsupported, "cipher suite \(suite.rawValue)")
        }
    }

    /// `KDF.Nh`, in bytes.
    var hashLength: Int {
        switch hash {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// `AEAD.Nk`, in bytes.
    var keyLength: Int { aead == .aes128 ? 16 : 32 }

    /// `AEAD.Nn`, in bytes.
    var nonceLength: Int { 12 }

    /// A private key of a NIST curve with the leading zeros that were left out of it.
    func fullWidth(_ number: [UInt8]) -> [UInt8] {
        let width =
            switch curve {
            case .x25519: 0
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        return [UInt8](repeating: 0, count: max(0, width - number.count)) + number
    }

    /// So many bytes from the system's generator.
    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
