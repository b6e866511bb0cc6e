internal import CSecp256k1

extension SigningKey {
    /// Signs a 32-byte message by ECDSA so that the key can be found from the signature, as Lightning's invoices are.
    ///
    /// - Returns: 65 bytes, `r ‖ s` and which of the possible keys it was.
    /// - Throws: ``CurveError/wrongLength(got:)`` when the message is not 32 bytes.
    public borrowing func signRecoverably(_ message: [UInt8]) throws(CurveError) -> [UInt8] {
        guard message.count == 32 else { throw .wrongLength(got: message.count) }
        var signature = secp256k1_ecdsa_recoverable_signature()
        var out = [UInt8](repeating: 0, count: 65)
        var recovery: Int32 = 0
        let context = unsafe CurveContext.shared.pointer
        let isSigned = try withSecret { secret in
            unsafe secret.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return false }
                return unsafe secp256k1_ecdsa_sign_recoverable(context, &signature, message, base, nil, nil) == 1
            }
        }
        guard isSigned,
            unsafe secp256k1_ecdsa_recoverable_signature_serialize_compact(context, &out, &recovery, &signature) == 1
        else { throw .refused }
        out[64] = UInt8(truncatingIfNeeded: recovery)
        return out
    }
}
