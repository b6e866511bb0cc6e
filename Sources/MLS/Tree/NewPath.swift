/// New keys of our own, from our leaf to the root.
///
/// Source: RFC 9420 §7.5.
struct NewPath: Sendable {
    let leafNode: LeafNode
    /// One secret for each node of the filtered direct path, from the leaf up.
    let secrets: [PathSecret]
    let commit: CommitSecret
    let privateTree: PrivateTree
    private let steps: [(node: NodeIndex, copath: NodeIndex)]
    private let keys: [HPKEPublicKey]

    /// Makes new keys and puts their public halves into the tree.
    ///
    /// - Parameter leafNode: our next leaf, made from its new key and its parent hash, and signed.
    init(
        at index: LeafIndex, in tree: inout RatchetTree,
        leafNode make: (HPKEPublicKey, [UInt8]) throws(MLSError) -> LeafNode
    ) throws(MLSError) {
        let algorithms = tree.algorithms
        let leafPair = try algorithms.generateKeyPair()
        steps = tree.filteredDirectPath(of: index)
        var secret = PathSecret(Algorithms.random(algorithms.hashLength))
        var secrets: [PathSecret] = []
        var keys: [HPKEPublicKey] = []
        var own = PrivateTree(index: index, leafKey: leafPair.privateKey)
        for step in steps {
            let pair = try algorithms.nodeKeyPair(secret)
            own.pathKeys[step.node] = pair.privateKey
            keys.append(pair.publicKey)
            secrets.append(secret)
            secret = algorithms.expand(secret, label: "path")
        }
        let parentHash = try tree.setPath(above: index, keys: keys)
        leafNode = try make(leafPair.publicKey, parentHash)
        tree.set(index.node, to: .leaf(leafNode))
        (self.secrets, self.keys, privateTree) = (secrets, keys, own)
        commit = CommitSecret(secret.key)
    }

    /// Encrypts each secret to everybody below the other child, but not to members added by the same commit.
    func encrypted(
        in tree: RatchetTree, newLeaves: Set<LeafIndex>, context: [UInt8]
    ) throws(MLSError) -> UpdatePath {
        let recipients = steps.map { step in
            tree.resolution(of: step.copath).filter { !newLeaves.contains($0) }
                .compactMap { tree[$0]?.encryptionKey }
        }
        let outgoing = zip(secrets, recipients).flatMap { secret, keys in
            keys.map { SecretForRecipient(content: secret, key: $0) }
        }
        var ciphertexts = try tree.algorithms.encrypt(outgoing, label: "UpdatePathNode", context: context)[...]
        var nodes: [UpdatePathNode] = []
        for (key, recipients) in zip(keys, recipients) {
            nodes.append(
                UpdatePathNode(encryptionKey: key, encryptedPathSecrets: Array(ciphertexts.prefix(recipients.count))))
            ciphertexts = ciphertexts.dropFirst(recipients.count)
        }
        return UpdatePath(leafNode: leafNode, nodes: nodes)
    }

    /// The secret to tell a new member: that of the lowest node above both of us.
    func secret(for newLeaf: LeafIndex) -> PathSecret? {
        guard let place = steps.firstIndex(where: { $0.node.isAbove(newLeaf.node) }) else { return nil }
        return secrets.indices.contains(place) ? secrets[place] : nil
    }
}
