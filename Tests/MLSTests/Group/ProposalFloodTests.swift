import Testing

@testable import MLS

/// One member proposes without end: nobody else loses room, and every commit is followed all the same.
@Suite struct ProposalFloodTests {
    /// The scene with little room at Bob's.
    private static func scene(encrypted: Bool = true, _ change: (inout ProposalLimits) -> Void) throws -> Scene {
        var scene = try Scene(encrypted: encrypted)
        change(&scene.bob.options.proposalLimits)
        return scene
    }

    private static func newcomer(_ number: Int) throws -> Proposal {
        .add(try Scene.keyPackage("newcomer \(number)").keyPackage)
    }

    private static func refuses(_ group: inout Group, _ message: MLSMessage, _ code: MLSError.Code) {
        #expect(throws: MLSError(code)) { _ = try group.process(message) }
    }

    @Test("a flood is kept up to the bound, and others keep their room")
    func bounded() throws {
        var scene = try Self.scene { $0.count = 10 }
        for number in 0..<30 {
            // The same proposal with other data beside it is another.
            let message = try scene.carol.propose(.remove(LeafIndex(3)), authenticatedData: [UInt8(number)])
            if number < 10 {
                _ = try scene.bob.accept(message)
            } else {
                Self.refuses(&scene.bob, message, .tooManyProposals)
            }
        }
        #expect(scene.bob.proposals.inOrder.count == 10)
        _ = try scene.bob.accept(scene.dave.proposeUpdate())
        // Whoever leaves can always say so, once.
        _ = try scene.bob.accept(scene.carol.propose(.custom(.selfRemove, body: nil)))
        let again = try scene.carol.propose(.custom(.selfRemove, body: nil), authenticatedData: [1])
        Self.refuses(&scene.bob, again, .tooManyProposals)
        #expect(scene.bob.proposals.inOrder.count == 12)
        // The same message in the open is the same proposal.
        let open = try scene.dave.forgeProposal(.remove(LeafIndex(2)))
        for _ in 0..<20 { _ = try scene.bob.accept(open) }
        #expect(scene.bob.proposals.inOrder.count == 13)
        // What was refused changed nothing, and a new epoch has room again.
        var saved = try Group(scene.bob.saved, policy: ScenePolicy(), options: scene.bob.options)
        #expect(saved.saved == scene.bob.saved)
        Self.refuses(&saved, try scene.carol.propose(.remove(LeafIndex(0))), .tooManyProposals)
        try scene.bob.merge(scene.bob.commit().staged)
        #expect(scene.bob.proposals.isEmpty)
    }

    @Test("long proposals are bounded by their length, and one of any length has room")
    func bytes() throws {
        var scene = try Self.scene { $0.bytes = 2_000 }
        let context = scene.alice.context.extensions
        let long = Proposal.groupContextExtensions(
            context + [Extension(type: Scene.required, data: [UInt8](repeating: 0, count: 3_000))])
        _ = try scene.bob.accept(scene.carol.propose(long))
        Self.refuses(&scene.bob, try scene.carol.propose(.remove(LeafIndex(0))), .tooManyProposals)
        for _ in 0..<3 { _ = try scene.bob.accept(scene.dave.propose(.remove(LeafIndex(0)))) }
    }

    @Test("all who want to join by themselves are one sender, each external sender is one")
    func outside() throws {
        var scene = try Self.scene { $0.count = 2 }
        for number in 0..<4 {
            let own = try Scene.keyPackage("stranger \(number)")
            let message = try scene.alice.forge(
                .proposal(.add(own.keyPackage)), sender: .newMemberProposal, key: own.signer)
            if number < 2 {
                _ = try scene.bob.accept(message)
            } else {
                Self.refuses(&scene.bob, message, .tooManyProposals)
            }
        }
        for number in 0..<4 {
            let message = try scene.alice.forge(
                .proposal(.remove(LeafIndex(number))), sender: .external(0), key: scene.external)
            if number < 2 {
                _ = try scene.bob.accept(message)
            } else {
                Self.refuses(&scene.bob, message, .tooManyProposals)
            }
        }
    }

    @Test("a member does not send what the others keep no more")
    func ours() throws {
        var scene = try Self.scene { $0.count = 3 }
        for _ in 0..<3 { _ = try scene.bob.proposeUpdate() }
        #expect(throws: MLSError(.tooManyProposals)) { _ = try scene.bob.proposeUpdate() }
        _ = try scene.bob.propose(.custom(.selfRemove, body: nil))
        #expect(scene.bob.updateKeys.count == 3)
    }

    @Test("a commit that names what had no room is followed once that is read again", arguments: [false, true])
    func follows(encrypted: Bool) throws {
        var scene = try Self.scene(encrypted: encrypted) { $0.count = 3 }
        var late: [MLSMessage] = []
        for number in 0..<8 {
            let message = try scene.carol.propose(Self.newcomer(number))
            _ = try scene.alice.accept(message)
            if number < 3 { _ = try scene.bob.accept(message) } else { late.append(message) }
        }
        for message in late { Self.refuses(&scene.bob, message, .tooManyProposals) }
        let commit = try scene.alice.commit()
        #expect(commit.staged.added.count == 8)
        let unnamed = try scene.carol.propose(Self.newcomer(9))
        Self.refuses(&scene.bob, commit.message, .missingProposal)
        for message in late { Self.refuses(&scene.bob, message, .tooManyProposals) }
        let before = scene.bob.saved
        try scene.bob.keepRoom(forProposalsOf: commit.message)
        #expect(scene.bob.saved == before, "Nothing is spent.")
        Self.refuses(&scene.bob, unnamed, .tooManyProposals)
        for message in late {
            Self.refuses(&scene.bob, commit.message, .missingProposal)
            _ = try scene.bob.accept(message)
        }
        Self.refuses(&scene.bob, unnamed, .tooManyProposals)
        try scene.bob.follow(commit.message)
        try scene.alice.merge(commit.staged)
        #expect(scene.alice.epochAuthenticator == scene.bob.epochAuthenticator)
    }

    @Test("a group that was saved makes room, and after a crash when it is asked again")
    func stored() throws {
        var scene = try Self.scene { $0.count = 1 }
        let messages = try (0..<3).map { number in
            let message = try scene.carol.propose(Self.newcomer(number))
            _ = try scene.alice.accept(message)
            return message
        }
        let commit = try scene.alice.commit()
        func restarted() throws -> Group {
            try Group(scene.bob.saved, policy: ScenePolicy(), options: scene.bob.options)
        }
        _ = try scene.bob.process(messages[0])
        #expect(throws: MLSError(.missingProposal)) { try scene.bob.process(commit.message) }
        for number in 1...2 {
            scene.bob = try restarted()
            #expect(throws: MLSError(.tooManyProposals)) { try scene.bob.process(messages[number]) }
            try scene.bob.keepRoom(forProposalsOf: commit.message)
            _ = try scene.bob.process(messages[number])
        }
        guard case .commit(let staged) = try scene.bob.process(commit.message) else { return }
        try scene.bob.merge(staged)
        try scene.alice.merge(commit.staged)
        #expect(scene.bob.epochAuthenticator == scene.alice.epochAuthenticator)
    }

    @Test("room is made for commits of members, and is bounded for each of them")
    func boundedRoom() throws {
        var scene = try Self.scene {
            $0.count = 1
            $0.named = 1_000
        }
        var messages: [MLSMessage] = []
        for number in 0..<6 {
            messages.append(try scene.carol.propose(Self.newcomer(number)))
            _ = try scene.alice.accept(try #require(messages.last))
            _ = try scene.dave.accept(try #require(messages.last))
        }
        _ = try scene.bob.accept(messages[0])
        let (first, second) = (try scene.alice.commit().message, try scene.dave.commit().message)
        try scene.bob.keepRoom(forProposalsOf: first)
        func room() -> Int { messages.count { (try? scene.bob.accept($0)) != nil } }
        let taken = room()
        #expect((1...3).contains(taken), "Each has about 350 bytes.")
        #expect(room() == 0)
        // Another member's commit has room of its own.
        try scene.bob.keepRoom(forProposalsOf: second)
        #expect((1...3).contains(room()))
        expectRefusal(.unexpectedMessage, "no commit of a member", "a proposal") {
            try scene.bob.keepRoom(forProposalsOf: scene.dave.propose(.remove(LeafIndex(2))))
        }
        let outside = try Group.join(scene.alice.groupInfo(), with: scene.eve, policy: ScenePolicy()).commit
        expectRefusal(.unexpectedMessage, "no commit of a member", "from outside") {
            try scene.bob.keepRoom(forProposalsOf: outside)
        }
        var forged = scene.dave
        let many = (0...ProposalLimits.mostNamed).map { ProposalRef([UInt8($0 & 0xff), UInt8($0 >> 8)]) }
        let huge = try forged.forgeCommit(references: many)
        expectRefusal(.limitExceeded, "proposals of a commit", "too many") {
            try scene.bob.keepRoom(forProposalsOf: huge)
        }
    }
}
