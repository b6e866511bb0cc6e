internal import CSecp256k1

extension SigningKey {
    /// Adds a tweak to a secret key, modulo the order of the curve.
    ///
    /// - Parameters:
    ///   - tweak: 32 bytes, a number below the order.
    ///   - secret: 32 bytes, changed in place; the caller wipes them.
    /// - Throws: ``CurveError/wrongLength(got:)``, or ``CurveError/notASecretKey`` when the tweak is too large or
    ///   the sum is zero: one chance in 2^127.
    ///
    /// Source: BIP-32, "Private parent key → private child key".
    package static func add(_ tweak: Span<UInt8>, to secret: inout MutableSpan<UInt8>) throws(CurveError) {
        guard tweak.count == 32 else { throw .wrongLength(got: tweak.count) }
        guard secret.count == 32 else { throw .wrongLength(got: secret.count) }
        let added = unsafe secret.withUnsafeMutableBufferPointer { scalar in
            unsafe tweak.withUnsafeBufferPointer { number in
                guard let k = scalar.baseAddress, let t = number.baseAddress else { return Int32(0) }
                return unsafe secp256k1_ec_seckey_tweak_add(CurveContext.shared.pointer, k, t)
            }
        }
        guard added == 1 else { throw .notASecretKey }
    }

    /// The public key of a secret key with the parity of its y coordinate: SEC 1's compressed form, 33 bytes.
    ///
    /// - Throws: ``CurveError/wrongLength(got:)`` or ``CurveError/notASecretKey``.
    package static func compressedPublicKey(of secret: Span<UInt8>) throws(CurveError) -> [UInt8] {
        guard secret.count == 32 else { throw .wrongLength(got: secret.count) }
        let context = unsafe CurveContext.shared.pointer
        var point = secp256k1_pubkey()
        let made = unsafe secret.withUnsafeBufferPointer { scalar in
            guard let k = scalar.baseAddress else { return Int32(0) }
            return unsafe secp256k1_ec_pubkey_create(context, &point, k)
        }
        guard made == 1 else { throw .notASecretKey }
        var bytes = [UInt8](repeating: 0, count: 33)
        var count = bytes.count
        guard
            unsafe secp256k1_ec_pubkey_serialize(context, &bytes, &count, &point, UInt32(SECP256K1_EC_COMPRESSED)) == 1
        else { throw .refused }
        return bytes
    }
}
