import Testing

@testable import MLS

@Suite struct RatchetTreeTests {
    struct OperationCase: SuiteCase {
        let cipherSuite: UInt16
        let proposal: Hex
        let proposalSender: UInt32
        let treeBefore: Hex
        let treeAfter: Hex
        let treeHashBefore: Hex
        let treeHashAfter: Hex
    }

    @Test("changes trees as the vectors do", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func operations() throws {
        for one in try MLSVectors.supported("tree-operations.json", as: OperationCase.self) {
            var tree = try RatchetTree(NodeList(bytes: one.treeBefore.bytes), Algorithms(one.suite))
            let before = tree.rootHash()
            #expect(before == one.treeHashBefore.bytes)
            switch try Proposal(bytes: one.proposal.bytes) {
            case .add(let keyPackage): _ = tree.add(keyPackage.leafNode)
            case .update(let leaf): tree.update(LeafIndex(rawValue: one.proposalSender), to: leaf)
            case .remove(let index): tree.remove(index)
            default: Issue.record("another proposal")
            }
            #expect(tree.list.encoded == one.treeAfter.bytes)
            let after = tree.rootHash()
            #expect(after == one.treeHashAfter.bytes)
        }
    }

    struct ValidationCase: SuiteCase {
        let cipherSuite: UInt16
        let tree: Hex
        let groupId: Hex
        let treeHashes: [Hex]
        let resolutions: [[Int]]
    }

    @Test("accepts the trees of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func validation() throws {
        for one in try MLSVectors.supported("tree-validation.json", as: ValidationCase.self) {
            let algorithms = try Algorithms(one.suite)
            var tree = try RatchetTree(NodeList(bytes: one.tree.bytes), algorithms)
            for (place, hash) in one.treeHashes.enumerated() {
                let computed = tree.hash(of: NodeIndex(place))
                #expect(computed == hash.bytes)
            }
            for (place, resolution) in one.resolutions.enumerated() {
                #expect(tree.resolution(of: NodeIndex(place)).map(\.value) == resolution)
            }
            let valid = tree.parentHashesAreValid()
            #expect(valid)
            for (index, leaf) in tree.members {
                #expect(
                    algorithms.isValid(
                        leaf.signature, of: leaf.toBeSigned(groupID: one.groupId.bytes, at: index),
                        label: "LeafNodeTBS", key: leaf.signatureKey))
            }
            #expect(tree.list.encoded == one.tree.bytes)
        }
    }

    @Test("refuses a tree with a wrong parent hash", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func wrongParentHash() throws {
        for one in try MLSVectors.all("tree-validation.json", as: ValidationCase.self) where one.cipherSuite == 1 {
            let list = try NodeList(bytes: one.tree.bytes)
            for place in stride(from: 1, to: list.nodes.count, by: 2) {
                var tree = try RatchetTree(list, Algorithms(one.suite))
                guard var parent = tree.parent(NodeIndex(place)) else { continue }
                parent = ParentNode(
                    encryptionKey: HPKEPublicKey([UInt8](repeating: 9, count: 32)), parentHash: parent.parentHash,
                    unmergedLeaves: parent.unmergedLeaves)
                tree.set(NodeIndex(place), to: .parent(parent))
                let valid = tree.parentHashesAreValid()
                #expect(!valid)
            }
        }
    }

    @Test("refuses lists of nodes that are no tree")
    func refusesLists() throws {
        let algorithms = try Algorithms(.x25519AES128)
        let leaf = try Person("Alice").keyPackage().keyPackage.leafNode
        let parent = Node.parent(ParentNode(encryptionKey: leaf.encryptionKey, parentHash: []))
        let lists: [[UInt8]] = [
            NodeList([]).encoded, [1, 0], NodeList([parent]).encoded, NodeList([.leaf(leaf), .leaf(leaf)]).encoded,
        ]
        for list in lists {
            #expect(throws: MLSError(.invalidTree)) { try RatchetTree(NodeList(bytes: list), algorithms) }
        }
        var options = CodecOptions()
        options.maximumTreeNodes = 3
        #expect(throws: MLSError(.limitExceeded)) { try NodeList(bytes: [4, 0, 0, 0, 0], options: options) }
    }

    /// A group of four whose tree is changed and signed for again.
    private func refused(_ code: MLSError.Code, _ change: (inout RatchetTree) throws -> Void) throws {
        var alice = try Person("Alice").create()
        let others = try ["Bob", "Carol", "Dave"].map { try Person($0).keyPackage().keyPackage }
        try alice.merge(alice.commit(others.map { .add($0) }).staged)
        var tree = alice.tree
        var context = alice.context
        try tree.validate(context: context)
        try change(&tree)
        context.treeHash = tree.rootHash()
        #expect(throws: MLSError(code)) { try tree.validate(context: context) }
    }

    @Test("refuses unmerged leaves out of order, blank, elsewhere, or unknown between")
    func refusesUnmerged() throws {
        for leaves in [[3, 2], [2, 2], [7], [1, 3]] {
            try refused(.invalidTree) { tree in
                var root = try #require(tree.parent(tree.size.root))
                root.unmergedLeaves = leaves.map { LeafIndex($0) }
                tree.set(tree.size.root, to: .parent(root))
                if leaves == [1, 3] {
                    let key = HPKEPublicKey([UInt8](repeating: 5, count: 32))
                    tree.set(NodeIndex(5), to: .parent(ParentNode(encryptionKey: key, parentHash: [])))
                }
            }
        }
    }

    @Test("refuses two nodes with one key, a leaf of another group, and a missing parent hash")
    func refusesKeys() throws {
        try refused(.invalidTree) { tree in
            let leaf = try #require(tree.leaf(LeafIndex(1)))
            tree.set(
                tree.size.root, to: .parent(ParentNode(encryptionKey: leaf.encryptionKey, parentHash: [])))
        }
        try refused(.badSignature) { tree in
            var leaf = try #require(tree.leaf(LeafIndex(2)))
            leaf.signature[3] ^= 1
            tree.set(LeafIndex(2).node, to: .leaf(leaf))
        }
        try refused(.invalidTree) { tree in
            let leaf = try Person("Eve").keyPackage().keyPackage.leafNode
            tree.set(LeafIndex(0).node, to: .leaf(leaf))
        }
    }
}
