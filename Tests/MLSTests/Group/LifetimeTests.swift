import Testing

@testable import MLS

/// When the lifetime of a key package counts, and when no more: RFC 9420 §7.3.
@Suite struct LifetimeTests {
    /// All key packages of the scene are over by then, unless a test makes others.
    private static let late: UInt64 = 6_000

    @Test("a commit is followed though the lifetime of whom it adds is over by then", arguments: [false, true])
    func catchesUp(byReference: Bool) throws {
        var scene = try Scene.open()
        var bob = try scene.bob.at(Self.late)
        let add = Proposal.add(scene.eve.keyPackage)
        if byReference {
            let proposal = try scene.carol.propose(add)
            _ = try scene.alice.process(proposal)
            _ = try bob.process(proposal)
        }
        let commit = try scene.alice.commit(byReference ? [] : [add])
        try scene.alice.merge(commit.staged)
        guard case .commit(let staged) = try bob.process(commit.message) else { throw MLSError(.unexpectedMessage) }
        #expect(staged.added == [LeafIndex(4)])
        #expect(staged.outOfLifetime(at: Self.late) == staged.added && staged.outOfLifetime(at: 1_000).isEmpty)
        try bob.merge(staged)
        #expect(bob.epochAuthenticator == scene.alice.epochAuthenticator)
        let read = try bob.read(scene.alice.encrypt([1]))
        #expect(read == [1])
    }

    @Test("nobody proposes or commits to add whom out of their lifetime", arguments: [499, 5_001] as [UInt64])
    func refusesToAdd(now: UInt64) throws {
        var scene = try Scene.open()
        var alice = try scene.alice.at(now)
        let add = Proposal.add(scene.eve.keyPackage)
        expectRefusal(.invalidLeafNode, "out of its lifetime", "proposing") { _ = try alice.propose(add) }
        expectRefusal(.invalidLeafNode, "out of its lifetime", "committing") { _ = try alice.commit([add]) }
        _ = try alice.process(scene.bob.propose(add))
        #expect(try alice.commit().staged.added.isEmpty)
    }

    @Test("at the ends of a lifetime it is not over", arguments: [500, 5_000] as [UInt64])
    func includesEnds(now: UInt64) throws {
        let scene = try Scene.open()
        var alice = try scene.alice.at(now)
        #expect(try alice.commit([.add(scene.eve.keyPackage)]).staged.outOfLifetime(at: now).isEmpty)
    }

    @Test("without a clock no lifetime counts")
    func knowsNoTime() throws {
        let scene = try Scene.open()
        var alice = try scene.alice.at(nil)
        let frank = try Scene.keyPackage("Frank", lifetime: Lifetime(notBefore: 1, notAfter: 2))
        let welcome = try #require(try alice.commit([.add(frank.keyPackage)]).welcome)
        _ = try Group(joining: welcome, with: frank, policy: ScenePolicy(now: nil))
    }

    @Test("whoever joins looks at the lifetimes of the others, but for those who are here for long if they like")
    func joins() throws {
        let scene = try Scene.open()
        var alice = scene.alice
        let welcome = try #require(try alice.commit([.add(scene.eve.keyPackage)]).welcome)
        let info = try scene.alice.groupInfo()
        var policy = ScenePolicy(now: Self.late)
        expectRefusal(.invalidLeafNode, "out of its lifetime", "by a Welcome") {
            _ = try Group(joining: welcome, with: scene.eve, policy: policy)
        }
        expectRefusal(.invalidLeafNode, "out of its lifetime", "from outside") {
            _ = try Group.join(info, with: scene.eve, policy: policy)
        }
        policy.joinsLate = true
        _ = try Group(joining: welcome, with: scene.eve, policy: policy)
        _ = try Group.join(info, with: scene.eve, policy: policy)
    }

    @Test("whoever joins does not refuse their own leaf, nor the one they come back for")
    func knowsOneself() throws {
        var alice = try Scene.keyPackage("Alice").creating()
        let bob = try Scene.keyPackage("Bob")
        let commit = try alice.commit([.add(bob.keyPackage)])
        try alice.merge(commit.staged)
        let policy = ScenePolicy(now: Self.late)
        _ = try Group(joining: #require(commit.welcome), with: bob, policy: policy)
        let (back, message) = try Group.join(alice.groupInfo(), with: bob, former: LeafIndex(1), policy: policy)
        try alice.follow(message)
        #expect(alice.epochAuthenticator == back.epochAuthenticator)
    }
}

extension Group {
    /// The same group under a policy with another clock.
    fileprivate func at(_ second: UInt64?) throws -> Group {
        try Group(saved, policy: ScenePolicy(now: second), options: options)
    }
}

extension OwnKeyPackage {
    /// A group of its owner.
    fileprivate func creating() throws -> Group {
        try Group(creating: [1], with: self, policy: ScenePolicy())
    }
}
