import Testing

@testable import MLS

@Suite struct TreeKEMTests {
    struct Case: SuiteCase {
        struct PathSecretAt: Decodable {
            let node: Int
            let pathSecret: Hex
        }
        struct LeafPrivate: Decodable {
            let index: UInt32
            let encryptionPriv: Hex
            let signaturePriv: Hex
            let pathSecrets: [PathSecretAt]
        }
        struct Path: Decodable {
            let sender: UInt32
            let updatePath: Hex
            let pathSecrets: [Hex?]
            let commitSecret: Hex
            let treeHashAfter: Hex
        }
        let cipherSuite: UInt16
        let groupId: Hex
        let epoch: UInt64
        let confirmedTranscriptHash: Hex
        let ratchetTree: Hex
        let leavesPrivate: [LeafPrivate]
        let updatePaths: [Path]

        func context(_ treeHash: [UInt8]) -> [UInt8] {
            GroupContext(
                cipherSuite: suite, groupID: groupId.bytes, epoch: epoch, treeHash: treeHash,
                confirmedTranscriptHash: confirmedTranscriptHash.bytes, extensions: []
            ).encoded
        }
    }

    @Test("opens and makes the paths of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func vectors() throws {
        for one in try MLSVectors.supported("treekem.json", as: Case.self) {
            let tree = try RatchetTree(NodeList(bytes: one.ratchetTree.bytes), Algorithms(one.suite))
            let privates = try one.leavesPrivate.map { try privateTree($0, in: tree) }
            for path in one.updatePaths {
                try open(path, of: one, privates, tree)
                try make(path, of: one, privates, tree)
            }
        }
    }

    private func privateTree(_ leaf: Case.LeafPrivate, in tree: RatchetTree) throws -> PrivateTree {
        let index = LeafIndex(rawValue: leaf.index)
        let key = HPKEPrivateKey(leaf.encryptionPriv.bytes)
        var own = PrivateTree(index: index, leafKey: key)
        #expect(try tree.algorithms.publicKey(of: key) == tree.leaf(index)?.encryptionKey)
        for known in leaf.pathSecrets {
            _ = try own.learn(PathSecret(known.pathSecret.bytes), nodes: [NodeIndex(known.node)], in: tree)
        }
        return own
    }

    private func open(_ path: Case.Path, of one: Case, _ privates: [PrivateTree], _ tree: RatchetTree) throws {
        let sender = LeafIndex(rawValue: path.sender)
        let update = try UpdatePath(bytes: path.updatePath.bytes)
        var merged = tree
        try merged.merge(update, from: sender)
        let mergedHash = merged.rootHash()
        #expect(mergedHash == path.treeHashAfter.bytes)
        let valid = merged.parentHashesAreValid()
        #expect(valid)
        for var own in privates where own.index != sender {
            let opened = try own.open(
                update, from: sender, in: merged, newLeaves: [], context: one.context(mergedHash))
            #expect(opened.commit == CommitSecret(path.commitSecret.bytes))
            let expected = try #require(path.pathSecrets[own.index.position])
            #expect(opened.secret == PathSecret(expected.bytes))
        }
    }

    private func make(_ path: Case.Path, of one: Case, _ privates: [PrivateTree], _ tree: RatchetTree) throws {
        let sender = LeafIndex(rawValue: path.sender)
        let given = try #require(one.leavesPrivate.first { $0.index == path.sender })
        let key = try SignaturePrivateKey(bytes: given.signaturePriv.bytes, for: one.suite)
        let old = try #require(tree.leaf(sender))
        var changed = tree
        let made = try NewPath(at: sender, in: &changed) { (encryptionKey, parentHash) throws(MLSError) in
            var leaf = LeafNode(
                encryptionKey: encryptionKey, signatureKey: old.signatureKey, credential: old.credential,
                capabilities: old.capabilities, source: .commit(parentHash: parentHash), extensions: old.extensions)
            leaf.signature = try tree.algorithms.sign(
                leaf.toBeSigned(groupID: one.groupId.bytes, at: sender), label: "LeafNodeTBS", key: key)
            return leaf
        }
        let context = one.context(changed.rootHash())
        let update = try made.encrypted(in: changed, newLeaves: [], context: context)
        var merged = tree
        try merged.merge(update, from: sender)
        let (mergedHash, changedHash) = (merged.rootHash(), changed.rootHash())
        #expect(mergedHash == changedHash)
        for var own in privates where own.index != sender {
            let opened = try own.open(update, from: sender, in: merged, newLeaves: [], context: context)
            #expect(opened.commit == made.commit)
        }
    }
}
