internal import CSecp256k1

/// Why bytes are not a key, or a curve operation has no result.
public enum CurveError: Error, Equatable, Sendable {
    /// Not 32 bytes.
    case wrongLength(got: Int)
    /// Zero, or not below the order of the curve.
    case notASecretKey
    /// Not the x coordinate of a point on the curve.
    case notAPublicKey
    /// The C library refused for a reason it does not name.
    case refused
}

/// A secret scalar with its public key, ready to sign; wiped on release.
///
/// Shape: 32-byte secret inside libsecp256k1's 96-byte key pair. Source: BIP-340, "Default Signing".
@safe public struct SigningKey: ~Copyable, @unchecked Sendable {
    // Unchecked: the buffer is written in `init` and `deinit` only, and a non-copyable value has one owner for both.
    private let keypair: UnsafeMutablePointer<secp256k1_keypair>

    /// The x-only public key, 32 bytes.
    public let publicKey: [UInt8]

    /// Takes a secret key.
    ///
    /// - Throws: ``CurveError/wrongLength(got:)`` or ``CurveError/notASecretKey``.
    public init(secret: Span<UInt8>) throws(CurveError) {
        guard secret.count == 32 else { throw .wrongLength(got: secret.count) }
        let context = unsafe CurveContext.shared.pointer
        let pair = UnsafeMutablePointer<secp256k1_keypair>.allocate(capacity: 1)
        unsafe pair.initialize(to: secp256k1_keypair())
        let created = unsafe secret.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return Int32(0) }
            return unsafe secp256k1_keypair_create(context, pair, base)
        }
        guard created == 1 else {
            unsafe pair.deallocate()
            throw .notASecretKey
        }
        var point = secp256k1_xonly_pubkey()
        var serialised = [UInt8](repeating: 0, count: 32)
        let exported = unsafe secp256k1_keypair_xonly_pub(context, &point, nil, pair)
        let written = unsafe secp256k1_xonly_pubkey_serialize(context, &serialised, &point)
        guard exported == 1, written == 1 else {
            unsafe wipe(UnsafeMutableRawPointer(pair), count: MemoryLayout<secp256k1_keypair>.size)
            unsafe pair.deallocate()
            throw .refused
        }
        unsafe keypair = pair
        publicKey = serialised
    }

    deinit {
        unsafe wipe(UnsafeMutableRawPointer(keypair), count: MemoryLayout<secp256k1_keypair>.size)
        unsafe keypair.deallocate()
    }

    /// Signs a 32-byte message.
    ///
    /// - Parameters:
    ///   - message: 32 bytes.
    ///   - auxiliary: 32 bytes of randomness (BIP-340 `aux_rand`).
    /// - Returns: 64 bytes, `r ‖ s`.
    /// - Throws: ``CurveError/wrongLength(got:)`` when either is not 32 bytes.
    public borrowing func sign(_ message: [UInt8], auxiliary: [UInt8]) throws(CurveError) -> [UInt8] {
        guard message.count == 32 else { throw .wrongLength(got: message.count) }
        guard auxiliary.count == 32 else { throw .wrongLength(got: auxiliary.count) }
        var signature = [UInt8](repeating: 0, count: 64)
        let signed = unsafe secp256k1_schnorrsig_sign32(
            CurveContext.shared.pointer, &signature, message, keypair, auxiliary)
        guard signed == 1 else { throw .refused }
        return signature
    }

    /// Lends a copy of the 32 secret bytes and wipes it.
    borrowing func withSecret<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R? {
        unsafe withWipedBytes(count: 32) { buffer in
            guard let base = buffer.baseAddress,
                unsafe secp256k1_keypair_sec(CurveContext.shared.pointer, base, keypair) == 1
            else { return nil }
            return unsafe body(base)
        }
    }
}
