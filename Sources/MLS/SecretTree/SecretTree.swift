/// The message keys of all members in one epoch; each secret is gone once those below it are made.
///
/// Source: RFC 9420 §9.
struct SecretTree: Sendable {
    /// Commits and proposals have one ratchet, application messages another.
    enum Kind: Hashable, Sendable {
        case handshake
        case application

        init(_ type: ContentType) { self = type == .application ? .application : .handshake }
    }

    let size: TreeSize
    var nodes: [NodeIndex: Secret<Role.TreeNode>]
    var handshake: [LeafIndex: HashRatchet] = [:]
    var application: [LeafIndex: HashRatchet] = [:]

    init(_ root: EncryptionSecret, size: TreeSize) {
        self.size = size
        nodes = [size.root: Secret(root.key)]
    }

    /// The ratchet of a member, made if nobody asked before.
    mutating func ratchet(
        of leaf: LeafIndex, _ kind: Kind, _ algorithms: Algorithms
    ) throws(MLSError) -> HashRatchet {
        if let ratchet = self[leaf, kind] { return ratchet }
        try open(leaf, algorithms)
        guard let ratchet = self[leaf, kind] else { throw MLSError(.unknownSender, "no ratchet") }
        return ratchet
    }

    /// Takes the next key of our own.
    mutating func nextKey(
        of leaf: LeafIndex, _ kind: Kind, _ algorithms: Algorithms
    ) throws(MLSError) -> (generation: UInt32, key: MessageKey) {
        var ratchet = try ratchet(of: leaf, kind, algorithms)
        self[leaf, kind] = nil
        defer { self[leaf, kind] = ratchet }
        return try ratchet.next(algorithms)
    }

    /// Puts a ratchet back after a key was taken from it.
    mutating func keep(_ ratchet: HashRatchet, of leaf: LeafIndex, _ kind: Kind) { self[leaf, kind] = ratchet }

    private subscript(leaf: LeafIndex, kind: Kind) -> HashRatchet? {
        get { kind == .handshake ? handshake[leaf] : application[leaf] }
        set {
            switch kind {
            case .handshake: handshake[leaf] = newValue
            case .application: application[leaf] = newValue
            }
        }
    }

    /// Makes both ratchets of a leaf from the lowest secret above it.
    private mutating func open(_ leaf: LeafIndex, _ algorithms: Algorithms) throws(MLSError) {
        guard size.contains(leaf) else { throw MLSError(.unknownSender, "no such leaf") }
        var at = leaf.node
        while nodes[at] == nil {
            guard let parent = size.parent(of: at) else { throw MLSError(.keyConsumed, "a leaf secret is gone") }
            at = parent
        }
        while let left = at.left, let right = at.right, let secret = nodes.removeValue(forKey: at) {
            nodes[left] = algorithms.expand(secret, label: "tree", context: Array("left".utf8))
            nodes[right] = algorithms.expand(secret, label: "tree", context: Array("right".utf8))
            at = leaf.node.value < at.value ? left : right
        }
        guard let secret = nodes.removeValue(forKey: at) else { return }
        handshake[leaf] = HashRatchet(algorithms.expand(secret, label: "handshake"))
        application[leaf] = HashRatchet(algorithms.expand(secret, label: "application"))
    }
}
