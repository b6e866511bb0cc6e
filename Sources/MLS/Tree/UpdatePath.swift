/// A new parent node of a commit, its path secret encrypted to everybody below the other child.
///
/// Source: RFC 9420 §7.6.
struct UpdatePathNode: MLSCodable, Hashable, Sendable {
    let encryptionKey: HPKEPublicKey
    let encryptedPathSecrets: [HPKECiphertext]

    init(encryptionKey: HPKEPublicKey, encryptedPathSecrets: [HPKECiphertext]) {
        self.encryptionKey = encryptionKey
        self.encryptedPathSecrets = encryptedPathSecrets
    }

    init(from reader: inout Reader) throws(MLSError) {
        encryptionKey = try HPKEPublicKey(from: &reader)
        encryptedPathSecrets = try reader.vector()
    }

    func write(to writer: inout Writer) {
        encryptionKey.write(to: &writer)
        writer.vector(encryptedPathSecrets)
    }
}

/// New keys for a committer's leaf and every node above it.
///
/// Source: RFC 9420 §7.6.
struct UpdatePath: MLSCodable, Hashable, Sendable {
    let leafNode: LeafNode
    let nodes: [UpdatePathNode]

    init(leafNode: LeafNode, nodes: [UpdatePathNode]) {
        self.leafNode = leafNode
        self.nodes = nodes
    }

    init(from reader: inout Reader) throws(MLSError) {
        leafNode = try LeafNode(from: &reader)
        nodes = try reader.vector()
    }

    func write(to writer: inout Writer) {
        leafNode.write(to: &writer)
        writer.vector(nodes)
    }
}
