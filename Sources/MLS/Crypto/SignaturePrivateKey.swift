internal import Crypto

/// A private key for signatures, ready to use.
///
/// The public key is always computed from it, never taken from a caller: a signature under a wrong public key
/// would give the private one away. Shape of the bytes: the seed for Ed25519, a big-endian number
/// otherwise, whose leading zeros some programs leave out.
public struct SignaturePrivateKey: Sendable {
    private enum Key: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
    }

    private let key: Key
    /// What verifies its signatures.
    public let publicKey: SignaturePublicKey

    /// A new key for a suite.
    ///
    /// - Throws: `unsupported` for a suite this library does not speak.
    public init(for suite: CipherSuite) throws(MLSError) {
        let key: Key =
            switch try Algorithms(suite).curve {
            case .x25519: .ed25519(Curve25519.Signing.PrivateKey())
            case .p256: .p256(P256.Signing.PrivateKey())
            case .p384: .p384(P384.Signing.PrivateKey())
            case .p521: .p521(P521.Signing.PrivateKey())
            }
        self.init(key)
    }

    /// A key from its bytes.
    ///
    /// - Throws: `invalidKey` for bytes that are no key of the suite, `unsupported` for its number.
    public init(bytes: [UInt8], for suite: CipherSuite) throws(MLSError) {
        let algorithms = try Algorithms(suite)
        let (curve, bytes) = (algorithms.curve, algorithms.fullWidth(bytes))
        do {
            let key: Key =
                switch curve {
                case .x25519: .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: bytes))
                case .p256: .p256(try P256.Signing.PrivateKey(rawRepresentation: bytes))
                case .p384: .p384(try P384.Signing.PrivateKey(rawRepresentation: bytes))
                case .p521: .p521(try P521.Signing.PrivateKey(rawRepresentation: bytes))
                }
            self.init(key)
        } catch {
            throw MLSError(.invalidKey, "not a private key for signatures")
        }
    }

    private init(_ key: Key) {
        self.key = key
        let bytes: [UInt8] =
            switch key {
            case .ed25519(let key): Array(key.publicKey.rawRepresentation)
            case .p256(let key): Array(key.publicKey.x963Representation)
            case .p384(let key): Array(key.publicKey.x963Representation)
            case .p521(let key): Array(key.publicKey.x963Representation)
            }
        publicKey = SignaturePublicKey(bytes)
    }

    /// The bytes, for storage; the caller encrypts them.
    public var bytes: [UInt8] {
        switch key {
        case .ed25519(let key): Array(key.rawRepresentation)
        case .p256(let key): Array(key.rawRepresentation)
        case .p384(let key): Array(key.rawRepresentation)
        case .p521(let key): Array(key.rawRepresentation)
        }
    }

    /// Whether it is a key of a suite.
    func fits(_ algorithms: Algorithms) -> Bool {
        switch (key, algorithms.curve) {
        case (.ed25519, .x25519), (.p256, .p256), (.p384, .p384), (.p521, .p521): true
        default: false
        }
    }

    func signature(of bytes: [UInt8]) throws(MLSError) -> [UInt8] {
        do {
            return switch key {
            case .ed25519(let key): Array(try key.signature(for: bytes))
            case .p256(let key): Array(try key.signature(for: bytes).derRepresentation)
            case .p384(let key): Array(try key.signature(for: bytes).derRepresentation)
            case .p521(let key): Array(try key.signature(for: bytes).derRepresentation)
            }
        } catch {
            throw MLSError(.invalidKey, "the key does not sign")
        }
    }
}
