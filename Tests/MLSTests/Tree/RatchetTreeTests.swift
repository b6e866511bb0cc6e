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
}
