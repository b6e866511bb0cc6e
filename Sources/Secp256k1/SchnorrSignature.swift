internal import CSecp256k1

/// BIP-340 verification; signing is on ``SigningKey``.
public enum SchnorrSignature {
    /// Whether a signature is valid for a message under an x-only public key.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, `r ‖ s`; any other length is invalid.
    ///   - message: 32 bytes (a SHA-256 digest); any other length is invalid.
    ///   - publicKey: 32 bytes, the x coordinate; any other length, or a value off the curve, is invalid.
    ///
    /// Source: BIP-340, "Verification".
    public static func isValid(
        _ signature: Span<UInt8>, message: Span<UInt8>, publicKey: Span<UInt8>
    ) -> Bool {
        guard signature.count == 64, message.count == 32, publicKey.count == 32 else { return false }
        var point = secp256k1_xonly_pubkey()
        let parsed = unsafe publicKey.withUnsafeBufferPointer { key in
            guard let base = key.baseAddress else { return Int32(0) }
            return unsafe secp256k1_xonly_pubkey_parse(CurveContext.shared.pointer, &point, base)
        }
        guard parsed == 1 else { return false }
        return unsafe signature.withUnsafeBufferPointer { sig in
            unsafe message.withUnsafeBufferPointer { msg in
                guard let sigBase = sig.baseAddress, let msgBase = msg.baseAddress else { return false }
                return unsafe secp256k1_schnorrsig_verify(CurveContext.shared.pointer, sigBase, msgBase, 32, &point)
                    == 1
            }
        }
    }

    /// Whether 32 bytes are the x coordinate of a point on the curve.
    public static func isPublicKey(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == 32 else { return false }
        var point = secp256k1_xonly_pubkey()
        return unsafe bytes.withUnsafeBufferPointer { key in
            guard let base = key.baseAddress else { return false }
            return unsafe secp256k1_xonly_pubkey_parse(CurveContext.shared.pointer, &point, base) == 1
        }
    }
}
