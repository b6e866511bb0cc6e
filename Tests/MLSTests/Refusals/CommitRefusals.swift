import Testing

@testable import MLS

/// RFC 9420 §12.4 and §6: a commit that breaks one rule is not followed.
@Suite struct CommitRefusals {
    static let framing: [Refusal] = [
        Refusal("a commit of an epoch before", .wrongEpoch, "") { scene in
            _ = try scene.bob.process(scene.alice.forge(.commit(Commit(proposals: [], path: nil)), epoch: 0))
        },
        Refusal("a commit of the next epoch", .wrongEpoch, "") { scene in
            _ = try scene.bob.process(scene.alice.forge(.commit(Commit(proposals: [], path: nil)), epoch: 2))
        },
        Refusal("an encrypted commit of the next epoch", .wrongEpoch, "epoch 2") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(.commit(Commit(proposals: [], path: nil)), as: .privateMessage, epoch: 2))
        },
        Refusal("a proposal of an epoch before", .wrongEpoch, "") { scene in
            _ = try scene.bob.process(scene.alice.forge(.proposal(.remove(LeafIndex(2))), epoch: 0))
        },
        Refusal("a message for another group", .wrongGroup, "") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(.commit(Commit(proposals: [], path: nil)), groupID: Array("other".utf8)))
        },
        Refusal("a message for a group whose id starts alike", .wrongGroup, "") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(.commit(Commit(proposals: [], path: nil)), groupID: Array("scen".utf8)))
        },
        Refusal("a commit signed with another key", .badSignature, "of a message") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(.commit(Commit(proposals: [], path: nil)), key: scene.external))
        },
        Refusal("an encrypted commit signed with another key", .badSignature, "of a message") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(
                    .commit(Commit(proposals: [], path: nil)), as: .privateMessage, key: scene.external))
        },
        Refusal("a commit in another member's name", .badSignature, "of a message") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(.commit(Commit(proposals: [], path: nil)), sender: .member(LeafIndex(2))))
        },
        Refusal("a commit in the name of a blank leaf", .unknownSender, "") { scene in
            scene.bob.tree.set(LeafIndex(2).node, to: nil)
            _ = try scene.bob.process(
                scene.alice.forge(.commit(Commit(proposals: [], path: nil)), sender: .member(LeafIndex(2))))
        },
        Refusal("a commit in the name of a leaf that is not there", .unknownSender, "") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(
                    .commit(Commit(proposals: [], path: nil)), sender: .member(LeafIndex(rawValue: .max))))
        },
        Refusal("our own commit", .unexpectedMessage, "our own commit") { scene in
            _ = try scene.alice.process(scene.alice.commit().message)
        },
        Refusal("a commit from an external sender", .unexpectedMessage, "this sender cannot send this") { scene in
            _ = try scene.bob.process(
                scene.alice.forge(
                    .commit(Commit(proposals: [], path: nil)), sender: .external(0), key: scene.external))
        },
        Refusal("application data in the open", .unexpectedMessage, "application data is always encrypted") { scene in
            let encoded = scene.alice.context.encoded
            let content = FramedContent(
                groupID: scene.alice.groupID, epoch: 1, sender: .member(LeafIndex(0)), authenticatedData: [],
                content: .application([1]))
            let signature = try scene.alice.algorithms.sign(
                content.toBeSigned(.publicMessage, context: encoded), label: "FramedContentTBS",
                key: scene.alice.signer)
            _ = try scene.bob.process(
                MLSMessage(
                    .publicMessage(
                        PublicMessage(
                            content: content, auth: FramedContentAuthData(signature: signature), membershipTag: []))))
        },
    ]

    @Test("its frame is refused:", arguments: framing)
    func refusedByFrame(rule: Refusal) throws { try rule.check() }

    static let withoutPath: [(String, @Sendable (Scene) throws -> [Proposal])] = [
        ("nothing", { _ in [] }),
        ("a Remove", { _ in [.remove(LeafIndex(2))] }),
        ("GroupContextExtensions", { [.groupContextExtensions($0.alice.context.extensions)] }),
        ("an Add beside a Remove", { [.add($0.eve.keyPackage), .remove(LeafIndex(2))] }),
    ]

    @Test("a commit needs a path for", arguments: withoutPath.indices)
    func pathRequired(place: Int) throws {
        var scene = try Scene.open()
        let (what, list) = Self.withoutPath[place]
        expectRefusal(.invalidCommit, "a path is missing", what) {
            _ = try scene.bob.process(scene.alice.forgeCommit(list(scene)))
        }
    }

    @Test("a commit needs a path for an Update, a SelfRemove, and a custom type that says so", arguments: 0..<3)
    func pathRequiredByReference(place: Int) throws {
        var scene = try Scene.open()
        if place == 2 {
            scene.bob.options.codec.customProposals[Scene.custom]?.requiresPath = true
            let list: [Proposal] = [.custom(Scene.custom, body: [])]
            expectRefusal(.invalidCommit, "a path is missing", "a custom type") {
                _ = try scene.bob.process(scene.alice.forgeCommit(list))
            }
            scene.bob.options.codec.customProposals[Scene.custom]?.requiresPath = false
            // Then it is only that not every member knows the type.
            expectRefusal(.invalidProposal, "a member does not support a type of proposal", "no path needed") {
                _ = try scene.bob.process(scene.alice.forgeCommit(list))
            }
            return
        }
        let message =
            try place == 0
            ? scene.carol.proposeUpdate() : scene.carol.propose(.custom(.selfRemove, body: nil))
        let reference = try scene.bob.accept(message)
        expectRefusal(.invalidCommit, "a path is missing", "by reference") {
            _ = try scene.bob.process(scene.alice.forgeCommit(references: [reference]))
        }
    }

    @Test("a commit needs no path for Adds, pre-shared keys and ReInit")
    func pathNotRequired() throws {
        var scene = try Scene.open()
        scene.alice.setPSK([1], id: [1])
        scene.bob.setPSK([1], id: [1])
        for list in try [
            [.add(scene.eve.keyPackage)], [ProposalListRefusals.psk()], [ProposalListRefusals.reInit()],
        ] {
            let (commit, before) = (try scene.alice.commit(list, freshKeys: false), scene.bob)
            try scene.bob.follow(commit.message)
            #expect(scene.bob.epochAuthenticator == commit.staged.next.member?.secrets.authenticator)
            scene.bob = before
        }
    }
}
