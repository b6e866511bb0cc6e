import Testing

@testable import MLS

/// Whoever joins by a commit of their own lets go who wants to leave (MLS extensions draft, SelfRemove).
@Suite struct LeavingFromOutsideTests {
    private static let leaving = Proposal.custom(.selfRemove, body: nil)

    @Test("a joiner's commit lets members go, also beside their own former place", arguments: [nil, LeafIndex(3)])
    func letsGo(former: LeafIndex?) throws {
        var scene = try Scene.open()
        let messages = try [scene.carol.propose(Self.leaving), scene.alice.propose(Self.leaving)]
        for message in messages { _ = try scene.bob.accept(message) }
        _ = try scene.carol.accept(messages[1])
        let info = try scene.bob.groupInfo()
        let (eve, commit) = try Group.join(
            info, with: scene.eve, former: former, leaving: messages + messages, policy: ScenePolicy())
        #expect(eve.members.count == (former == nil ? 3 : 2))
        guard case .commit(let staged) = try scene.carol.process(commit) else { throw MLSError(.malformed) }
        #expect(staged.removesUs)
        try scene.bob.follow(commit)
        #expect(scene.bob.epochAuthenticator == eve.epochAuthenticator)
    }

    @Test("a joiner need not be whom they let go")
    func isNobodyElse() throws {
        var scene = try Scene.open()
        let message = try scene.carol.propose(Self.leaving)
        _ = try scene.bob.accept(message)
        // The policy lets nobody come back as Trudy.
        let (_, commit) = try Group.join(
            scene.bob.groupInfo(), with: Scene.keyPackage("Trudy"), leaving: [message], policy: ScenePolicy())
        try scene.bob.follow(commit)
        #expect(scene.bob.members.count == 4)
    }

    @Test("a member who does not know that somebody leaves needs to be told first")
    func missing() throws {
        var scene = try Scene.open()
        let message = try scene.carol.propose(Self.leaving)
        let (eve, commit) = try Group.join(
            scene.alice.groupInfo(), with: scene.eve, leaving: [message], policy: ScenePolicy())
        #expect(throws: MLSError(.missingProposal)) { _ = try scene.bob.process(commit) }
        _ = try scene.bob.accept(message)
        try scene.bob.follow(commit)
        #expect(scene.bob.epochAuthenticator == eve.epochAuthenticator)
    }

    static let refused: [Refusal] = [
        Refusal("another proposal", .unexpectedMessage, "nobody who leaves") { scene in
            try join(scene, scene.carol.propose(.remove(LeafIndex(2))))
        },
        Refusal("an encrypted one", .unexpectedMessage, "nobody who leaves") { scene in
            try join(scene, scene.carol.forge(.proposal(leaving), as: .privateMessage))
        },
        Refusal("one of another group", .wrongGroup, "") { scene in
            try join(scene, scene.carol.forge(.proposal(leaving), groupID: [9]))
        },
        Refusal("one of another epoch", .wrongEpoch, "") { scene in
            try join(scene, scene.carol.forge(.proposal(leaving), epoch: 0))
        },
        Refusal("one of nobody", .unknownSender, "") { scene in
            try join(scene, scene.carol.forge(.proposal(leaving), sender: .member(LeafIndex(6))))
        },
        Refusal("one that somebody else signed", .badSignature, "of a message") { scene in
            try join(scene, scene.carol.forge(.proposal(leaving), sender: .member(LeafIndex(3))))
        },
        Refusal("one of whose place is ours", .invalidProposal, "two proposals change one leaf") { scene in
            try join(scene, scene.carol.propose(leaving), former: LeafIndex(2))
        },
    ]

    private static func join(_ scene: Scene, _ message: MLSMessage, former: LeafIndex? = nil) throws {
        _ = try Group.join(
            scene.alice.groupInfo(), with: scene.eve, former: former, leaving: [message], policy: ScenePolicy())
    }

    @Test("a joiner does not take", arguments: refused)
    func refuses(rule: Refusal) throws { try rule.check() }

    @Test("a group that was joined so is the same after it was saved and read")
    func stored() throws {
        var scene = try Scene.open()
        let message = try scene.carol.propose(Self.leaving)
        _ = try scene.bob.accept(message)
        let (joined, commit) = try Group.join(
            scene.bob.groupInfo(), with: scene.eve, leaving: [message], policy: ScenePolicy())
        try scene.bob.follow(commit)
        let eve = try Group(SavedGroup(bytes: joined.saved.encoded), policy: ScenePolicy())
        #expect(eve.epochAuthenticator == scene.bob.epochAuthenticator)
    }
}
