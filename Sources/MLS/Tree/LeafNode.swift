/// A span of time in which a key package may be used.
///
/// Unit: seconds since 1970. Source: RFC 9420 §7.2.
public struct Lifetime: MLSCodable, Hashable, Sendable {
    /// The first second.
    public let notBefore: UInt64
    /// The last second.
    public let notAfter: UInt64

    /// A span of time.
    public init(notBefore: UInt64, notAfter: UInt64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Reads both ends.
    public init(from reader: inout Reader) throws(MLSError) {
        notBefore = try reader.integer()
        notAfter = try reader.integer()
    }

    /// Appends both ends.
    public func write(to writer: inout Writer) {
        writer.integer(notBefore)
        writer.integer(notAfter)
    }

    func contains(_ second: UInt64) -> Bool { notBefore <= second && second <= notAfter }

    func checkSpan(upTo maximum: UInt64?) throws(MLSError) {
        guard notBefore <= notAfter, notAfter - notBefore <= maximum ?? .max else {
            throw MLSError(.invalidLeafNode, "its lifetime is too long, or ends before it starts")
        }
    }
}

/// How a leaf came into the tree, and what that kind of leaf carries.
///
/// Source: RFC 9420 §7.2.
public enum LeafNodeSource: Hashable, Sendable {
    /// In a key package.
    case keyPackage(Lifetime)
    /// In an Update proposal.
    case update
    /// In the path of a commit.
    case commit(parentHash: [UInt8])
}

/// A member of the group: keys, identity, and what they support.
///
/// Source: RFC 9420 §7.2.
public struct LeafNode: MLSCodable, Hashable, Sendable {
    /// The key path secrets are encrypted to.
    public let encryptionKey: HPKEPublicKey
    /// The key that verifies the member's messages.
    public let signatureKey: SignaturePublicKey
    /// Who the member is.
    public let credential: Credential
    /// What the member supports.
    public let capabilities: Capabilities
    /// How the leaf came into the tree.
    public let source: LeafNodeSource
    /// Anything else about the member.
    public let extensions: [Extension]
    var signature: [UInt8]

    init(
        encryptionKey: HPKEPublicKey, signatureKey: SignaturePublicKey, credential: Credential,
        capabilities: Capabilities, source: LeafNodeSource, extensions: [Extension], signature: [UInt8] = []
    ) {
        self.encryptionKey = encryptionKey
        self.signatureKey = signatureKey
        self.credential = credential
        self.capabilities = capabilities
        self.source = source
        self.extensions = extensions
        self.signature = signature
    }

    /// Reads a leaf.
    public init(from reader: inout Reader) throws(MLSError) {
        encryptionKey = try HPKEPublicKey(from: &reader)
        signatureKey = try SignaturePublicKey(from: &reader)
        credential = try Credential(from: &reader)
        capabilities = try Capabilities(from: &reader)
        switch try reader.integer(UInt8.self) {
        case 1: source = .keyPackage(try Lifetime(from: &reader))
        case 2: source = .update
        case 3: source = .commit(parentHash: try reader.opaque())
        default: throw MLSError(.malformed, "an unknown source of a leaf")
        }
        extensions = try reader.vector()
        signature = try reader.opaque()
    }

    /// Appends the leaf.
    public func write(to writer: inout Writer) {
        writeUnsigned(to: &writer)
        writer.opaque(signature)
    }

    private func writeUnsigned(to writer: inout Writer) {
        encryptionKey.write(to: &writer)
        signatureKey.write(to: &writer)
        credential.write(to: &writer)
        capabilities.write(to: &writer)
        switch source {
        case .keyPackage(let lifetime):
            writer.integer(UInt8(1))
            lifetime.write(to: &writer)
        case .update: writer.integer(UInt8(2))
        case .commit(let parentHash):
            writer.integer(UInt8(3))
            writer.opaque(parentHash)
        }
        writer.vector(extensions)
    }

    /// That of the key package it comes from.
    var lifetime: Lifetime? { if case .keyPackage(let lifetime) = source { lifetime } else { nil } }

    /// `LeafNodeTBS`: what the member signs; leaves outside key packages name their group and place.
    func toBeSigned(groupID: [UInt8], at leaf: LeafIndex) -> [UInt8] {
        var writer = Writer()
        writeUnsigned(to: &writer)
        if case .keyPackage = source { return writer.bytes }
        writer.opaque(groupID)
        leaf.write(to: &writer)
        return writer.bytes
    }
}
