import AccountTesting
import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles
@testable import Marmot
@testable import NostrClient

/// Who in a circle is known to be who they say.
@Suite(.timeLimit(.minutes(10)))
struct VerifiedMembersTests {
    let bench = MailBench.withCircles()

    private func unverified(_ person: MailPerson, _ id: CircleID) async throws -> Set<PublicKey> {
        let page = try await person.circles.reader.page(of: id, before: nil, limit: 50)
        return Set(page.members.filter(\.isUnverified).map(\.id))
    }

    @Test("members are known by the Welcome and by the key packages they published, whoever added them")
    func known() async throws {
        bench.layOut(.alice, .bob, .carol)
        let (alice, bob, carol) = (bench.person(.alice), bench.person(.bob), bench.person(.carol))
        for person in [alice, bob, carol] { try await person.unlock() }
        try await bench.running(alice, bob, carol) {
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            try await bench.join(bob, id, of: alice)
            try await bench.join(carol, id, of: alice)
            for person in [alice, bob, carol] {
                try await bench.eventually("\(person.who) knows all") {
                    guard try await person.members(id).count == 3 else { return false }
                    return try await unverified(person, id).isEmpty
                }
            }
            try await carol.circles.messaging.send("hello", replyTo: nil, in: id)
            try await bench.eventually("bob reads it") { try await bob.lines(id) == ["hello"] }
            let lines = try await bob.circles.reader.page(of: id, before: nil, limit: 50).lines
            #expect(lines.allSatisfy { !$0.isUnverified })
        }
    }

    @Test("a member that an admin invented is shown so, at each of their lines and places, also after a start")
    func invented() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        for person in [alice, bob] { try await person.unlock() }
        try await bench.running(alice, bob) {
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            try await bench.join(bob, id, of: alice)
            var admin = try #require(await alice.circles.store.circles[id]?.session?.group)
            var random = SeededRandom(seed: 7)
            let dave = TestPerson.dave.publicKey
            let forged = try GenerationB().newKeyPackage(for: dave, now: bench.now, using: &random)
            let made = try admin.commit([.add(forged.keyPackage)], now: bench.now, using: &random)
            var eve = try MarmotGroup(
                Group(
                    joining: #require(made.welcome), with: forged,
                    policy: MarmotPolicy(GenerationB(), clock: { [bench] in bench.now }),
                    options: GenerationB().groupOptions), profile: GenerationB())
            bench.network.arrive(made.event, on: relay("circle"))
            try await bench.eventually("bob has heard of it") { try await bob.members(id).contains(dave) }
            #expect(try await unverified(bob, id) == [dave])
            let place = try #require(LocationPayload(latitude: 1, longitude: 2, accuracy: 3, sentAt: bench.now))
            for draft in [
                EventDraft(kind: 9, content: "I am Dave", createdAt: bench.now), CircleMessage.location(place),
            ] {
                let said = try eve.send(draft, now: bench.now, using: &random)
                bench.network.arrive(said.event, on: relay("circle"))
            }
            try await bench.eventually("bob has both") {
                let page = try await bob.circles.reader.page(of: id, before: nil, limit: 50)
                return page.lines.contains { $0.body == .text("I am Dave") }
                    && page.members.contains { $0.place != nil }
            }
            await bob.lock()
            try await bob.unlock()
            let page = try await bob.circles.reader.page(of: id, before: nil, limit: 50)
            #expect(page.lines.filter(\.isUnverified).map(\.body) == [.text("I am Dave")])
            #expect(page.members.filter(\.isPlaceUnverified).map(\.id) == [dave])
        }
    }
}
