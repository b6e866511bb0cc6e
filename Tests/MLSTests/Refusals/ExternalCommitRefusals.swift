import Testing

@testable import MLS

/// RFC 9420 §12.2, §12.4.3.2: a commit from outside that breaks one rule is not followed.
@Suite struct ExternalCommitRefusals {
    /// Eve's honest commit from outside, changed and signed by her again.
    private static func commit(
        in scene: Scene, former: LeafIndex? = nil, path keeps: Bool = true,
        leaf: (LeafNode) throws -> LeafNode = { $0 }, list change: (inout [ProposalOrRef]) throws -> Void = { _ in }
    ) throws -> MLSMessage {
        let (joined, message) = try Group.join(
            scene.alice.groupInfo(), with: scene.eve, former: former, policy: ScenePolicy())
        guard case .publicMessage(let honest) = message.body, case .commit(let commit) = honest.content.content,
            let path = commit.path
        else { throw MLSError(.malformed) }
        var proposals = commit.proposals
        try change(&proposals)
        let changed = UpdatePath(
            leafNode: try leaf(path.leafNode).signed(
                by: scene.eve.signer, groupID: scene.alice.groupID, at: joined.ownIndex), nodes: path.nodes)
        var alice = scene.alice
        return try alice.forge(
            .commit(Commit(proposals: proposals, path: keeps ? changed : nil)), sender: .newMemberCommit,
            key: scene.eve.signer, confirmationTag: honest.auth.confirmationTag)
    }

    private static func list(
        _ rule: String, _ change: @escaping @Sendable (inout [ProposalOrRef], Scene) throws -> Void
    ) -> Refusal {
        Refusal(rule, .invalidProposal, "not allowed in an external commit") { scene in
            let message = try commit(in: scene, list: { try change(&$0, scene) })
            _ = try scene.bob.process(message)
        }
    }

    static let rules: [Refusal] = [
        list("no ExternalInit") { list, _ in list = [] },
        Refusal("two ExternalInits", .invalidProposal, "two proposals of a kind that stands once") { scene in
            _ = try scene.bob.process(commit(in: scene, list: { $0 += $0 }))
        },
        list("two Removes") { list, _ in list += [2, 3].map { .proposal(.remove(LeafIndex($0))) } },
        list("an Add") { list, scene in list.append(.proposal(.add(try Scene.keyPackage("Frank").keyPackage))) },
        list("GroupContextExtensions") { list, _ in list.append(.proposal(.groupContextExtensions([]))) },
        list("a ReInit") { list, _ in list.append(.proposal(try ProposalListRefusals.reInit())) },
        list("a custom type") { list, _ in list.append(.proposal(.custom(Scene.custom, body: []))) },
        Refusal("an Update", .invalidProposal, "an Update from outside") { scene in
            let leaf = try scene.alice.ownLeaf(HPKEPublicKey([UInt8](repeating: 9, count: 32)), source: .update)
            _ = try scene.bob.process(commit(in: scene, list: { $0.append(.proposal(.update(leaf))) }))
        },
        Refusal("a SelfRemove", .invalidCommit, "a SelfRemove by value") { scene in
            _ = try scene.bob.process(
                commit(in: scene, list: { $0.append(.proposal(.custom(.selfRemove, body: nil))) }))
        },
        Refusal("a reference", .invalidCommit, "an external commit refers to a proposal") { scene in
            let reference = try scene.bob.accept(scene.alice.forgeProposal(.remove(LeafIndex(2))))
            _ = try scene.bob.process(commit(in: scene, list: { $0.append(.reference(reference)) }))
        },
        Refusal("a Remove of nobody", .invalidProposal, "a Remove of nobody") { scene in
            _ = try scene.bob.process(commit(in: scene, list: { $0.append(.proposal(.remove(LeafIndex(6)))) }))
        },
        Refusal("no path", .invalidCommit, "an external commit without path") { scene in
            _ = try scene.bob.process(commit(in: scene, path: false))
        },
        Refusal("a leaf of another source", .invalidCommit, "an external commit without path") { scene in
            _ = try scene.bob.process(commit(in: scene, leaf: { $0.with(source: .update) }))
        },
        Refusal("a leaf whose signature is spoiled", .badSignature, "of a leaf") { scene in
            _ = try scene.bob.process(commit(in: scene, leaf: { $0.spoiled }))
        },
        Refusal("a leaf that lacks what the group requires", .invalidLeafNode, "it lacks a required capability") {
            scene in
            _ = try scene.bob.process(commit(in: scene, leaf: { $0.with(capabilities: Capabilities()) }))
        },
        Refusal("a leaf that is not believed", .refusedByPolicy, "a credential") { scene in
            _ = try scene.bob.process(commit(in: scene, leaf: { $0.with(credential: ScenePolicy.disbelieved) }))
        },
        Refusal("the key of another leaf", .invalidCommit, "a key of a path is not new") { scene in
            let key = try #require(scene.bob.tree.leaf(LeafIndex(2))).encryptionKey
            _ = try scene.bob.process(commit(in: scene, leaf: { $0.with(encryptionKey: key) }))
        },
        Refusal("a Remove of somebody else", .refusedByPolicy, "a credential") { scene in
            let message = try commit(
                in: scene, former: LeafIndex(3), leaf: { $0.with(credential: ScenePolicy.stranger) })
            _ = try scene.bob.process(message)
        },
        Refusal("the removed leaf's encryption key", .invalidLeafNode, "it keeps its encryption key") { scene in
            let key = try #require(scene.bob.tree.leaf(LeafIndex(3))).encryptionKey
            let message = try commit(in: scene, former: LeafIndex(3), leaf: { $0.with(encryptionKey: key) })
            _ = try scene.bob.process(message)
        },
        Refusal("a KEM output of low order", .decryptionFailed, "a point of low order") { scene in
            let zero = [UInt8](repeating: 0, count: 32)
            let message = try commit(in: scene, list: { $0 = [.proposal(.externalInit(kemOutput: zero))] })
            _ = try scene.bob.process(message)
        },
        Refusal("a KEM output that is none", .decryptionFailed, "HPKE does not decapsulate") { scene in
            _ = try scene.bob.process(commit(in: scene, list: { $0 = [.proposal(.externalInit(kemOutput: [1]))] }))
        },
        Refusal("somebody else's signature", .badSignature, "of a message") { scene in
            let message = try commit(in: scene)
            guard case .publicMessage(let honest) = message.body else { return }
            _ = try scene.bob.process(
                scene.alice.forge(honest.content.content, sender: .newMemberCommit, key: scene.alice.signer))
        },
    ]

    @Test("is refused with", arguments: rules)
    func refused(rule: Refusal) throws { try rule.check() }

    @Test("an honest one is followed, also by somebody who comes back", arguments: [nil, LeafIndex(3)])
    func honest(former: LeafIndex?) throws {
        var scene = try Scene.open()
        try scene.bob.follow(Self.commit(in: scene, former: former))
        #expect(scene.bob.members.count == (former == nil ? 5 : 4))
    }

    @Test("nobody joins by a GroupInfo without the key for it, spoiled, or of another suite")
    func groupInfo() throws {
        let scene = try Scene.open()
        guard case .groupInfo(let info) = try scene.alice.groupInfo().body else { throw MLSError(.malformed) }
        func join(_ extensions: [Extension], signed: Bool = true, context: GroupContext? = nil) throws {
            var forged = GroupInfo(
                context: context ?? info.context, extensions: extensions, confirmationTag: info.confirmationTag,
                signer: info.signer)
            forged.signature =
                signed
                ? try scene.alice.algorithms.sign(
                    forged.toBeSigned, label: "GroupInfoTBS", key: scene.alice.signer) : info.signature
            _ = try Group.join(MLSMessage(.groupInfo(forged)), with: scene.eve, policy: ScenePolicy())
        }
        let tree = info.extensions[0]
        try join(info.extensions)
        expectRefusal(.invalidWelcome, "there is no key for external commits", "no key") { try join([tree]) }
        expectRefusal(.badSignature, "of a GroupInfo", "spoiled") { try join([tree], signed: false) }
        expectRefusal(.invalidKey, "a point of low order", "low order") {
            let key = HPKEPublicKey([UInt8](repeating: 0, count: 32))
            try join([tree, Extension(type: .externalPub, data: key.encoded)])
        }
        expectRefusal(.trailingBytes, "HPKEPublicKey", "trailing") {
            try join([tree, Extension(type: .externalPub, data: info.extensions[1].data + [0])])
        }
        let other = GroupContext(
            cipherSuite: .x25519ChaCha20, groupID: [1], epoch: 1, treeHash: info.context.treeHash,
            confirmedTranscriptHash: [], extensions: [])
        expectRefusal(.invalidWelcome, "the group has another cipher suite or version", "suite") {
            try join(info.extensions, context: other)
        }
    }
}
