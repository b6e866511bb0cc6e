/// Tree hashes and parent hashes.
///
/// Source: RFC 9420 §7.8, §7.9.
extension RatchetTree {
    /// The hash of the whole tree.
    mutating func rootHash() -> [UInt8] { hash(of: size.root) }

    /// The hash of the tree below a node; remembered.
    mutating func hash(of node: NodeIndex) -> [UInt8] {
        if let known = hashes[node] { return known }
        let hash: [UInt8]
        if let left = node.left, let right = node.right {
            hash = parentInputHash(parent(node), left: self.hash(of: left), right: self.hash(of: right))
        } else {
            hash = leafInputHash(leaf(node.leaf), at: node.leaf)
        }
        hashes.remember(hash, of: node)
        return hash
    }

    /// The hash of the tree below a node as it was before some leaves came.
    ///
    /// - Parameter leaves: in rising order.
    private mutating func hash(of node: NodeIndex, without leaves: [LeafIndex]) -> [UInt8] {
        let gone = leaves.filter { node.leaves.contains($0.position) }
        guard !gone.isEmpty else { return hash(of: node) }
        guard let left = node.left, let right = node.right else { return leafInputHash(nil, at: node.leaf) }
        var parent = parent(node)
        parent?.unmergedLeaves.removeAll { gone.contains($0) }
        return parentInputHash(
            parent, left: hash(of: left, without: gone), right: hash(of: right, without: gone))
    }

    private func leafInputHash(_ leaf: LeafNode?, at index: LeafIndex) -> [UInt8] {
        var input = Writer()
        input.integer(UInt8(1))
        index.write(to: &input)
        input.optional(leaf)
        return algorithms.digest(input.bytes)
    }

    private func parentInputHash(_ parent: ParentNode?, left: [UInt8], right: [UInt8]) -> [UInt8] {
        var input = Writer()
        input.integer(UInt8(2))
        input.optional(parent)
        input.opaque(left)
        input.opaque(right)
        return algorithms.digest(input.bytes)
    }

    /// What a child says of its parent; the child on the other side counts as it was when the parent got its key.
    mutating func parentHash(of parent: ParentNode, sibling: NodeIndex) -> [UInt8] {
        var input = Writer()
        parent.encryptionKey.write(to: &input)
        input.opaque(parent.parentHash)
        input.opaque(hash(of: sibling, without: parent.unmergedLeaves))
        return algorithms.digest(input.bytes)
    }

    /// Whether every parent that is not blank is vouched for from below.
    ///
    /// A parent P is, if on one side C of it exactly one node D of the resolution of C is not an unmerged leaf of P,
    /// and D carries the parent hash of P. Source: RFC 9420 §7.9.2.
    mutating func parentHashesAreValid() -> Bool {
        for place in stride(from: 1, to: size.nodes, by: 2) {
            let node = NodeIndex(place)
            guard let parent = parent(node), let left = node.left, let right = node.right else { continue }
            guard
                isVouched(parent, from: left, sibling: right)
                    || isVouched(parent, from: right, sibling: left)
            else { return false }
        }
        return true
    }

    private mutating func isVouched(_ parent: ParentNode, from child: NodeIndex, sibling: NodeIndex) -> Bool {
        let resolution = resolution(of: child)
        let unmerged = Set(parent.unmergedLeaves.filter { child.leaves.contains($0.position) }.map(\.node))
        let others = resolution.filter { !unmerged.contains($0) }
        guard others.count == 1, resolution.count == unmerged.count + 1, let voucher = others.first else {
            return false
        }
        let claimed: [UInt8]
        switch self[voucher] {
        case .parent(let node): claimed = node.parentHash
        case .leaf(let leaf):
            guard case .commit(let hash) = leaf.source else { return false }
            claimed = hash
        case nil: return false
        }
        return claimed == parentHash(of: parent, sibling: sibling)
    }
}
