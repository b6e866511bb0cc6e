import Testing

@testable import MLS

/// RFC 9420 §7.5, §7.9 and §12.4.2: a path that breaks one rule is not followed.
@Suite struct PathRefusals {
    static let rules: [Refusal] = [
        path("one node too many", .invalidCommit, "the path has 3 nodes instead of 2") { path, _ in
            let extra = UpdatePathNode(
                encryptionKey: HPKEPublicKey([UInt8](repeating: 9, count: 32)), encryptedPathSecrets: [])
            return path.with { $0 + [extra] }
        },
        path("one node too few", .invalidCommit, "the path has 1 nodes instead of 2") { path, _ in
            path.with { $0.dropLast() }
        },
        path("no nodes", .invalidCommit, "the path has 0 nodes instead of 2") { path, _ in path.with { _ in [] } },
        path("one key twice", .invalidCommit, "a path has one key twice") { path, _ in
            path.with { nodes in nodes.map { $0.with(key: nodes[0].encryptionKey) } }
        },
        path("the key of its leaf again", .invalidCommit, "a path has one key twice") { path, _ in
            path.with { [$0[0], $0[1].with(key: path.leafNode.encryptionKey)] }
        },
        path("the key of another leaf", .invalidCommit, "a key of a path is not new") { path, scene in
            let key = try #require(scene.alice.tree.leaf(LeafIndex(2))).encryptionKey
            return path.with { [$0[0], $0[1].with(key: key)] }
        },
        path("the key of the committer's old leaf", .invalidCommit, "a key of a path is not new") { path, scene in
            let key = try #require(scene.alice.tree.leaf(LeafIndex(0))).encryptionKey
            return path.with { [$0[0], $0[1].with(key: key)] }
        },
        path("a key that is none", .invalidCommit, "a key of a path is none of the suite") { path, _ in
            path.with { [$0[0], $0[1].with(key: HPKEPublicKey([1]))] }
        },
        path("a key of low order", .invalidCommit, "a key of a path is none of the suite") { path, _ in
            path.with { [$0[0], $0[1].with(key: HPKEPublicKey([UInt8](repeating: 0, count: 32)))] }
        },
        path("another key than the parent hash says", .invalidCommit, "the leaf of a path has another parent hash") {
            path, _ in
            path.with { [$0[0], $0[1].with(key: HPKEPublicKey([UInt8](repeating: 9, count: 32)))] }
        },
        path("a ciphertext too many", .invalidCommit, "a path secret is encrypted to another number of nodes") {
            path, _ in
            path.with { $0.map { $0.with(ciphertexts: $0.encryptedPathSecrets + $0.encryptedPathSecrets) } }
        },
        path("no ciphertext", .invalidCommit, "a path secret is encrypted to another number of nodes") { path, _ in
            path.with { $0.map { $0.with(ciphertexts: []) } }
        },
        path("a ciphertext that does not open", .decryptionFailed, "HPKE") { path, _ in
            path.with {
                $0.map { node in
                    node.with(
                        ciphertexts: node.encryptedPathSecrets.map {
                            HPKECiphertext(
                                kemOutput: $0.kemOutput, ciphertext: [UInt8](repeating: 0, count: $0.ciphertext.count))
                        })
                }
            }
        },
        path("a KEM output of low order", .decryptionFailed, "a point of low order") { path, _ in
            path.with {
                $0.map { node in
                    node.with(
                        ciphertexts: node.encryptedPathSecrets.map {
                            HPKECiphertext(kemOutput: [UInt8](repeating: 0, count: 32), ciphertext: $0.ciphertext)
                        })
                }
            }
        },
        path("a secret for another key", .invalidCommit, "a path secret does not lead to the key in the tree") {
            path, scene in
            let bob = try #require(scene.alice.tree.leaf(LeafIndex(1))).encryptionKey
            var context = scene.alice.context
            var tree = scene.alice.tree
            try tree.merge(path, from: LeafIndex(0))
            (context.epoch, context.treeHash) = (context.epoch + 1, tree.rootHash())
            let other = try tree.algorithms.encrypt(
                Algorithms.random(33), to: bob, label: "UpdatePathNode", context: context.encoded)
            return path.with { [$0[0].with(ciphertexts: [other])] + $0.dropFirst() }
        },
        Refusal("no parent hash", .invalidCommit, "the leaf of a path has another parent hash") { scene in
            let path = try scene.alice.forgedPath { $0.with(source: .commit(parentHash: [])) }
            _ = try scene.bob.process(scene.alice.forgeCommit(path: path))
        },
        Refusal("another parent hash", .invalidCommit, "the leaf of a path has another parent hash") { scene in
            let path = try scene.alice.forgedPath { leaf in
                guard case .commit(var hash) = leaf.source else { return leaf }
                hash[0] ^= 1
                return leaf.with(source: .commit(parentHash: hash))
            }
            _ = try scene.bob.process(scene.alice.forgeCommit(path: path))
        },
        Refusal("a leaf signed for another place", .badSignature, "of a leaf") { scene in
            let path = try scene.alice.forgedPath {
                try $0.with().signed(by: scene.alice.signer, groupID: scene.alice.groupID, at: LeafIndex(2))
            }
            _ = try scene.bob.process(scene.alice.forgeCommit(path: path))
        },
        Refusal("a leaf signed for another group", .badSignature, "of a leaf") { scene in
            let path = try scene.alice.forgedPath {
                try $0.with().signed(by: scene.alice.signer, groupID: [1], at: LeafIndex(0))
            }
            _ = try scene.bob.process(scene.alice.forgeCommit(path: path))
        },
    ]

    private static func path(
        _ rule: String, _ code: MLSError.Code, _ reason: String,
        _ change: @escaping @Sendable (UpdatePath, Scene) throws -> UpdatePath
    ) -> Refusal {
        Refusal(rule, code, reason) { scene in
            let path = try change(scene.alice.forgedPath(), scene)
            _ = try scene.bob.process(scene.alice.forgeCommit(path: path))
        }
    }

    @Test("a path is refused with", arguments: rules)
    func refused(rule: Refusal) throws { try rule.check() }
}

extension UpdatePathNode {
    func with(key: HPKEPublicKey? = nil, ciphertexts: [HPKECiphertext]? = nil) -> UpdatePathNode {
        UpdatePathNode(
            encryptionKey: key ?? encryptionKey, encryptedPathSecrets: ciphertexts ?? encryptedPathSecrets)
    }
}
