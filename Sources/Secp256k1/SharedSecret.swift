internal import CSecp256k1

extension SigningKey {
    /// Writes the x coordinate of the shared point of this key and another person's: 32 bytes, not hashed.
    ///
    /// Of the two points with the other's x coordinate the one with even y is taken; both give the same x.
    ///
    /// - Parameters:
    ///   - publicKey: 32 bytes, the other's x coordinate.
    ///   - output: 32 bytes to write to; the caller wipes them.
    /// - Throws: ``CurveError/wrongLength(got:)`` for either, or ``CurveError/notAPublicKey``.
    ///
    /// Source: NIP-44, "conversation key"; SEC 1 §3.3.1.
    public borrowing func sharedX(
        with publicKey: Span<UInt8>, into output: inout MutableSpan<UInt8>
    ) throws(CurveError) {
        guard publicKey.count == 32 else { throw .wrongLength(got: publicKey.count) }
        guard output.count == 32 else { throw .wrongLength(got: output.count) }
        var compressed = [UInt8](repeating: 2, count: 33)
        for i in 0..<32 { compressed[i + 1] = publicKey[i] }
        let context = unsafe CurveContext.shared.pointer
        var point = secp256k1_pubkey()
        guard unsafe secp256k1_ec_pubkey_parse(context, &point, compressed, 33) == 1 else { throw .notAPublicKey }
        let made = try unsafe output.withUnsafeMutableBufferPointer { (out) throws(CurveError) in
            try withSecret { secret in
                unsafe secret.withUnsafeBufferPointer { scalar in
                    guard let x = out.baseAddress, let k = scalar.baseAddress else { return Int32(0) }
                    return unsafe secp256k1_ecdh(context, x, &point, k, copyX, nil)
                }
            }
        }
        guard made == 1 else { throw .refused }
    }
}

/// What libsecp256k1 calls instead of hashing the shared point: keeps x as it is.
private func copyX(
    _ output: UnsafeMutablePointer<UInt8>?, _ x: UnsafePointer<UInt8>?, _ y: UnsafePointer<UInt8>?,
    _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let output = unsafe output, let x = unsafe x else { return 0 }
    unsafe output.update(from: x, count: 32)
    return 1
}
