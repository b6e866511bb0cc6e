internal import Crypto

/// Hash, MAC and key derivation.
///
/// Source: RFC 9420 §5.2, §8; RFC 5869.
extension Algorithms {
    func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch hash {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }

    func mac<Role>(_ bytes: [UInt8], key: Secret<Role>) -> [UInt8] {
        switch hash {
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key.key))
        case .sha384: Array(HMAC<SHA384>.authenticationCode(for: bytes, using: key.key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key.key))
        }
    }

    /// Compares in constant time; a tag of another length is refused first.
    func isValid<Role>(mac tag: [UInt8], of bytes: [UInt8], key: Secret<Role>) -> Bool {
        let expected = mac(bytes, key: key)
        guard tag.count == expected.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(tag, expected) { difference |= one ^ other }
        return difference == 0
    }

    /// `KDF.Extract`.
    func extract<Salt, Input, Output>(
        salt: Secret<Salt>, input: Secret<Input>, as _: Secret<Output>.Type = Secret<Output>.self
    ) -> Secret<Output> {
        func run<Function: HashFunction>(_: Function.Type) -> Secret<Output> {
            var hmac = HMAC<Function>(key: salt.key)
            unsafe input.key.withUnsafeBytes { unsafe hmac.update(data: $0) }
            return Secret(SymmetricKey(data: hmac.finalize()))
        }
        return switch hash {
        case .sha256: run(SHA256.self)
        case .sha384: run(SHA384.self)
        case .sha512: run(SHA512.self)
        }
    }

    /// `KDF.Expand`.
    func expand<Input>(_ secret: Secret<Input>, info: [UInt8], count: Int) -> SymmetricKey {
        switch hash {
        case .sha256: HKDF<SHA256>.expand(pseudoRandomKey: secret.key, info: info, outputByteCount: count)
        case .sha384: HKDF<SHA384>.expand(pseudoRandomKey: secret.key, info: info, outputByteCount: count)
        case .sha512: HKDF<SHA512>.expand(pseudoRandomKey: secret.key, info: info, outputByteCount: count)
        }
    }

    /// `ExpandWithLabel`.
    ///
    /// Source: RFC 9420 §8.
    func expand<Input, Output>(
        _ secret: Secret<Input>, label: String, context: [UInt8] = [], count: Int? = nil,
        as _: Secret<Output>.Type = Secret<Output>.self
    ) -> Secret<Output> {
        let count = count ?? hashLength
        var info = Writer()
        info.integer(UInt16(truncatingIfNeeded: count))
        info.opaque(Array("MLS 1.0 \(label)".utf8))
        info.opaque(context)
        return Secret(expand(secret, info: info.bytes, count: count))
    }

    /// `DeriveTreeSecret`.
    ///
    /// Source: RFC 9420 §9.
    func deriveTreeSecret<Input, Output>(
        _ secret: Secret<Input>, label: String, generation: UInt32, count: Int,
        as _: Secret<Output>.Type = Secret<Output>.self
    ) -> Secret<Output> {
        var context = Writer()
        context.integer(generation)
        return expand(secret, label: label, context: context.bytes, count: count)
    }

    /// `RefHash`.
    ///
    /// Source: RFC 9420 §5.2.
    func referenceHash(_ label: String, _ value: [UInt8]) -> [UInt8] {
        var input = Writer()
        input.opaque(Array(label.utf8))
        input.opaque(value)
        return digest(input.bytes)
    }

    func reference(to keyPackage: KeyPackage) -> KeyPackageRef {
        KeyPackageRef(referenceHash("MLS 1.0 KeyPackage Reference", keyPackage.encoded))
    }

    func reference(toProposal content: AuthenticatedContent) -> ProposalRef {
        ProposalRef(referenceHash("MLS 1.0 Proposal Reference", content.encoded))
    }
}
