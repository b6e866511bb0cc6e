/// What proposals do to the tree.
///
/// Source: RFC 9420 §12.1.1 to §12.1.3.
extension RatchetTree {
    /// Puts a new member in the leftmost free place.
    mutating func add(_ leafNode: LeafNode, after start: LeafIndex = LeafIndex(0)) -> LeafIndex {
        var place = start.position
        while place < size.leaves, leaf(LeafIndex(place)) != nil { place += 1 }
        if place >= size.leaves { extend() }
        let index = LeafIndex(place)
        set(index.node, to: .leaf(leafNode))
        for node in size.directPath(of: index.node) {
            guard var parent = parent(node) else { continue }
            let at = parent.unmergedLeaves.firstIndex { $0 > index } ?? parent.unmergedLeaves.count
            parent.unmergedLeaves.insert(index, at: at)
            set(node, to: .parent(parent))
        }
        return index
    }

    /// Replaces a member's leaf and blanks everything above it.
    mutating func update(_ index: LeafIndex, to leafNode: LeafNode) {
        set(index.node, to: .leaf(leafNode))
        blankDirectPath(of: index)
    }

    /// Blanks a member's leaf and everything above it, and gives back the room on the right that is free.
    mutating func remove(_ index: LeafIndex) {
        set(index.node, to: nil)
        blankDirectPath(of: index)
        truncate()
    }
}
