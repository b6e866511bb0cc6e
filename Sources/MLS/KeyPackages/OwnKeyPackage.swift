/// A key package of our own with its private keys, to be kept until a Welcome uses it.
///
/// Source: RFC 9420 §10.
public struct OwnKeyPackage: Sendable {
    /// What is published.
    public let keyPackage: KeyPackage
    let initKey: HPKEPrivateKey
    let leafKey: HPKEPrivateKey
    package let signer: SignaturePrivateKey

    /// A new key package.
    ///
    /// - Parameters:
    ///   - capabilities: what we support; the published ones have meaningless numbers among them as `grease` says.
    /// - Throws: `unsupported` for the suite.
    public init(
        cipherSuite: CipherSuite, signer: SignaturePrivateKey, credential: Credential,
        capabilities: Capabilities = Capabilities(), lifetime: Lifetime, leafExtensions: [Extension] = [],
        extensions: [Extension] = [], grease: GREASE = .capabilities
    ) throws(MLSError) {
        var random = SystemRandomNumberGenerator()
        try self.init(
            cipherSuite: cipherSuite, signer: signer, credential: credential, capabilities: capabilities,
            lifetime: lifetime, leafExtensions: leafExtensions, extensions: extensions, grease: grease, random: &random)
    }

    /// A new key package whose meaningless numbers, but not its keys, come from a given source of randomness.
    ///
    /// - Throws: `unsupported` for the suite.
    public init(
        cipherSuite: CipherSuite, signer: SignaturePrivateKey, credential: Credential,
        capabilities: Capabilities = Capabilities(), lifetime: Lifetime, leafExtensions: [Extension] = [],
        extensions: [Extension] = [], grease: GREASE, random: inout some RandomNumberGenerator
    ) throws(MLSError) {
        let algorithms = try Algorithms(cipherSuite)
        var (capabilities, leafExtensions, extensions) = (capabilities, leafExtensions, extensions)
        if grease != .none { capabilities = capabilities.greased(&random) }
        if grease == .everywhere {
            leafExtensions = leafExtensions.greased(&random)
            extensions = extensions.greased(&random)
            let missing = (leafExtensions + extensions).map(\.type).filter { !capabilities.supports($0) }
            capabilities.extensions += Set(missing).sorted { $0.rawValue < $1.rawValue }
        }
        let (initPair, leafPair) = (try algorithms.generateKeyPair(), try algorithms.generateKeyPair())
        var leaf = LeafNode(
            encryptionKey: leafPair.publicKey, signatureKey: signer.publicKey, credential: credential,
            capabilities: capabilities, source: .keyPackage(lifetime), extensions: leafExtensions)
        leaf.signature = try algorithms.sign(
            leaf.toBeSigned(groupID: [], at: LeafIndex(0)), label: "LeafNodeTBS", key: signer)
        var package = KeyPackage(
            cipherSuite: cipherSuite, initKey: initPair.publicKey, leafNode: leaf, extensions: extensions)
        package.signature = try algorithms.sign(package.toBeSigned, label: "KeyPackageTBS", key: signer)
        keyPackage = package
        (initKey, leafKey, self.signer) = (initPair.privateKey, leafPair.privateKey, signer)
    }

    /// A key package from storage.
    ///
    /// - Parameters:
    ///   - initKey: the private half of `init_key`.
    ///   - leafKey: the private half of the leaf's `encryption_key`.
    /// - Throws: `invalidKey` if a private key does not belong to the package.
    public init(
        keyPackage: KeyPackage, initKey: [UInt8], leafKey: [UInt8], signer: SignaturePrivateKey
    ) throws(MLSError) {
        let algorithms = try Algorithms(keyPackage.cipherSuite)
        self.keyPackage = keyPackage
        self.initKey = HPKEPrivateKey(algorithms.fullWidth(initKey))
        self.leafKey = HPKEPrivateKey(algorithms.fullWidth(leafKey))
        self.signer = signer
        guard try algorithms.publicKey(of: self.initKey) == keyPackage.initKey,
            try algorithms.publicKey(of: self.leafKey) == keyPackage.leafNode.encryptionKey,
            signer.publicKey == keyPackage.leafNode.signatureKey
        else { throw MLSError(.invalidKey, "a private key does not belong to the key package") }
    }
}

extension KeyPackage {
    /// The hash by which a Welcome names it.
    public func reference() throws(MLSError) -> KeyPackageRef { try Algorithms(cipherSuite).reference(to: self) }

    /// Checks what can be checked without a group.
    ///
    /// - Parameters:
    ///   - second: the time now, in seconds since 1970; nil leaves the lifetime to the caller.
    ///   - maximumLifetime: how long its lifetime may be, in seconds.
    /// - Throws: `invalidKeyPackage`, `badSignature` or `invalidLeafNode`. Source: RFC 9420 §10.1.
    public func validate(at second: UInt64?, maximumLifetime: UInt64? = nil) throws(MLSError) {
        let algorithms = try Algorithms(cipherSuite)
        guard version == .mls10 else { throw MLSError(.unsupported, "version \(version.rawValue)") }
        guard case .keyPackage(let lifetime) = leafNode.source else {
            throw MLSError(.invalidLeafNode, "a leaf that is not for a key package")
        }
        guard initKey != leafNode.encryptionKey else {
            throw MLSError(.invalidKeyPackage, "one key serves twice")
        }
        guard algorithms.isKey(initKey) else {
            throw MLSError(.invalidKeyPackage, "its init key is none of the suite")
        }
        if let second, !lifetime.contains(second) { throw MLSError(.invalidLeafNode, "out of its lifetime") }
        try lifetime.checkSpan(upTo: maximumLifetime)
        try extensions.checkInKeyPackage()
        guard algorithms.isValid(signature, of: toBeSigned, label: "KeyPackageTBS", key: leafNode.signatureKey) else {
            throw MLSError(.badSignature, "of a key package")
        }
        try leafNode.validate(groupID: [], at: LeafIndex(0), algorithms)
    }
}
