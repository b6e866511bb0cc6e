/// The private keys one member knows: their leaf's, and those of nodes above it.
///
/// Source: RFC 9420 §7.4.
struct PrivateTree: Sendable {
    let index: LeafIndex
    var leafKey: HPKEPrivateKey
    var pathKeys: [NodeIndex: HPKEPrivateKey] = [:]

    init(index: LeafIndex, leafKey: HPKEPrivateKey) {
        self.index = index
        self.leafKey = leafKey
    }

    private func key(of node: NodeIndex) -> HPKEPrivateKey? { node == index.node ? leafKey : pathKeys[node] }

    /// Forgets the keys of nodes that are blank by now.
    mutating func forgetBlanks(in tree: RatchetTree) {
        pathKeys = pathKeys.filter { tree.parent($0.key) != nil && $0.key.isAbove(index.node) }
    }

    /// Takes in a path secret and all that follow from it.
    ///
    /// - Parameter nodes: the nodes from the secret's own to the root, those without key left out.
    /// - Returns: the `commit_secret`.
    /// - Throws: `invalidCommit` if a key that follows is not the one in the tree.
    mutating func learn(
        _ secret: PathSecret, nodes: [NodeIndex], in tree: RatchetTree
    ) throws(MLSError) -> CommitSecret {
        let algorithms = tree.algorithms
        var secret = secret
        for node in nodes {
            let pair = try algorithms.nodeKeyPair(secret)
            guard tree.parent(node)?.encryptionKey == pair.publicKey else {
                throw MLSError(.invalidCommit, "a path secret does not lead to the key in the tree")
            }
            pathKeys[node] = pair.privateKey
            secret = algorithms.expand(secret, label: "path")
        }
        return CommitSecret(secret.key)
    }

    /// Opens the path of somebody's commit, which the tree has merged.
    ///
    /// - Parameters:
    ///   - newLeaves: members whom the same commit added; nothing is encrypted to them.
    ///   - context: the encoded provisional context.
    /// - Throws: `invalidCommit`, `missingKey` or `decryptionFailed`.
    mutating func open(
        _ path: UpdatePath, from sender: LeafIndex, in tree: RatchetTree, newLeaves: Set<LeafIndex>,
        context: [UInt8]
    ) throws(MLSError) -> (secret: PathSecret, commit: CommitSecret) {
        let steps = tree.filteredDirectPath(of: sender)
        guard let place = steps.firstIndex(where: { $0.node.isAbove(index.node) }), place < path.nodes.count else {
            throw MLSError(.invalidCommit, "a path does not reach us")
        }
        let recipients = tree.resolution(of: steps[place].copath).filter { !newLeaves.contains($0) }
        let ciphertexts = path.nodes[place].encryptedPathSecrets
        guard recipients.count == ciphertexts.count else {
            throw MLSError(.invalidCommit, "a path secret is encrypted to another number of nodes")
        }
        for (recipient, ciphertext) in zip(recipients, ciphertexts) {
            guard let key = key(of: recipient) else { continue }
            let secret = PathSecret(
                try tree.algorithms.decrypt(ciphertext, with: key, label: "UpdatePathNode", context: context))
            let commit = try learn(secret, nodes: steps[place...].map(\.node), in: tree)
            forgetBlanks(in: tree)
            return (secret, commit)
        }
        throw MLSError(.missingKey, "no path secret is encrypted to us")
    }
}

extension Set<LeafIndex> {
    func contains(_ node: NodeIndex) -> Bool { node.isLeaf && contains(node.leaf) }
}

extension Algorithms {
    /// The key pair of a node.
    ///
    /// Source: RFC 9420 §7.4.
    func nodeKeyPair(_ secret: PathSecret) throws(MLSError) -> HPKEKeyPair {
        let node: PathSecret = expand(secret, label: "node")
        return try deriveKeyPair(node)
    }
}
