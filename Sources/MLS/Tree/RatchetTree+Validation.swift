/// What must hold in every tree.
///
/// Source: RFC 9420 §7.3, §12.4.3.1.
extension RatchetTree {
    /// Checks a whole tree before joining by it, in one pass over the leaves and one over the parents.
    ///
    /// - Throws: `invalidTree`, `invalidLeafNode` or `badSignature`.
    mutating func validate(context: GroupContext) throws(MLSError) {
        guard rootHash() == context.treeHash else { throw MLSError(.invalidTree, "another tree hash") }
        let requirements = try GroupRequirements(context.extensions)
        for (index, leaf) in members {
            try leaf.validate(groupID: context.groupID, at: index, algorithms)
            try requirements.check(leaf)
        }
        try requireUniqueKeys()
        try requireSharedCredentials()
        try requireSoundParents()
        guard parentHashesAreValid() else { throw MLSError(.invalidTree, "a parent hash does not match") }
    }

    /// Checks the lifetimes of the members of a group we join.
    ///
    /// - Parameter own: our leaf; it needs no proof to ourselves, and we may be about to replace it.
    /// - Throws: `invalidLeafNode`. Source: RFC 9420 §7.2, §7.3.
    func checkLifetimes(besides own: LeafIndex?, _ policy: any GroupPolicy) throws(MLSError) {
        let now = policy.now
        for (index, leaf) in members where index != own {
            guard let lifetime = leaf.lifetime else { continue }
            try lifetime.checkSpan(upTo: policy.maximumLifetime)
            if let now, !lifetime.contains(now), !policy.joins(inSpiteOf: leaf) {
                throw MLSError(.invalidLeafNode, "out of its lifetime")
            }
        }
    }

    /// No two members share a key, and no two nodes.
    ///
    /// - Parameter initKeys: of key packages that enter; they serve nowhere else.
    func requireUniqueKeys(besides initKeys: [HPKEPublicKey] = []) throws(MLSError) {
        var encryption = Set(initKeys.map(\.bytes))
        guard encryption.count == initKeys.count else {
            throw MLSError(.invalidKeyPackage, "two key packages have one init key")
        }
        var signature: Set<[UInt8]> = []
        for place in 0..<size.nodes {
            guard let node = self[NodeIndex(place)] else { continue }
            guard encryption.insert(node.encryptionKey.bytes).inserted else {
                throw MLSError(.invalidTree, "two nodes have one encryption key")
            }
            guard case .leaf(let leaf) = node else { continue }
            guard signature.insert(leaf.signatureKey.bytes).inserted else {
                throw MLSError(.invalidTree, "two leaves have one signature key")
            }
        }
    }

    /// The keys of a path are in no node yet, not even in those it replaces.
    ///
    /// - Parameters:
    ///   - sender: whose leaf may keep its signature key.
    ///   - isThere: whether the leaf of the path is in its place already, after an external join.
    /// - Throws: `invalidCommit`. Source: RFC 9420 §12.4.2.
    func requireNewKeys(_ path: UpdatePath, from sender: LeafIndex, isThere: Bool) throws(MLSError) {
        let keys = path.nodes.map(\.encryptionKey) + [path.leafNode.encryptionKey]
        guard keys.allSatisfy(algorithms.isKey) else {
            throw MLSError(.invalidCommit, "a key of a path is none of the suite")
        }
        let new = Set(keys)
        guard new.count == keys.count else { throw MLSError(.invalidCommit, "a path has one key twice") }
        for place in 0..<size.nodes where !isThere || place != sender.node.value {
            guard let node = self[NodeIndex(place)] else { continue }
            guard !new.contains(node.encryptionKey) else {
                throw MLSError(.invalidCommit, "a key of a path is not new")
            }
            guard place != sender.node.value, case .leaf(let leaf) = node else { continue }
            guard leaf.signatureKey != path.leafNode.signatureKey else {
                throw MLSError(.invalidCommit, "two leaves have one signature key")
            }
        }
    }

    /// Every member supports the credentials of all.
    func requireSharedCredentials() throws(MLSError) {
        let members = members
        let types = Set(members.map(\.leaf.credential.type))
        guard members.allSatisfy({ types.isSubset(of: $0.leaf.capabilities.credentials) }) else {
            throw MLSError(.invalidLeafNode, "a member does not support a credential in use")
        }
    }

    /// Keys are of the suite; unmerged leaves rise, exist, and are known to every parent between.
    func requireSoundParents() throws(MLSError) {
        for place in stride(from: 1, to: size.nodes, by: 2) {
            let node = NodeIndex(place)
            guard let parent = parent(node) else { continue }
            guard algorithms.isKey(parent.encryptionKey) else {
                throw MLSError(.invalidTree, "the key of a parent is none of the suite")
            }
            guard zip(parent.unmergedLeaves, parent.unmergedLeaves.dropFirst()).allSatisfy(<) else {
                throw MLSError(.invalidTree, "unmerged leaves do not rise")
            }
            for index in parent.unmergedLeaves {
                guard node.leaves.contains(index.position), leaf(index) != nil else {
                    throw MLSError(.invalidTree, "an unmerged leaf is blank or elsewhere")
                }
                for between in size.directPath(of: index.node).prefix(while: { $0 != node }) {
                    guard self.parent(between)?.unmergedLeaves.contains(index) ?? true else {
                        throw MLSError(.invalidTree, "a parent does not know an unmerged leaf")
                    }
                }
            }
        }
    }
}
