internal import Secp256k1

extension SecretKey {
    /// The public key with the parity of its y coordinate, as key derivation hashes it.
    ///
    /// Shape: 33 bytes. Source: SEC 1 §2.3.3, BIP-32.
    package borrowing func compressedPublicKey() -> [UInt8] {
        do {
            return try withBytes { (bytes) throws(CurveError) in try SigningKey.compressedPublicKey(of: bytes) }
        } catch {
            preconditionFailure("a valid secret key has a public key: \(error)")
        }
    }

    /// The sum of this key and a tweak, modulo the order of the curve.
    ///
    /// - Parameter tweak: 32 bytes.
    /// - Throws: ``SecretKeyError/wrongLength(got:)``, or ``SecretKeyError/notASecretKey`` with one chance in 2^127.
    package borrowing func adding(_ tweak: Span<UInt8>) throws(SecretKeyError) -> SecretKey {
        guard tweak.count == 32 else { throw .wrongLength(got: tweak.count) }
        let sum: SecretBytes
        do throws(CurveError) {
            sum = try SecretBytes(count: 32) { (span) throws(CurveError) in
                withBytes { own in
                    for i in own.indices { span[i] = own[i] }
                }
                try SigningKey.add(tweak, to: &span)
            }
        } catch {
            throw .notASecretKey
        }
        return try sum.withBytes { (bytes) throws(SecretKeyError) in try SecretKey(bytes) }
    }
}
