internal import CSecp256k1

/// ECDSA over secp256k1, which Lightning signs with; only reading.
public enum ECDSASignature {
    /// Whether a signature is valid for a message under a public key.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, `r ‖ s`, with the low one of both possible `s`; any other is invalid.
    ///   - message: 32 bytes (a SHA-256 digest).
    ///   - publicKey: 33 bytes, compressed.
    public static func isValid(_ signature: Span<UInt8>, message: Span<UInt8>, publicKey: Span<UInt8>) -> Bool {
        guard signature.count == 64, message.count == 32, publicKey.count == 33 else { return false }
        var point = secp256k1_pubkey()
        var parsed = secp256k1_ecdsa_signature()
        return unsafe signature.withUnsafeBufferPointer { sig in
            unsafe message.withUnsafeBufferPointer { msg in
                unsafe publicKey.withUnsafeBufferPointer { key in
                    let context = unsafe CurveContext.shared.pointer
                    guard let sigBase = sig.baseAddress, let msgBase = msg.baseAddress, let keyBase = key.baseAddress,
                        unsafe secp256k1_ec_pubkey_parse(context, &point, keyBase, 33) == 1,
                        unsafe secp256k1_ecdsa_signature_parse_compact(context, &parsed, sigBase) == 1
                    else { return false }
                    return unsafe secp256k1_ecdsa_verify(context, &parsed, msgBase, &point) == 1
                }
            }
        }
    }

    /// The public key, 33 bytes compressed, that made a signature; `nil` where none did.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, `r ‖ s`.
    ///   - recovery: which of the possible keys, 0 to 3.
    ///   - message: 32 bytes (a SHA-256 digest).
    ///
    /// Source: SEC 1, section 4.1.6.
    public static func publicKey(
        recoveredFrom signature: Span<UInt8>, recovery: UInt8, message: Span<UInt8>
    ) -> [UInt8]? {
        guard signature.count == 64, message.count == 32, recovery < 4 else { return nil }
        var parsed = secp256k1_ecdsa_recoverable_signature()
        var point = secp256k1_pubkey()
        let isRecovered = unsafe signature.withUnsafeBufferPointer { sig in
            unsafe message.withUnsafeBufferPointer { msg in
                let context = unsafe CurveContext.shared.pointer
                guard let sigBase = sig.baseAddress, let msgBase = msg.baseAddress,
                    unsafe secp256k1_ecdsa_recoverable_signature_parse_compact(
                        context, &parsed, sigBase, Int32(recovery)) == 1
                else { return false }
                return unsafe secp256k1_ecdsa_recover(context, &point, &parsed, msgBase) == 1
            }
        }
        guard isRecovered else { return nil }
        var out = [UInt8](repeating: 0, count: 33)
        var length = out.count
        let written = unsafe secp256k1_ec_pubkey_serialize(
            CurveContext.shared.pointer, &out, &length, &point, UInt32(SECP256K1_EC_COMPRESSED))
        return written == 1 && length == out.count ? out : nil
    }
}
