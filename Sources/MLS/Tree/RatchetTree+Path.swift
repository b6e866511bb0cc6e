/// The public half of a commit's new keys.
///
/// Source: RFC 9420 §7.5, §7.9.
extension RatchetTree {
    /// Gives the nodes above a leaf new keys.
    ///
    /// - Parameter keys: one for each node of the filtered direct path, from the leaf up.
    /// - Returns: the parent hash for the leaf.
    /// - Throws: `invalidCommit` for another number of keys.
    mutating func setPath(above leaf: LeafIndex, keys: [HPKEPublicKey]) throws(MLSError) -> [UInt8] {
        let path = filteredDirectPath(of: leaf)
        guard path.count == keys.count else {
            throw MLSError(.invalidCommit, "the path has \(keys.count) nodes instead of \(path.count)")
        }
        blankDirectPath(of: leaf)
        var parentHash: [UInt8] = []
        for (step, key) in zip(path, keys).reversed() {
            let parent = ParentNode(encryptionKey: key, parentHash: parentHash)
            set(step.node, to: .parent(parent))
            parentHash = self.parentHash(of: parent, sibling: step.copath)
        }
        return parentHash
    }

    /// Merges the path of somebody's commit.
    ///
    /// - Throws: `invalidCommit` for a path of another length, or a leaf with another parent hash.
    mutating func merge(_ path: UpdatePath, from leaf: LeafIndex) throws(MLSError) {
        let parentHash = try setPath(above: leaf, keys: path.nodes.map(\.encryptionKey))
        guard case .commit(parentHash) = path.leafNode.source else {
            throw MLSError(.invalidCommit, "the leaf of a path has another parent hash")
        }
        set(leaf.node, to: .leaf(path.leafNode))
    }
}
