/// What somebody publishes so that others can add them to groups.
///
/// Source: RFC 9420 §10.
public struct KeyPackage: MLSCodable, Hashable, Sendable {
    /// The version of the protocol it is for.
    public let version: ProtocolVersion
    /// The cipher suite it is for.
    public let cipherSuite: CipherSuite
    /// The key a Welcome is encrypted to.
    public let initKey: HPKEPublicKey
    /// The leaf that enters the tree.
    public let leafNode: LeafNode
    /// Anything else about the package.
    public let extensions: [Extension]
    var signature: [UInt8]

    init(
        cipherSuite: CipherSuite, initKey: HPKEPublicKey, leafNode: LeafNode, extensions: [Extension],
        signature: [UInt8] = []
    ) {
        version = .mls10
        self.cipherSuite = cipherSuite
        self.initKey = initKey
        self.leafNode = leafNode
        self.extensions = extensions
        self.signature = signature
    }

    /// Reads a key package; nothing is verified.
    public init(from reader: inout Reader) throws(MLSError) {
        version = try ProtocolVersion(from: &reader)
        cipherSuite = try CipherSuite(from: &reader)
        initKey = try HPKEPublicKey(from: &reader)
        leafNode = try LeafNode(from: &reader)
        extensions = try reader.vector()
        signature = try reader.opaque()
    }

    /// Appends the key package.
    public func write(to writer: inout Writer) {
        writer.fixed(toBeSigned)
        writer.opaque(signature)
    }

    /// `KeyPackageTBS`.
    var toBeSigned: [UInt8] {
        var writer = Writer()
        version.write(to: &writer)
        cipherSuite.write(to: &writer)
        initKey.write(to: &writer)
        leafNode.write(to: &writer)
        writer.vector(extensions)
        return writer.bytes
    }
}
