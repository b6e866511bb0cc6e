/// The members of a group and the keys above them, as a flat array.
///
/// A tree always has room for a power of two of leaves. Hashes are cached, and forgotten from a changed node
/// up to the root. Each part of §7 (changes, hashes, paths, validation) has a file. Source: RFC 9420 §7.
struct RatchetTree: Sendable {
    private(set) var size: TreeSize
    private var nodes: [Node?]
    var hashes: TreeHashes
    let algorithms: Algorithms

    /// A tree of one member.
    init(_ leaf: LeafNode, _ algorithms: Algorithms) {
        size = TreeSize(holding: 1)
        nodes = [.leaf(leaf)]
        hashes = TreeHashes(nodes: 1, length: algorithms.hashLength)
        self.algorithms = algorithms
    }

    /// A tree from its travelling form; only its shape is checked.
    ///
    /// - Throws: `invalidTree` for no nodes, a blank at the end, or a leaf where a parent belongs.
    init(_ list: NodeList, _ algorithms: Algorithms) throws(MLSError) {
        guard let last = list.nodes.last, last != nil else {
            throw MLSError(.invalidTree, "the last node is blank")
        }
        for (place, node) in list.nodes.enumerated() {
            switch node {
            case .leaf where !place.isMultiple(of: 2), .parent where place.isMultiple(of: 2):
                throw MLSError(.invalidTree, "a leaf and a parent are in each other's place")
            default: break
            }
        }
        size = TreeSize(holding: list.nodes.count / 2 + 1)
        nodes = list.nodes + [Node?](repeating: nil, count: size.nodes - list.nodes.count)
        hashes = TreeHashes(nodes: size.nodes, length: algorithms.hashLength)
        self.algorithms = algorithms
    }

    var list: NodeList { NodeList(nodes) }

    subscript(node: NodeIndex) -> Node? { nodes.indices.contains(node.value) ? nodes[node.value] : nil }

    func leaf(_ leaf: LeafIndex) -> LeafNode? {
        if case .leaf(let node) = self[leaf.node] { node } else { nil }
    }

    func parent(_ node: NodeIndex) -> ParentNode? {
        if case .parent(let parent) = self[node] { parent } else { nil }
    }

    /// The members, left to right.
    var members: [(index: LeafIndex, leaf: LeafNode)] {
        (0..<size.leaves).compactMap { place in leaf(LeafIndex(place)).map { (LeafIndex(place), $0) } }
    }

    mutating func set(_ node: NodeIndex, to value: Node?) {
        guard nodes.indices.contains(node.value) else { return }
        nodes[node.value] = value
        var at: NodeIndex? = node
        while let changed = at {
            hashes.forget(changed)
            at = size.parent(of: changed)
        }
    }

    mutating func blankDirectPath(of leaf: LeafIndex) {
        for node in size.directPath(of: leaf.node) where self[node] != nil { set(node, to: nil) }
    }

    /// The nodes that together cover every member below a node.
    ///
    /// Source: RFC 9420 §4.1.1.
    func resolution(of node: NodeIndex) -> [NodeIndex] {
        var found: [NodeIndex] = []
        collectResolution(of: node, into: &found)
        return found
    }

    private func collectResolution(of node: NodeIndex, into found: inout [NodeIndex]) {
        switch self[node] {
        case .leaf: found.append(node)
        case .parent(let parent):
            found.append(node)
            found += parent.unmergedLeaves.map(\.node)
        case nil:
            guard let left = node.left, let right = node.right else { return }
            collectResolution(of: left, into: &found)
            collectResolution(of: right, into: &found)
        }
    }

    /// Whether nobody is below a node.
    private func isEmpty(_ node: NodeIndex) -> Bool {
        if self[node] != nil { return false }
        guard let left = node.left, let right = node.right else { return true }
        return isEmpty(left) && isEmpty(right)
    }

    /// The nodes above a leaf that a commit gives new keys, each with its child on the other side.
    ///
    /// Source: RFC 9420 §4.1.2.
    func filteredDirectPath(of leaf: LeafIndex) -> [(node: NodeIndex, copath: NodeIndex)] {
        size.directPath(of: leaf.node).compactMap { node in
            guard let children = size.children(of: node, towards: leaf), !isEmpty(children.away) else { return nil }
            return (node, children.away)
        }
    }

    /// Doubles the room.
    mutating func extend() {
        size = TreeSize(holding: size.leaves * 2)
        nodes += [Node?](repeating: nil, count: size.nodes - nodes.count)
        hashes.resize(to: size.nodes)
    }

    /// Halves the room while nobody is in the right half.
    ///
    /// Source: RFC 9420 §7.7.
    mutating func truncate() {
        while size.leaves > 1, let right = size.root.right, isEmpty(right) {
            size = TreeSize(holding: size.leaves / 2)
            nodes.removeLast(nodes.count - size.nodes)
            hashes.resize(to: size.nodes)
        }
    }
}
