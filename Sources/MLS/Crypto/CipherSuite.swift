/// A cipher suite by its number, whether this library speaks it or not.
///
/// Source: RFC 9420 §17.1. Suites 4 and 6 need X448 and Ed448, which swift-crypto does not have.
public struct CipherSuite: NamedNumber {
    /// The number in the registry.
    public let rawValue: UInt16

    /// Also a suite that this library cannot use, as others may list it.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// X25519, AES-128-GCM, SHA-256, Ed25519.
    public static let x25519AES128 = CipherSuite(rawValue: 1)
    /// P-256, AES-128-GCM, SHA-256, ECDSA.
    public static let p256AES128 = CipherSuite(rawValue: 2)
    /// X25519, ChaCha20-Poly1305, SHA-256, Ed25519.
    public static let x25519ChaCha20 = CipherSuite(rawValue: 3)
    /// X448, AES-256-GCM, SHA-512, Ed448: not supported.
    public static let x448AES256 = CipherSuite(rawValue: 4)
    /// P-521, AES-256-GCM, SHA-512, ECDSA.
    public static let p521AES256 = CipherSuite(rawValue: 5)
    /// X448, ChaCha20-Poly1305, SHA-512, Ed448: not supported.
    public static let x448ChaCha20 = CipherSuite(rawValue: 6)
    /// P-384, AES-256-GCM, SHA-384, ECDSA.
    public static let p384AES256 = CipherSuite(rawValue: 7)

    /// The suites this library speaks.
    public static let supported: [CipherSuite] = [
        .x25519AES128, .p256AES128, .x25519ChaCha20, .p521AES256, .p384AES256,
    ]
}

/// A version of the protocol; this library speaks one.
public struct ProtocolVersion: NamedNumber {
    /// The number on the wire.
    public let rawValue: UInt16

    /// Also a version that this library does not speak.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// MLS 1.0.
    public static let mls10 = ProtocolVersion(rawValue: 1)
}
