import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

/// Who of the circle may commit what: one row of the table, tried by somebody whose program does not ask.
struct CommitRule: Sendable, CustomTestStringConvertible {
    enum Who: Sendable { case alice, bob, carol }
    enum Before: Sendable { case leaves(Who), addsDave(Who) }

    let testDescription: String
    let committer: Who
    /// Nothing if it is allowed.
    let refusal: MarmotError.Code?
    /// What somebody proposes before; the committer commits that too.
    let before: Before?
    let changes: @Sendable (Circle) throws -> [Proposal]

    init(
        _ name: String, _ committer: Who, _ refusal: MarmotError.Code?,
        after before: Before? = nil,
        _ changes: @escaping @Sendable (Circle) throws -> [Proposal] = { _ in [] }
    ) {
        (testDescription, self.committer, self.refusal) = (name, committer, refusal)
        (self.before, self.changes) = (before, changes)
    }

    /// What somebody proposes before.
    func proposal() throws -> (who: Who, proposal: Proposal)? {
        switch before {
        case .leaves(let who): (who, .custom(.selfRemove, body: nil))
        case .addsDave(let who): (who, try Self.dave())
        case nil: nil
        }
    }

    private static func dave() throws -> Proposal { .add(try TestPerson.dave.keyPackage().published.keyPackage) }

    private static func context(_ circle: Circle, _ change: (inout [Extension]) throws -> Void) rethrows -> [Proposal] {
        var extensions = circle.alice.mls.context.extensions
        try change(&extensions)
        return [.groupContextExtensions(extensions)]
    }

    private static func data(_ circle: Circle, _ change: (inout GroupData) -> Void) -> [Proposal] {
        var data = circle.alice.roster.data
        change(&data)
        return context(circle) { extensions in
            extensions = extensions.map {
                $0.type == .marmotGroupData ? Extension(type: $0.type, data: data.encoded) : $0
            }
        }
    }

    static let all: [CommitRule] = [
        CommitRule("an admin renews their keys", .alice, nil),
        CommitRule("an admin adds", .alice, nil) { _ in [try dave()] },
        CommitRule("an admin removes", .alice, nil) { [.remove($0.bob.mls.ownIndex)] },
        CommitRule("an admin adds and removes", .alice, nil) { [try dave(), .remove($0.bob.mls.ownIndex)] },
        CommitRule("an admin renames", .alice, nil) { data($0) { $0.name = "Others" } },
        CommitRule("an admin makes another the only admin", .alice, nil) {
            data($0) { $0.admins = [TestPerson.bob.publicKey] }
        },
        CommitRule(
            "an admin lets somebody go", .alice, nil, after: .leaves(.carol)),
        CommitRule(
            "an admin lets somebody go and adds", .alice, nil, after: .leaves(.carol)
        ) { _ in [try dave()] },
        CommitRule("an admin leaves no admin", .alice, .noAdminLeft) {
            data($0) { $0.admins = [TestPerson.eve.publicKey] }
        },
        CommitRule("an admin leaves nobody in the list", .alice, .noAdminLeft) { data($0) { $0.admins = [] } },
        CommitRule("an admin takes away what the group says", .alice, .unsupported) {
            context($0) { $0.removeAll { $0.type == .marmotGroupData } }
        },
        CommitRule("an admin takes away what is required", .alice, .unsupported) {
            context($0) { $0.removeAll { $0.type == .requiredCapabilities } }
        },
        CommitRule("an admin says what cannot be read", .alice, .malformed) {
            context($0) {
                $0 = $0.map { $0.type == .marmotGroupData ? Extension(type: $0.type, data: [0, 2, 1]) : $0 }
            }
        },
        CommitRule("a member renews their keys", .bob, nil),
        CommitRule("a member lets somebody go", .bob, nil, after: .leaves(.carol)),
        CommitRule("a member adds", .bob, .notAdmin) { _ in [try dave()] },
        CommitRule("a member removes", .bob, .notAdmin) { [.remove($0.carol.mls.ownIndex)] },
        CommitRule("a member removes the admin", .bob, .notAdmin) { [.remove($0.alice.mls.ownIndex)] },
        CommitRule("a member renames", .bob, .notAdmin) { data($0) { $0.name = "Bob's" } },
        CommitRule("a member makes themselves an admin", .bob, .notAdmin) {
            data($0) { $0.admins.insert(TestPerson.bob.publicKey) }
        },
        CommitRule(
            "a member lets somebody go and adds", .bob, .notAdmin, after: .leaves(.carol)
        ) { _ in [try dave()] },
        CommitRule(
            "a member commits an admin's Add", .bob, .notAdmin, after: .addsDave(.alice)),
        CommitRule(
            "a member lets the admin go", .bob, .adminMustStepDown, after: .leaves(.alice)),
        CommitRule(
            "an admin commits a member's Add", .alice, nil, after: .addsDave(.carol)),
        CommitRule("an admin ends the group", .alice, .refusedByMLS) { _ in
            [.reInit(ReInit(groupID: [1], cipherSuite: .x25519AES128, extensions: []))]
        },
    ]
}

@Suite("Who may commit what (MIP-03)") struct CommitRuleTests {
    @Test("follows what is allowed and refuses the rest", arguments: CommitRule.all)
    func rule(rule: CommitRule) throws {
        var circle = try Circle.open()
        var careless = try circle.careless(rule.committer)
        if let (who, proposal) = try rule.proposal() {
            var proposer = try circle.careless(who)
            let event = try circle.alice.envelope(proposer.propose(proposal))
            for member in circle.others(than: who) { _ = try circle[keyPath: member].read(event, now: noon) }
            if who != rule.committer {
                let opened = try GenerationB().open(event, with: circle.alice.keyring, now: noon)
                _ = try careless.process(opened.message)
            }
            // The proposer knows their own proposal.
            if who != rule.committer { try circle.adopt(proposer, as: who) }
        }
        let event = try circle.alice.envelope(careless.commit(rule.changes(circle)).message)
        for member in circle.others(than: rule.committer) {
            // Whose own SelfRemove is committed is removed.
            if let refusal = rule.refusal {
                refuses(refusal, rule.testDescription) { _ = try circle[keyPath: member].read(event, now: noon) }
                #expect(circle[keyPath: member].mls.epoch == 1)
            } else {
                guard case .commit(let commit) = try circle[keyPath: member].read(event, now: noon) else {
                    Issue.record("no commit")
                    continue
                }
                #expect(commit.committer == circle.key(rule.committer))
                guard !commit.removesUs else { continue }
                try circle[keyPath: member].merge(commit)
                #expect(circle[keyPath: member].mls.epoch == 2)
            }
        }
    }

    @Test("refuses who joins by a commit of their own")
    func external() throws {
        var circle = try Circle.open()
        let (_, commit) = try MLS.Group.join(
            circle.alice.mls.groupInfo(), with: TestPerson.eve.keyPackage().own, policy: TrustEverybody())
        let event = try circle.alice.envelope(commit)
        refuses(.refusedByMLS) { _ = try circle.bob.read(event, now: noon) }
    }

    @Test("refuses a member who becomes somebody else")
    func identity() throws {
        var circle = try Circle.open()
        var careless = try circle.careless(.carol)
        let update = try careless.proposeUpdate(credential: Credential(TestPerson.eve.publicKey))
        let event = try circle.alice.envelope(update)
        var alice = try circle.careless(.alice)
        _ = try alice.process(update)
        _ = try circle.bob.read(event, now: noon)
        let commit = try circle.alice.envelope(alice.commit().message)
        refuses(.refusedByMLS) { _ = try circle.bob.read(commit, now: noon) }
    }
}

extension Circle {
    func key(_ who: CommitRule.Who) -> PublicKey {
        switch who {
        case .alice: TestPerson.alice.publicKey
        case .bob: TestPerson.bob.publicKey
        case .carol: TestPerson.carol.publicKey
        }
    }

    private func path(_ who: CommitRule.Who) -> WritableKeyPath<Circle, MarmotGroup> {
        switch who {
        case .alice: \.alice
        case .bob: \.bob
        case .carol: \.carol
        }
    }

    func others(than who: CommitRule.Who) -> [WritableKeyPath<Circle, MarmotGroup>] {
        [CommitRule.Who.alice, .bob, .carol].filter { $0 != who }.map(path)
    }

    /// A member whose program allows everything.
    func careless(_ who: CommitRule.Who) throws -> MLS.Group {
        let member = self[keyPath: path(who)].mls
        return try MLS.Group(member.saved, policy: TrustEverybody(), options: member.options)
    }

    /// Goes on with the state of a careless program, carefully.
    mutating func adopt(_ group: MLS.Group, as who: CommitRule.Who) throws {
        let careful = try MLS.Group(group.saved, policy: MarmotPolicy.at(noon), options: group.options)
        self[keyPath: path(who)] = try MarmotGroup(careful, profile: GenerationB())
    }
}
