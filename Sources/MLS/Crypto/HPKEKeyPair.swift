internal import Crypto

/// The private half of an ``HPKEPublicKey`` (RFC 9420 §5.1.1).
typealias HPKEPrivateKey = Secret<Role.HPKEPrivate>

/// A key pair for encryption.
struct HPKEKeyPair: Sendable {
    let privateKey: HPKEPrivateKey
    let publicKey: HPKEPublicKey
}

/// Key pairs from secrets.
///
/// Source: RFC 9180 §4, §7.1.3.
extension Algorithms {
    /// A new key pair.
    func generateKeyPair() throws(MLSError) -> HPKEKeyPair {
        try deriveKeyPair(Secret<Role.Path>(SymmetricKey(size: SymmetricKeySize(bitCount: hashLength * 8))))
    }

    /// `KEM.DeriveKeyPair`.
    func deriveKeyPair<Role>(_ secret: Secret<Role>) throws(MLSError) -> HPKEKeyPair {
        let root = labeledExtract("dkp_prk", secret)
        guard curve != .x25519 else {
            let key = HPKEPrivateKey(labeledExpand(root, "sk", [], count: 32))
            return HPKEKeyPair(privateKey: key, publicKey: try publicKey(of: key))
        }
        for counter in UInt8.min...UInt8.max {
            let key = candidate(root, counter)
            // A candidate outside the order of the curve is no key; the next one is tried, as RFC 9180 asks.
            if let publicKey = try? publicKey(of: key) { return HPKEKeyPair(privateKey: key, publicKey: publicKey) }
        }
        throw MLSError(.invalidKey, "no key derives from a secret")
    }

    /// The public half of a private key.
    func publicKey(of key: HPKEPrivateKey) throws(MLSError) -> HPKEPublicKey {
        do {
            let bytes: [UInt8] =
                switch curve {
                case .x25519:
                    Array(
                        try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key.key).publicKey.rawRepresentation)
                case .p256:
                    Array(try P256.KeyAgreement.PrivateKey(rawRepresentation: key.key).publicKey.x963Representation)
                case .p384:
                    Array(try P384.KeyAgreement.PrivateKey(rawRepresentation: key.key).publicKey.x963Representation)
                case .p521:
                    Array(try P521.KeyAgreement.PrivateKey(rawRepresentation: key.key).publicKey.x963Representation)
                }
            return HPKEPublicKey(bytes)
        } catch {
            throw MLSError(.invalidKey, "not a private key of the suite")
        }
    }

    private func candidate(_ root: Secret<Role.Path>, _ counter: UInt8) -> HPKEPrivateKey {
        guard curve == .p521 else {
            return HPKEPrivateKey(labeledExpand(root, "candidate", [counter], count: curve == .p256 ? 32 : 48))
        }
        let full = HPKEPrivateKey(labeledExpand(root, "candidate", [counter], count: 66))
        var bytes = full.exposedBytes
        bytes[0] &= 0x01
        defer { for place in bytes.indices { bytes[place] = 0 } }
        return HPKEPrivateKey(bytes)
    }

    private var kemID: [UInt8] {
        let number: UInt8 =
            switch curve {
            case .p256: 0x10
            case .p384: 0x11
            case .p521: 0x12
            case .x25519: 0x20
            }
        return Array("KEM".utf8) + [0, number]
    }

    private func labeledExtract<Role>(_ label: String, _ secret: Secret<Role>) -> Secret<MLS.Role.Path> {
        let prefix = Array("HPKE-v1".utf8) + kemID + Array(label.utf8)
        var bytes = prefix + secret.exposedBytes
        defer { for place in bytes.indices { bytes[place] = 0 } }
        return extract(salt: Secret<MLS.Role.Path>([]), input: Secret<MLS.Role.Path>(bytes))
    }

    private func labeledExpand(
        _ secret: Secret<Role.Path>, _ label: String, _ info: [UInt8], count: Int
    ) -> SymmetricKey {
        let labeled = [UInt8(count >> 8), UInt8(count & 0xff)] + Array("HPKE-v1".utf8) + kemID + Array(label.utf8)
        return expand(secret, info: labeled + info, count: count)
    }
}
