import AccountTesting
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles
@testable import Marmot
@testable import NostrClient

/// Circles in which two changes were made at once, and what becomes of who is in the branch that does not count.
@Suite(.timeLimit(.minutes(10)))
struct BranchTests {
    let bench = MailBench.withCircles()

    /// A group as a member has it, to make changes on that this member's account does not make.
    private func group(_ person: MailPerson, _ id: CircleID) async throws -> MarmotGroup {
        try #require(await person.circles.store.circles[id]?.session?.group)
    }

    private func epoch(_ person: MailPerson, _ id: CircleID) async throws -> UInt64 {
        try await person.circles.reader.health(of: id).epoch
    }

    /// Alice and Bob, both admins of a circle, and who else has joined it.
    private func found(_ alice: MailPerson, _ bob: MailPerson, others: MailPerson...) async throws -> CircleID {
        let id = try await alice.circles.membership.create(
            "Family", about: "", relays: [relay("circle"), relay("spare")])
        try await bench.join(bob, id, of: alice)
        var edit = CircleEdit()
        edit.promoted = [bob.key]
        try await alice.circles.administration.edit(id, edit)
        for person in others { try await bench.join(person, id, of: alice) }
        for person in [alice, bob] + others {
            try await bench.eventually("\(person.who) knows both admins") {
                try await person.circles.reader.page(of: id, before: nil, limit: 1).members.count(where: \.isAdmin) == 2
            }
        }
        return id
    }

    private func people(_ who: TestPerson...) async throws -> [MailPerson] {
        for one in who { bench.layOut(one) }
        let people = who.map { bench.person($0) }
        for person in people { try await person.unlock() }
        return people
    }

    @Test("a second Welcome of another admin is kept, and followed once it opens what comes")
    func otherAdmin() async throws {
        let people = try await people(.alice, .bob, .carol)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        try await bench.running(alice, bob, carol) {
            let id = try await found(alice, bob)
            var other = try await group(bob, id)
            try await bench.join(carol, id, of: alice)
            let package = try #require(
                await carol.circles.store.state?.keyPackages.first { $0.usedAt != nil }?.event)
            // What Bob would have done in the same moment.
            var random = SeededRandom(seed: 7)
            let published = try GenerationB().keyPackage(in: package, now: bench.now)
            let made = try other.commit(other.adding([published]), now: bench.now, using: &random)
            try other.merge(made.commit)
            let rumor = try WelcomeRumor.rumor(
                #require(made.welcome), for: published, by: bob.key, relays: [relay("circle")], now: bench.now)
            let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
            guard case .dropped = try await carol.circles.store.receive(welcome: gift, clearing: []) else {
                Issue.record("Nothing shows yet that it is needed.")
                return
            }
            let before = try await carol.circles.reader.health(of: id).fingerprint
            let said = try other.send(
                EventDraft(kind: 9, content: "over here", createdAt: bench.now), now: bench.now,
                using: &random)
            bench.network.arrive(said.event, on: relay("circle"))
            try await bench.eventually("carol is where bob is") { try await carol.lines(id) == ["over here"] }
            #expect(try await carol.circles.reader.health(of: id).fingerprint != before)
            #expect(try await carol.circles.store.state?.keptWelcomes[id]?.isEmpty == true)
        }
    }

    @Test("a newer Welcome of the same admin is followed at once; an older one and a stranger's are not")
    func sameAdmin() async throws {
        let people = try await people(.alice, .bob)
        let (alice, bob) = (people[0], people[1])
        try await bench.running(alice, bob) {
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            var other = try await group(alice, id)
            try await bench.join(bob, id, of: alice)
            let package = try #require(
                await bob.circles.store.state?.keyPackages.first { $0.usedAt != nil }?.event)
            var random = SeededRandom(seed: 7)
            let published = try GenerationB().keyPackage(in: package, now: bench.now)
            let made = try other.commit(other.adding([published]), now: bench.now, using: &random)
            try other.merge(made.commit)
            let before = try await bob.circles.reader.health(of: id).fingerprint
            for (age, isFollowed) in [(Duration.seconds(60), false), (.seconds(-5), true)] {
                let rumor = try WelcomeRumor.rumor(
                    #require(made.welcome), for: published, by: alice.key, relays: [relay("circle")],
                    now: bench.now - age)
                let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
                _ = try await bob.circles.store.receive(welcome: gift, clearing: [])
                #expect(try await (bob.circles.reader.health(of: id).fingerprint != before) == isFollowed)
            }
        }
    }

    @Test("a change reaches a relay that was away when it was made")
    func lateRelay() async throws {
        let people = try await people(.alice)
        let alice = people[0]
        try await bench.running(alice) {
            let id = try await alice.circles.membership.create(
                "Family", about: "", relays: [relay("circle"), relay("spare")])
            bench.network.goAway(relay("spare"))
            var edit = CircleEdit()
            edit.name = "The house"
            try await alice.circles.administration.edit(id, edit)
            try await bench.eventually("it is made") { try await epoch(alice, id) == 1 }
            func commits(at place: RelayURL) -> Int {
                bench.network.offers.count { $0.relay == place && $0.event.kind == .groupEvent }
            }
            try await bench.eventually("it is on one") { commits(at: relay("circle")) > 0 }
            let before = commits(at: relay("spare"))
            bench.network.comeBack(relay("spare"))
            // It may have been tried once more while the relay was away; then it waits for its next try.
            try await bench.eventually("it is on the other") {
                bench.clock.advance(by: .seconds(1))
                return commits(at: relay("spare")) > before
            }
        }
    }
}
