import Testing

@testable import MLS

/// Rules of RFC 9420 §12.1 and §12.2 about proposals that came before the commit, and about who sent them.
@Suite struct ReferenceRefusals {
    static let rules: [Refusal] = [
        Refusal("an Update and a Remove of one leaf", .invalidProposal, "two proposals change one leaf") { scene in
            let update = try scene.carol.proposeUpdate()
            let reference = try scene.bob.accept(update)
            _ = try scene.bob.process(
                scene.alice.forgeCommit(
                    [.remove(LeafIndex(2))], references: [reference], path: scene.alice.forgedPath()))
        },
        Refusal("two Updates of one leaf", .invalidProposal, "two proposals change one leaf") { scene in
            let updates = try [scene.carol.proposeUpdate(), scene.carol.proposeUpdate()]
            let references = try updates.map { try scene.bob.accept($0) }
            _ = try scene.bob.process(
                scene.alice.forgeCommit(references: references, path: scene.alice.forgedPath()))
        },
        Refusal("a reference twice", .invalidCommit, "it refers to one proposal twice") { scene in
            let reference = try scene.bob.accept(scene.carol.proposeUpdate())
            _ = try scene.bob.process(
                scene.alice.forgeCommit(references: [reference, reference], path: scene.alice.forgedPath()))
        },
        Refusal(
            "an Update of the committer's, by reference", .invalidProposal,
            "a committer changes their own leaf by a proposal"
        ) { scene in
            let reference = try scene.bob.accept(scene.alice.proposeUpdate())
            _ = try scene.bob.process(
                scene.alice.forgeCommit(references: [reference], path: scene.alice.forgedPath()))
        },
        Refusal(
            "a Remove of the committer, by reference", .invalidProposal,
            "a committer changes their own leaf by a proposal"
        ) { scene in
            let reference = try scene.bob.accept(scene.carol.propose(.remove(LeafIndex(0))))
            _ = try scene.bob.process(
                scene.alice.forgeCommit(references: [reference], path: scene.alice.forgedPath()))
        },
        Refusal("a reference to nothing", .missingProposal, "a commit refers to it") { scene in
            _ = try scene.bob.process(
                scene.alice.forgeCommit(references: [ProposalRef([1])], path: scene.alice.forgedPath()))
        },
        Refusal("a SelfRemove by value", .invalidCommit, "a SelfRemove by value") { scene in
            _ = try scene.bob.process(
                scene.alice.forgeCommit([.custom(.selfRemove, body: nil)], path: scene.alice.forgedPath()))
        },
        Refusal("a SelfRemove that is encrypted", .invalidProposal, "a SelfRemove is not encrypted") { scene in
            _ = try scene.bob.process(
                scene.alice.forgeProposal(.custom(.selfRemove, body: nil), as: .privateMessage))
        },
        Refusal("an ExternalInit from a member", .invalidProposal, "not for this kind of sender") { scene in
            _ = try scene.bob.process(scene.alice.forgeProposal(.externalInit(kemOutput: [1])))
        },
    ]

    @Test("is refused:", arguments: rules)
    func refused(rule: Refusal) throws { try rule.check() }

    /// What somebody on the list of external senders may not send; RFC 9420 §12.1.8.
    static let external: [Refusal] = [
        outside(
            "an Update from outside", .external(0), .invalidProposal, "not for this kind of sender"
        ) { scene in
            .update(try scene.alice.ownLeaf(HPKEPublicKey([UInt8](repeating: 9, count: 32)), source: .update))
        },
        outside("an ExternalInit from outside", .external(0), .invalidProposal, "not for this kind of sender") { _ in
            .externalInit(kemOutput: [1])
        },
        outside("a SelfRemove from outside", .external(0), .invalidProposal, "not for this kind of sender") { _ in
            .custom(.selfRemove, body: nil)
        },
        outside("a custom type from outside", .external(0), .invalidProposal, "not for this kind of sender") { _ in
            .custom(Scene.custom, body: [1])
        },
        outside("a sender who is not on the list", .external(1), .unknownSender, "") { _ in .remove(LeafIndex(2)) },
        outside("a sender far off the list", .external(.max), .unknownSender, "") { _ in .remove(LeafIndex(2)) },
        outside(
            "a new member who proposes somebody's Remove", .newMemberProposal, .unexpectedMessage,
            "this sender cannot send this"
        ) { _ in .remove(LeafIndex(2)) },
        outside(
            "a joiner's proposal apart from their commit", .newMemberCommit, .unexpectedMessage,
            "this sender cannot send this"
        ) { _ in .remove(LeafIndex(2)) },
        outside(
            "a new member who proposes another", .newMemberProposal, .badSignature, "of a message"
        ) { scene in .add(scene.eve.keyPackage) },
        outside(
            "a signature of another than the external sender", .external(0), .badSignature, "of a message",
            honest: false
        ) {
            _ in .remove(LeafIndex(2))
        },
    ]

    private static func outside(
        _ rule: String, _ sender: Sender, _ code: MLSError.Code, _ reason: String, honest: Bool = true,
        _ proposal: @escaping @Sendable (Scene) throws -> Proposal
    ) -> Refusal {
        Refusal(rule, code, reason) { scene in
            let message = try scene.alice.forge(
                .proposal(proposal(scene)), sender: sender, key: honest ? scene.external : scene.alice.signer)
            _ = try scene.bob.process(message)
        }
    }

    @Test("is refused from outside:", arguments: external)
    func refusedFromOutside(rule: Refusal) throws { try rule.check() }

    @Test("what an external sender may send is kept, and so is a new member's own Add")
    func keptFromOutside() throws {
        var scene = try Scene.open()
        let allowed: [Proposal] = try [
            .add(scene.eve.keyPackage), .remove(LeafIndex(2)), ProposalListRefusals.psk(),
            ProposalListRefusals.reInit(),
            .groupContextExtensions([]),
        ]
        for proposal in allowed {
            _ = try scene.bob.accept(scene.alice.forge(.proposal(proposal), sender: .external(0), key: scene.external))
        }
        _ = try scene.bob.accept(
            scene.alice.forge(.proposal(.add(scene.eve.keyPackage)), sender: .newMemberProposal, key: scene.eve.signer))
    }

    @Test("members who leave need not know a custom type, those who stay must")
    func leaving() throws {
        var scene = try Scene.open()
        let knowing = Capabilities(extensions: [Scene.required], proposals: [.selfRemove, Scene.custom])
        for place in [\Scene.alice, \Scene.carol, \Scene.dave] {
            let index = scene[keyPath: place].ownIndex
            let leaf = try #require(scene.bob.tree.leaf(index)).with(capabilities: knowing)
            for other in [\Scene.alice, \Scene.bob] { scene[keyPath: other].tree.set(index.node, to: .leaf(leaf)) }
        }
        let list: [Proposal] = [.custom(Scene.custom, body: [1]), .remove(LeafIndex(1))]
        _ = try scene.alice.commit(list)
        expectRefusal(.invalidProposal, "a member does not support a type of proposal", "Bob stays") {
            _ = try scene.alice.commit([list[0]])
        }
    }

    @Test("a member may be added again in the commit that removes them, and takes the free place")
    func replaced() throws {
        var scene = try Scene.open()
        let again = try ProposalListRefusals.again(scene.dave)
        let commit = try scene.alice.commit([.add(again), .remove(LeafIndex(3))])
        #expect(commit.staged.added == [LeafIndex(3)])
        guard case .commit(let staged) = try scene.bob.process(commit.message) else { throw MLSError(.malformed) }
        #expect(staged.added == [LeafIndex(3)] && staged.removed == [LeafIndex(3)])
    }

    @Test("requirements count for members who stay, not for those who leave")
    func requirements() throws {
        var scene = try Scene.open()
        let demanded = ExtensionType(rawValue: 0x7b01)
        let knowing = Capabilities(extensions: [Scene.required, demanded], proposals: [.selfRemove])
        for index in [0, 2, 3].map({ LeafIndex($0) }) {
            let leaf = try #require(scene.alice.tree.leaf(index)).with(capabilities: knowing)
            scene.alice.tree.set(index.node, to: .leaf(leaf))
        }
        let proposal = ProposalListRefusals.requiring([demanded])
        _ = try scene.alice.commit([proposal, .remove(LeafIndex(1))])
        expectRefusal(.invalidLeafNode, "it lacks a required capability", "Bob stays") {
            _ = try scene.alice.commit([proposal])
        }
    }

    @Test("a proposal nobody may commit does not keep anybody from committing")
    func junk() throws {
        var scene = try Scene.open()
        let junk: [Proposal] = [
            .remove(LeafIndex(6)), .remove(LeafIndex(2)), ProposalListRefusals.psk(nonce: 3),
            .add(try scene.eve.forged(signature: [])), try ProposalListRefusals.reInit(),
        ]
        for proposal in junk { _ = try scene.bob.accept(scene.alice.forgeProposal(proposal)) }
        _ = try scene.bob.accept(scene.carol.proposeUpdate())
        let commit = try scene.bob.commit()
        #expect(commit.staged.proposals.map(\.proposal) == [.remove(LeafIndex(2))])
    }
}
