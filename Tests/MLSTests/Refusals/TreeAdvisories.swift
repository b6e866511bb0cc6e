import Testing

@testable import MLS

/// Published weaknesses about trees, and those about keys and pending commits; their numbers stand in ``Advisories``.
@Suite struct TreeAdvisories {
    /// Eight members whose tree is warm on the left and has blanks and unmerged leaves on the right.
    private func eight() throws -> [Group] {
        var groups = [try Person("0").create()]
        let packages = try (1..<8).map { try Person("\($0)").keyPackage() }
        let commit = try groups[0].commit(packages.map { .add($0.keyPackage) })
        try groups[0].merge(commit.staged)
        for package in packages {
            groups.append(try Group(joining: #require(commit.welcome), with: package, policy: TrustEverybody()))
        }
        for committer in [0, 1, 2, 3, 4, 6] { try self.commit([], by: committer, &groups) }
        return groups
    }

    @discardableResult
    private func commit(
        _ proposals: [Proposal], by committer: Int, _ groups: inout [Group], freshKeys: Bool = true
    ) throws -> OwnCommit {
        let commit = try groups[committer].commit(proposals, freshKeys: freshKeys)
        for place in groups.indices where place != committer {
            guard case .commit(let staged) = try groups[place].process(commit.message) else { continue }
            if !staged.removesUs { try groups[place].merge(staged) }
        }
        try groups[committer].merge(commit.staged)
        return commit
    }

    @Test("13 and 15: each parent must be vouched for, whichever of them it is, and nothing is no voucher")
    func everyParent() throws {
        let group = try #require(try eight().first)
        let parents = stride(from: 1, to: group.tree.size.nodes, by: 2).map { NodeIndex($0) }
            .filter { group.tree.parent($0) != nil }
        #expect(parents.count > 4)
        var tree = group.tree
        try tree.validate(context: group.context)
        for node in parents {
            for change in 0..<3 {
                var (tree, context) = (group.tree, group.context)
                let parent = try #require(tree.parent(node))
                let other = HPKEPublicKey([UInt8](repeating: 9, count: 32))
                let forged =
                    switch change {
                    case 0: ParentNode(encryptionKey: other, parentHash: parent.parentHash)
                    case 1: ParentNode(encryptionKey: parent.encryptionKey, parentHash: [7])
                    default: ParentNode(encryptionKey: other, parentHash: [])
                    }
                tree.set(node, to: .parent(forged))
                context.treeHash = tree.rootHash()
                expectRefusal(.invalidTree, "a parent hash does not match", "node \(node.value), change \(change)") {
                    try tree.validate(context: context)
                }
            }
        }
    }

    @Test("15: a committer's leaf without its parent hash vouches for nobody")
    func nullParentHash() throws {
        let groups = try eight()
        for index in [0, 6].map({ LeafIndex($0) }) {
            var (tree, context) = (groups[0].tree, groups[0].context)
            let leaf = try #require(tree.leaf(index)).with(source: .commit(parentHash: []))
                .signed(by: groups[index.position].signer, groupID: context.groupID, at: index)
            tree.set(index.node, to: .leaf(leaf))
            context.treeHash = tree.rootHash()
            expectRefusal(.invalidTree, "a parent hash does not match", "leaf \(index.rawValue)") {
                try tree.validate(context: context)
            }
        }
    }

    @Test("14: a tree with blanks between and leaves that came later is valid, and is joined")
    func blanksAndUnmerged() throws {
        var groups = try eight()
        try commit([.remove(LeafIndex(5))], by: 0, &groups)
        groups.remove(at: 5)
        for (round, committer) in [0, 3, 5].enumerated() {
            let package = try Person("new \(round)").keyPackage()
            let adding = try commit([.add(package.keyPackage)], by: committer, &groups, freshKeys: false)
            groups.append(try Group(joining: #require(adding.welcome), with: package, policy: TrustEverybody()))
            try commit([], by: groups.count - 1, &groups)
            try commit([.remove(groups[1].ownIndex)], by: 0, &groups)
            groups.remove(at: 1)
            #expect(Set(groups.map(\.epochAuthenticator)).count == 1)
            var (tree, context) = (groups[0].tree, groups[0].context)
            try tree.validate(context: context)
            context.treeHash = tree.rootHash()
        }
    }

    @Test(
        "16: unmerged leaves that do not rise are refused, two of the same too",
        arguments: [[6, 4], [4, 4], [6, 6, 4]])
    func unsorted(leaves: [Int]) throws {
        let group = try #require(try eight().first)
        var (tree, context) = (group.tree, group.context)
        var root = try #require(tree.parent(tree.size.root))
        root.unmergedLeaves = leaves.map { LeafIndex($0) }
        tree.set(tree.size.root, to: .parent(root))
        context.treeHash = tree.rootHash()
        expectRefusal(.invalidTree, "unmerged leaves do not rise", "\(leaves)") { try tree.validate(context: context) }
    }

    @Test("20: a commit from outside is followed while our own waits, and our own is not merged after it")
    func externalWhilePending() throws {
        var scene = try Scene.open()
        let own = try scene.bob.commit()
        let (joined, message) = try Group.join(scene.alice.groupInfo(), with: scene.eve, policy: ScenePolicy())
        try scene.bob.follow(message)
        #expect(scene.bob.epochAuthenticator == joined.epochAuthenticator)
        expectRefusal(.wrongEpoch, "staged on another state", "our own") { try scene.bob.merge(own.staged) }
    }

    @Test("22: what is signed is signed for the key that belongs to it, which nobody else can name")
    func signatureKey() throws {
        let (mine, other) = (
            try SignaturePrivateKey(for: .x25519AES128), try SignaturePrivateKey(for: .x25519AES128)
        )
        let own = try Scene.open().eve
        expectRefusal(.invalidKey, "a private key does not belong to the key package", "another's key") {
            _ = try OwnKeyPackage(
                keyPackage: own.keyPackage, initKey: own.initKey.exposedBytes, leafKey: own.leafKey.exposedBytes,
                signer: other)
        }
        let restored = try SignaturePrivateKey(bytes: mine.bytes, for: .x25519AES128)
        #expect(restored.publicKey == mine.publicKey && mine.publicKey != other.publicKey)
    }

    @Test("23: who makes and who checks a parent hash agree when nobody is left of the root")
    func emptyLeft() throws {
        var groups = try eight()
        try commit([0, 1, 2, 3].map { .remove(LeafIndex($0)) }, by: 7, &groups)
        groups.removeFirst(4)
        for committer in groups.indices {
            try commit([], by: committer, &groups)
            var tree = groups[0].tree
            try tree.validate(context: groups[0].context)
            #expect(Set(groups.map(\.epochAuthenticator)).count == 1)
        }
        let package = try Person("late").keyPackage()
        let adding = try commit([.add(package.keyPackage)], by: 2, &groups)
        let late = try Group(joining: #require(adding.welcome), with: package, policy: TrustEverybody())
        #expect(late.ownIndex == LeafIndex(0) && late.epochAuthenticator == groups[0].epochAuthenticator)
    }
}
