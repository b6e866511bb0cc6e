@testable import MLS

extension LeafNodeRefusals.Carrier {
    /// Brings a changed leaf before Bob, or before Eve in a tree she joins by.
    func carry(in scene: Scene, _ change: (LeafNode) throws -> LeafNode) throws {
        var scene = scene
        switch self {
        case .keyPackage:
            let package = try scene.eve.forged(leaf: change)
            _ = try scene.bob.process(scene.alice.forgeCommit([.add(package)]))
        case .update:
            let pair = try scene.alice.algorithms.generateKeyPair()
            let leaf = try change(scene.alice.ownLeaf(pair.publicKey, source: .update))
                .signed(by: scene.alice.signer, groupID: scene.alice.groupID, at: LeafIndex(0))
            let message = try scene.alice.forgeProposal(.update(leaf))
            let reference = try scene.bob.accept(message)
            _ = try scene.carol.accept(message)
            // Nobody can encrypt to some of these leaves; then the path is that of a tree without the Update.
            let path = try (try? scene.carol.forgedPath(afterUpdate: leaf)) ?? scene.carol.forgedPath()
            _ = try scene.bob.process(scene.carol.forgeCommit(references: [reference], path: path))
        case .path:
            _ = try scene.bob.process(scene.alice.forgeCommit(path: scene.alice.forgedPath(leaf: change)))
        case .tree:
            var welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
            try welcome.change(LeafIndex(1), of: scene.bob, change)
            // Without parents, no parent hash covers the leaf.
            welcome.change { tree in tree.members.forEach { tree.blankDirectPath(of: $0.index) } }
            _ = try welcome.join(scene.eve)
        }
    }
}

extension Group {
    /// Our path in a tree where Alice's leaf is this one, whether it may be or not.
    func forgedPath(afterUpdate leaf: LeafNode) throws -> UpdatePath {
        var updated = self
        updated.tree.update(LeafIndex(0), to: leaf)
        return try updated.forgedPath()
    }
}
