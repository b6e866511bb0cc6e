import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

@Suite("A group through its life (MIP-03)") struct MarmotGroupTests {
    @Test("three talk, one is added, all renew their keys, one is removed")
    func life() throws {
        var circle = try Circle.open()
        #expect(try circle.bob.readText(circle.alice.sendText("hello")) == "hello")
        let dave = try TestPerson.dave.keyPackage()
        let adding = try circle.alice.change(circle.alice.adding([dave.published]))
        #expect(adding.commit.added == [TestPerson.dave.publicKey])
        try circle.alice.merge(adding.commit)
        try circle.bob.follow(adding.event)
        try circle.carol.follow(adding.event)
        var david = try Circle.join(try #require(adding.welcome), dave.own, dave.published)
        let renewing = try david.change()
        try david.merge(renewing.commit)
        try circle.alice.follow(renewing.event)
        try circle.bob.follow(renewing.event)
        #expect(try circle.bob.readText(david.sendText("new keys")) == "new keys")
        let removing = try circle.alice.change(circle.alice.removing([TestPerson.bob.publicKey]))
        #expect(removing.commit.removed == [TestPerson.bob.publicKey] && removing.commit.left.isEmpty)
        try circle.alice.merge(removing.commit)
        try david.follow(removing.event)
        guard case .commit(let last) = try circle.bob.read(removing.event, now: noon) else {
            Issue.record("no commit")
            return
        }
        #expect(last.removesUs)
        refuses(.refusedByMLS) { try circle.bob.merge(last) }
        let secret = try david.sendText("just us")
        refuses(.undecryptable) { _ = try circle.bob.read(secret, now: noon) }
        #expect(try circle.alice.readText(secret) == "just us")
    }

    @Test("a member leaves, and any other lets them go")
    func leaving() throws {
        var circle = try Circle.open()
        var random = SeededRandom(seed: 1)
        let leaving = try circle.carol.leave(now: noon, using: &random)
        for path in [\Circle.alice, \.bob] {
            guard case .proposal(_, .member, .commit) = try circle[keyPath: path].read(leaving, now: noon) else {
                Issue.record("not to be committed")
                continue
            }
        }
        // Nobody is silenced meanwhile.
        #expect(try circle.alice.readText(circle.bob.sendText("bye")) == "bye")
        #expect(try circle.bob.readText(circle.carol.sendText("bye")) == "bye")
        let commit = try circle.bob.change()
        #expect(commit.commit.left == [TestPerson.carol.publicKey] && commit.commit.removed.isEmpty)
        try circle.bob.merge(commit.commit)
        try circle.alice.follow(commit.event)
        #expect(circle.alice.roster.people == [TestPerson.alice.publicKey, TestPerson.bob.publicKey])
    }

    @Test("where not all know SelfRemove, a member asks to be removed, and an admin does it")
    func leavingLegacy() throws {
        var circle = try Circle.open()
        var extensions = circle.alice.mls.context.extensions
        let required = RequiredCapabilities(extensions: [.marmotGroupData], proposals: [], credentials: [])
        extensions[1] = Extension(type: .requiredCapabilities, data: required.encoded)
        let relaxing = try circle.alice.change([.groupContextExtensions(extensions)])
        try circle.alice.merge(relaxing.commit)
        try circle.bob.follow(relaxing.event)
        try circle.carol.follow(relaxing.event)
        var random = SeededRandom(seed: 1)
        let leaving = try circle.carol.leave(now: noon, using: &random)
        guard case .proposal(.remove, _, .keep) = try circle.bob.read(leaving, now: noon),
            case .proposal(.remove, _, .commit) = try circle.alice.read(leaving, now: noon)
        else {
            Issue.record("another handling")
            return
        }
        #expect(try circle.bob.change().commit.staged.proposals.isEmpty)
        let commit = try circle.alice.change()
        try circle.alice.merge(commit.commit)
        try circle.bob.follow(commit.event)
        #expect(!circle.bob.roster.people.contains(TestPerson.carol.publicKey))
    }

    @Test("an admin steps down before leaving, and the last one cannot")
    func steppingDown() throws {
        var circle = try Circle.open()
        var random = SeededRandom(seed: 1)
        refuses(.noAdminLeft) { _ = try circle.alice.steppingDown() }
        refuses(.notAdmin) { _ = try circle.bob.steppingDown() }
        refuses(.adminMustStepDown) { _ = try circle.alice.leave(now: noon, using: &random) }
        var data = circle.alice.roster.data
        data.admins.insert(TestPerson.bob.publicKey)
        let promoting = try circle.alice.change([circle.alice.setting(data)])
        try circle.alice.merge(promoting.commit)
        try circle.bob.follow(promoting.event)
        let down = try circle.alice.change([circle.alice.steppingDown()])
        try circle.alice.merge(down.commit)
        try circle.bob.follow(down.event)
        #expect(circle.bob.roster.presentAdmins == [TestPerson.bob.publicKey])
        _ = try circle.bob.read(circle.alice.leave(now: noon, using: &random), now: noon)
        let letting = try circle.bob.change()
        guard case .commit(let last) = try circle.alice.read(letting.event, now: noon) else {
            Issue.record("no commit")
            return
        }
        #expect(last.removesUs && last.left == [TestPerson.alice.publicKey])
    }

    @Test("who is removed is an admin no more, and goes from all their places")
    func removing() throws {
        var circle = try Circle.open()
        let packages = try (0..<2).map { _ in try TestPerson.eve.keyPackage().published }
        for package in packages {
            try circle.alice.merge(circle.alice.change(circle.alice.adding([package])).commit)
        }
        #expect(circle.alice.roster.places(of: TestPerson.eve.publicKey).count == 2)
        var data = circle.alice.roster.data
        data.admins.formUnion([TestPerson.eve.publicKey, TestPerson.dave.publicKey])
        try circle.alice.merge(circle.alice.change([circle.alice.setting(data)]).commit)
        // Dave is no member, so he became no admin.
        #expect(circle.alice.roster.data.admins == [TestPerson.alice.publicKey, TestPerson.eve.publicKey])
        let removing = try circle.alice.change(circle.alice.removing([TestPerson.eve.publicKey]))
        #expect(removing.commit.removed.count == 2)
        #expect(removing.commit.after.data.admins == [TestPerson.alice.publicKey])
        refuses(.notAllowed) { _ = try circle.alice.removing([TestPerson.alice.publicKey]) }
    }

    @Test("a member's own program does not commit what only admins may")
    func asksFirst() throws {
        var bob = try Circle.open().bob
        let dave = try TestPerson.dave.keyPackage().published
        refuses(.notAdmin) { _ = try bob.change(bob.adding([dave])) }
        refuses(.notAdmin) { _ = try bob.change(bob.removing([TestPerson.carol.publicKey])) }
        #expect(try bob.change().commit.committer == TestPerson.bob.publicKey)
    }

    @Test("what strangers to the role propose stays out of our commits, and does not silence us")
    func strayProposals() throws {
        var circle = try Circle.open()
        var carol = circle.carol.mls
        let dave = try TestPerson.dave.keyPackage().published
        let stray: [(Proposal, ProposalHandling)] = [
            (.add(dave.keyPackage), .keep), (.remove(circle.bob.mls.ownIndex), .keep),
            (.groupContextExtensions([]), .ignore),
        ]
        for (proposal, expected) in stray {
            let event = try circle.carol.envelope(carol.propose(proposal))
            guard case .proposal(_, _, let handling) = try circle.alice.read(event, now: noon) else {
                Issue.record("no proposal")
                continue
            }
            #expect(handling == expected)
        }
        #expect(try circle.bob.readText(circle.alice.sendText("still here")) == "still here")
        let commit = try circle.alice.change()
        #expect(commit.commit.staged.proposals.isEmpty)
        try circle.bob.follow(commit.event)
    }

    @Test("an admin who asks to be let go is ignored")
    func adminLeaves() throws {
        var circle = try Circle.open()
        var alice = circle.alice.mls
        let event = try circle.alice.envelope(alice.propose(.custom(.selfRemove, body: nil)))
        guard case .proposal(_, _, .ignore) = try circle.bob.read(event, now: noon) else {
            Issue.record("not ignored")
            return
        }
        #expect(try circle.bob.change().commit.left.isEmpty)
    }

    @Test("what is refused changes nothing")
    func unchanged() throws {
        var circle = try Circle.open()
        let before = circle.bob.mls.saved
        let event = try circle.alice.sendText("hello")
        refuses(.tooOld) { _ = try circle.bob.read(event, now: noon + .seconds(50 * 86_400)) }
        var careless = try circle.careless(.carol)
        let commit = try circle.alice.envelope(careless.commit([.remove(circle.alice.mls.ownIndex)]).message)
        refuses(.notAdmin) { _ = try circle.bob.read(commit, now: noon) }
        #expect(circle.bob.mls.saved == before)
    }

    @Test("a group is founded by an admin of it, with what it requires")
    func founding() throws {
        var random = SeededRandom(seed: 1)
        let own = try TestPerson.bob.keyPackage().own
        refuses(.noAdminLeft) {
            _ = try MarmotGroup(
                founding: Circle.data(), with: own, invited: [], profile: GenerationB(),
                policy: MarmotPolicy.at(noon), using: &random)
        }
        let alone = try MarmotGroup(
            founding: Circle.data(admins: [TestPerson.bob.publicKey]), with: own, invited: [],
            profile: GenerationB(), policy: MarmotPolicy.at(noon), using: &random)
        #expect(alone.mls.epoch == 0 && alone.mls.groupID.count == 32 && alone.roster.requiresSelfRemove)
    }

    @Test("a group of an id that we are in is not joined once more")
    func joinedAlready() throws {
        var alice = try Circle.open().alice
        let dave = try TestPerson.dave.keyPackage()
        let welcome = try #require(try alice.change(alice.adding([dave.published])).welcome)
        let rumor = try WelcomeRumor(Circle.rumor(welcome, dave.published))
        let invitation = try Invitation(
            rumor, with: dave.own, publishedAs: [dave.published.eventID], profile: GenerationB())
        refuses(.refusedByMLS) {
            _ = try invitation.join(policy: MarmotPolicy(GenerationB(), clock: { noon }, isMember: { _ in true }))
        }
    }

    @Test("who believes whom")
    func policy() throws {
        let policy = MarmotPolicy.at(noon)
        let key = SignaturePublicKey([])
        #expect(policy.accepts(Credential(TestPerson.alice.publicKey), of: key))
        #expect(!policy.accepts(.basic(identity: [1]), of: key))
        #expect(!policy.accepts(.basic(identity: Array(TestPerson.alice.publicKey.hex.utf8)), of: key))
        #expect(!policy.accepts(.x509(certificates: [[1]]), of: key))
        #expect(!policy.accepts(ExternalSender(signatureKey: key, credential: Credential(TestPerson.eve.publicKey))))
        #expect(!policy.allows(.remove(LeafIndex(rawValue: 0)), from: .external(0)))
        #expect(!policy.allows(.custom(ProposalType(rawValue: 11), body: nil), from: .member(LeafIndex(rawValue: 0))))
        #expect(policy.now == 1_800_000_000 && policy.maximumLifetime == nil)
    }
}
