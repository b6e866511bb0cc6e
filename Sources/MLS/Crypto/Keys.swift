/// A public key for hybrid encryption, in the form of its KEM.
///
/// Shape: 32 bytes for X25519, an uncompressed point otherwise. Source: RFC 9420 §5.1.1.
public struct HPKEPublicKey: OpaqueValue {
    /// The serialised key.
    public let bytes: [UInt8]

    /// Wraps bytes; whether they are a key shows when they are used.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// A public key for signatures.
///
/// Shape: 32 bytes for Ed25519, an uncompressed point otherwise. Source: RFC 9420 §5.1.1.
public struct SignaturePublicKey: OpaqueValue {
    /// The serialised key.
    public let bytes: [UInt8]

    /// Wraps bytes; whether they are a key shows when they are used.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// A key and a text encrypted to a public key.
///
/// Source: RFC 9420 §7.6.
struct HPKECiphertext: MLSCodable, Hashable, Sendable {
    let kemOutput: [UInt8]
    let ciphertext: [UInt8]

    init(kemOutput: [UInt8], ciphertext: [UInt8]) {
        self.kemOutput = kemOutput
        self.ciphertext = ciphertext
    }

    init(from reader: inout Reader) throws(MLSError) {
        kemOutput = try reader.opaque()
        ciphertext = try reader.opaque()
    }

    func write(to writer: inout Writer) {
        writer.opaque(kemOutput)
        writer.opaque(ciphertext)
    }
}
