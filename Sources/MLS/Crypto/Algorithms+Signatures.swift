internal import Crypto

/// Labelled signatures.
///
/// Source: RFC 9420 §5.1.2. ECDSA signatures are in DER.
extension Algorithms {
    func sign(_ content: [UInt8], label: String, key: SignaturePrivateKey) throws(MLSError) -> [UInt8] {
        try key.signature(of: Self.signContent(content, label: label))
    }

    func isValid(
        _ signature: [UInt8], of content: [UInt8], label: String, key: SignaturePublicKey
    ) -> Bool {
        let signed = Self.signContent(content, label: label)
        // A key or signature that does not parse is one that does not verify.
        return (try? verify(signature, of: signed, key: key)) ?? false
    }

    private func verify(_ signature: [UInt8], of signed: [UInt8], key: SignaturePublicKey) throws -> Bool {
        switch curve {
        case .x25519:
            let key = try Curve25519.Signing.PublicKey(rawRepresentation: key.bytes)
            return key.isValidSignature(signature, for: signed)
        case .p256:
            let key = try P256.Signing.PublicKey(x963Representation: key.bytes)
            return key.isValidSignature(try P256.Signing.ECDSASignature(derRepresentation: signature), for: signed)
        case .p384:
            let key = try P384.Signing.PublicKey(x963Representation: key.bytes)
            return key.isValidSignature(try P384.Signing.ECDSASignature(derRepresentation: signature), for: signed)
        case .p521:
            let key = try P521.Signing.PublicKey(x963Representation: key.bytes)
            return key.isValidSignature(try P521.Signing.ECDSASignature(derRepresentation: signature), for: signed)
        }
    }

    private static func signContent(_ content: [UInt8], label: String) -> [UInt8] {
        var writer = Writer()
        writer.opaque(Array("MLS 1.0 \(label)".utf8))
        writer.opaque(content)
        return writer.bytes
    }
}
