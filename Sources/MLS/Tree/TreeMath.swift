/// The place of a member: leaves count from 0, left to right.
public struct LeafIndex: NamedNumber, Comparable {
    /// The number on the wire.
    public let rawValue: UInt32

    /// The leaf with this number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ index: Int) { rawValue = UInt32(index) }

    var position: Int { Int(rawValue) }
    var node: NodeIndex { NodeIndex(Int(rawValue) * 2) }

    /// Left before right.
    public static func < (one: LeafIndex, other: LeafIndex) -> Bool { one.rawValue < other.rawValue }
}

/// A node in the array form of a tree: leaves at even places, parents at odd ones.
///
/// Source: RFC 9420 appendix C.
struct NodeIndex: Hashable, Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }

    var isLeaf: Bool { value & 1 == 0 }
    var leaf: LeafIndex { LeafIndex(value / 2) }

    /// How far above the leaves.
    var level: Int { (~value).trailingZeroBitCount }

    var left: NodeIndex? { isLeaf ? nil : NodeIndex(value ^ (1 << (level - 1))) }
    var right: NodeIndex? { isLeaf ? nil : NodeIndex(value ^ (3 << (level - 1))) }

    /// The leaves below, as positions.
    var leaves: ClosedRange<Int> {
        let reach = (1 << level) - 1
        return (value - reach) / 2...(value + reach) / 2
    }

    func isAbove(_ other: NodeIndex) -> Bool {
        let reach = (1 << level) - 1
        return other.value >= value - reach && other.value <= value + reach && other != self
    }
}

/// The shape of a complete binary tree.
///
/// Source: RFC 9420 appendix C.
struct TreeSize: Hashable, Sendable {
    /// A power of two.
    let leaves: Int

    /// The smallest tree with room for so many leaves.
    init(holding count: Int) {
        var leaves = 1
        while leaves < count { leaves *= 2 }
        self.leaves = leaves
    }

    var nodes: Int { 2 * leaves - 1 }
    var root: NodeIndex { NodeIndex(leaves - 1) }

    func contains(_ leaf: LeafIndex) -> Bool { leaf.position < leaves }

    func parent(of node: NodeIndex) -> NodeIndex? {
        guard node != root, node.value < nodes else { return nil }
        let level = node.level
        return NodeIndex((node.value | 1 << level) & ~(1 << (level + 1)))
    }

    func sibling(of node: NodeIndex) -> NodeIndex? {
        guard let parent = parent(of: node) else { return nil }
        return node.value < parent.value ? parent.right : parent.left
    }

    /// The nodes from the parent of `node` to the root.
    func directPath(of node: NodeIndex) -> [NodeIndex] {
        var path: [NodeIndex] = []
        var at = node
        while let parent = parent(of: at) {
            path.append(parent)
            at = parent
        }
        return path
    }

    /// The child of `ancestor` that is `leaf` or above it, and the other child.
    func children(of ancestor: NodeIndex, towards leaf: LeafIndex) -> (towards: NodeIndex, away: NodeIndex)? {
        guard let left = ancestor.left, let right = ancestor.right else { return nil }
        return leaf.node.value < ancestor.value ? (left, right) : (right, left)
    }

    /// The lowest node above both leaves.
    func commonAncestor(_ one: LeafIndex, _ other: LeafIndex) -> NodeIndex {
        guard one != other else { return one.node }
        let level = Int.bitWidth - (one.position ^ other.position).leadingZeroBitCount
        let start = (one.position >> level) << level
        return NodeIndex(2 * start + (1 << level) - 1)
    }
}
