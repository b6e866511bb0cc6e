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
public struct SigningKey: ~Copyable, Sendable {
    private let keypair: WipedMemory

    /// The x-only public key, 32 bytes.
    public let publicKey: [UInt8]

    /// Makes the pair of a secret key; the caller's copy of it stays the caller's to wipe.
    ///
    /// - Throws: ``CurveError/wrongLength(got:)`` or ``CurveError/notASecretKey``.
    public init(secret: Span<UInt8>) throws(CurveError) {
        try self.init(secret: secret, memory: WipedMemory(count: MemoryLayout<secp256k1_keypair>.size))
    }

    /// The same in memory of the caller's, so that tests see it wiped.
    package init(secret: Span<UInt8>, memory: consuming WipedMemory) throws(CurveError) {
        guard secret.count == 32 else { throw .wrongLength(got: secret.count) }
        let context = unsafe CurveContext.shared.pointer
        var pair = memory
        let created = unsafe secret.withUnsafeBufferPointer { bytes in
            pair.withMutableBytes { span in
                guard let base = bytes.baseAddress else { return Int32(0) }
                return unsafe withKeypair(in: &span) { unsafe secp256k1_keypair_create(context, $0, base) }
            }
        }
        guard created == 1 else { throw .notASecretKey }
        var point = secp256k1_xonly_pubkey()
        var serialised = [UInt8](repeating: 0, count: 32)
        let exported = pair.withBytes { span in
            unsafe withKeypair(in: span) { unsafe secp256k1_keypair_xonly_pub(context, &point, nil, $0) }
        }
        guard exported == 1, unsafe secp256k1_xonly_pubkey_serialize(context, &serialised, &point) == 1 else {
            throw .refused
        }
        keypair = pair
        publicKey = serialised
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
        let signed = keypair.withBytes { span in
            unsafe withKeypair(in: span) {
                unsafe secp256k1_schnorrsig_sign32(CurveContext.shared.pointer, &signature, message, $0, auxiliary)
            }
        }
        guard signed == 1 else { throw .refused }
        return signature
    }

    /// Lends a copy of the 32 secret bytes and wipes it.
    borrowing func withSecret<R>(_ body: (Span<UInt8>) -> R) throws(CurveError) -> R {
        var secret = WipedMemory(count: 32)
        let copied = keypair.withBytes { span in
            secret.withMutableBytes { out in
                unsafe withKeypair(in: span) { pair in
                    unsafe out.withUnsafeMutableBufferPointer { bytes in
                        guard let base = bytes.baseAddress else { return Int32(0) }
                        return unsafe secp256k1_keypair_sec(CurveContext.shared.pointer, base, pair)
                    }
                }
            }
        }
        guard copied == 1 else { throw .refused }
        return secret.withBytes(body)
    }
}

/// Lends memory of the right size as libsecp256k1's type, whose alignment is that of a byte.
private func withKeypair(
    in span: inout MutableSpan<UInt8>, _ body: (UnsafeMutablePointer<secp256k1_keypair>) -> Int32
) -> Int32 {
    unsafe span.withUnsafeMutableBufferPointer { bytes in
        guard let base = bytes.baseAddress, bytes.count == MemoryLayout<secp256k1_keypair>.size else { return 0 }
        return unsafe base.withMemoryRebound(to: secp256k1_keypair.self, capacity: 1, body)
    }
}

/// Lends memory of the right size as libsecp256k1's type, only to read.
private func withKeypair(in span: Span<UInt8>, _ body: (UnsafePointer<secp256k1_keypair>) -> Int32) -> Int32 {
    unsafe span.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress, bytes.count == MemoryLayout<secp256k1_keypair>.size else { return 0 }
        return unsafe base.withMemoryRebound(to: secp256k1_keypair.self, capacity: 1, body)
    }
}
