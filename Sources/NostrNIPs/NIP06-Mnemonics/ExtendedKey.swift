internal import Crypto
internal import Foundation
internal import NostrCore

/// A secret key that has children: the key and the chain code that makes them unguessable.
///
/// Wiped on release. Source: BIP-32.
struct ExtendedKey: ~Copyable {
    /// One step down the tree.
    enum Step: Hashable {
        /// Below 2^31; the child's public key could be derived from the parent's.
        case normal(UInt32)
        /// Below 2^31; needs the parent's secret key.
        case hardened(UInt32)
    }

    let key: SecretKey
    private let chainCode: SecretBytes

    /// The root of the tree.
    ///
    /// - Parameter seed: 16 to 64 bytes.
    /// - Throws: ``/NostrCore/SecretKeyError`` with one chance in 2^127.
    init(seed: Span<UInt8>) throws(SecretKeyError) {
        let digest = Self.digest(of: seed, key: SymmetricKey(data: Array("Bitcoin seed".utf8)))
        key = try digest.withBytes { (bytes) throws(SecretKeyError) in try SecretKey(bytes.extracting(0..<32)) }
        chainCode = digest.withBytes { SecretBytes($0.extracting(32..<64)) }
    }

    private init(key: consuming SecretKey, chainCode: consuming SecretBytes) {
        self.key = key
        self.chainCode = chainCode
    }

    /// A child.
    ///
    /// - Throws: ``/NostrCore/SecretKeyError`` for a number from 2^31 on, and with one chance in 2^127.
    borrowing func child(_ step: Step) throws(SecretKeyError) -> ExtendedKey {
        var data: [UInt8] = []
        defer { for i in data.indices { data[i] = 0 } }
        switch step {
        case .normal(let number):
            guard number < 1 << 31 else { throw .notASecretKey }
            data = key.compressedPublicKey() + Self.bigEndian(number)
        case .hardened(let number):
            guard number < 1 << 31 else { throw .notASecretKey }
            data = [0]
            data.reserveCapacity(37)
            key.withBytes { bytes in
                for i in bytes.indices { data.append(bytes[i]) }
            }
            data += Self.bigEndian(number | 1 << 31)
        }
        let chain = chainCode.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
        let digest = Self.digest(of: data.span, key: chain)
        let child = try digest.withBytes { (bytes) throws(SecretKeyError) in
            try key.adding(bytes.extracting(0..<32))
        }
        return ExtendedKey(key: child, chainCode: digest.withBytes { SecretBytes($0.extracting(32..<64)) })
    }

    /// The key at the end of a path.
    consuming func descendant(_ path: [Step]) throws(SecretKeyError) -> SecretKey {
        var current = self
        for step in path { current = try current.child(step) }
        return try current.key.withBytes { (bytes) throws(SecretKeyError) in try SecretKey(bytes) }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// HMAC-SHA512.
    private static func digest(of data: Span<UInt8>, key: SymmetricKey) -> SecretBytes {
        var mac = HMAC<SHA512>(key: key)
        unsafe data.withUnsafeBytes { bytes in unsafe mac.update(data: bytes) }
        return secretCopy(of: mac.finalize(), count: 64)
    }
}

/// The bytes of something of swift-crypto's, in memory that is wiped.
func secretCopy(of source: some ContiguousBytes, count: Int) -> SecretBytes {
    SecretBytes(count: count) { span in
        unsafe source.withUnsafeBytes { bytes in
            for i in 0..<min(count, bytes.count) { span[i] = unsafe bytes[i] }
        }
    }
}
