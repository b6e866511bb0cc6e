/// A node above the leaves.
///
/// Source: RFC 9420 §7.1.
struct ParentNode: MLSCodable, Hashable, Sendable {
    let encryptionKey: HPKEPublicKey
    let parentHash: [UInt8]
    /// Leaves below that do not know the private key, in rising order.
    var unmergedLeaves: [LeafIndex]

    init(encryptionKey: HPKEPublicKey, parentHash: [UInt8], unmergedLeaves: [LeafIndex] = []) {
        self.encryptionKey = encryptionKey
        self.parentHash = parentHash
        self.unmergedLeaves = unmergedLeaves
    }

    init(from reader: inout Reader) throws(MLSError) {
        encryptionKey = try HPKEPublicKey(from: &reader)
        parentHash = try reader.opaque()
        unmergedLeaves = try reader.vector()
    }

    func write(to writer: inout Writer) {
        encryptionKey.write(to: &writer)
        writer.opaque(parentHash)
        writer.vector(unmergedLeaves)
    }
}

/// A node of a ratchet tree that is not blank; boxed, so that copying a tree copies one word a node.
///
/// Source: RFC 9420 §12.4.3.3.
indirect enum Node: MLSCodable, Hashable, Sendable {
    case leaf(LeafNode)
    case parent(ParentNode)

    init(from reader: inout Reader) throws(MLSError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .leaf(try LeafNode(from: &reader))
        case 2: self = .parent(try ParentNode(from: &reader))
        default: throw MLSError(.malformed, "a node is neither leaf nor parent")
        }
    }

    func write(to writer: inout Writer) {
        switch self {
        case .leaf(let leaf):
            writer.integer(UInt8(1))
            leaf.write(to: &writer)
        case .parent(let parent):
            writer.integer(UInt8(2))
            parent.write(to: &writer)
        }
    }

    var encryptionKey: HPKEPublicKey {
        switch self {
        case .leaf(let leaf): leaf.encryptionKey
        case .parent(let parent): parent.encryptionKey
        }
    }
}
