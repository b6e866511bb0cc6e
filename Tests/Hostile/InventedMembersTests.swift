import AccountTesting
import Circles
import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

@Suite("Members that somebody invents", .timeLimit(.minutes(10)))
struct InventedMembersTests {
    private let attack = CircleUnderAttack()
    private var bench: MailBench { attack.bench }

    /// Eve's program: her circle, and the member she made up in it.
    private struct Invention {
        var circle: MarmotGroup
        var dave: MarmotGroup
        let welcome: Rumor
    }

    @Test("are shown as such, at their lines and places, and nobody who is real is")
    func invented() async throws {
        bench.layOut(.bob)
        let bob = bench.person(.bob)
        try await bob.unlock()
        try await bench.running(bob) {
            try await bob.circles.membership.becomeInvitable()
            var random = SeededRandom(seed: 7)
            var invention = try invent(for: try await keyPackage(of: bob), using: &random)
            let wrap = try GiftWrap.make(
                invention.welcome, by: TestPerson.eve.secretKey, for: bob.key, now: bench.now, using: &random)
            bench.network.arrive(wrap, on: AccountTesting.relay("bob"))
            try await bench.eventually("bob is invited") {
                try await !bob.circles.reader.overview().invitations.isEmpty
            }
            let id = try #require(await bob.circles.reader.overview().invitations.first).id
            try await bob.circles.membership.acceptInvitation(to: id)
            let place = try #require(LocationPayload(latitude: 1, longitude: 2, accuracy: 3, sentAt: bench.now))
            for draft in [
                EventDraft(kind: 9, content: "I am Dave", createdAt: bench.now), CircleMessage.location(place),
            ] {
                let said = try invention.dave.send(draft, now: bench.now, using: &random)
                bench.network.arrive(said.event, on: CircleUnderAttack.relay)
            }
            let spoken = try invention.circle.send(
                EventDraft(kind: 9, content: "I am Eve", createdAt: bench.now), now: bench.now, using: &random)
            bench.network.arrive(spoken.event, on: CircleUnderAttack.relay)
            try await bench.eventually("bob has read all, and knows whose Welcome it was") {
                let page = try await bob.circles.reader.page(of: id, before: nil, limit: 50)
                return page.lines.count(where: { if case .text = $0.body { true } else { false } }) == 2
                    && page.members.contains { $0.place != nil }
                    && page.members.filter(\.isUnverified).map(\.id) == [TestPerson.dave.publicKey]
            }
            let page = try await bob.circles.reader.page(of: id, before: nil, limit: 50)
            #expect(page.lines.filter(\.isUnverified).map(\.body) == [.text("I am Dave")])
            #expect(page.members.filter(\.isPlaceUnverified).map(\.id) == [TestPerson.dave.publicKey])
        }
    }

    /// The key package that Bob has published.
    private func keyPackage(of bob: MailPerson) async throws -> PublishedKeyPackage {
        try await bench.eventually("bob has published a key package") {
            bench.network.offers.contains { isKeyPackage($0.event) }
        }
        let event = try #require(bench.network.offers.last { isKeyPackage($0.event) }).event
        return try GenerationB().keyPackage(in: event, now: bench.now)
    }

    private func isKeyPackage(_ event: Event) -> Bool {
        (try? GenerationB().keyPackage(in: event, now: bench.now)) != nil
    }

    private func invent(
        for bob: PublishedKeyPackage, using random: inout SeededRandom
    ) throws -> Invention {
        let (eve, dave) = (TestPerson.eve.publicKey, TestPerson.dave.publicKey)
        let policy = MarmotPolicy(GenerationB(), clock: { [bench] in bench.now })
        let data = GroupData(
            nostrGroupID: .random(using: &random), name: "Old friends", admins: [eve], relays: [CircleUnderAttack.relay]
        )
        let forged = try GenerationB().newKeyPackage(for: dave, now: bench.now, using: &random)
        var circle = try MarmotGroup(
            founding: data, with: GenerationB().newKeyPackage(for: eve, now: bench.now, using: &random),
            invited: [bob], profile: GenerationB(), policy: policy, using: &random)
        let made = try circle.commit(
            circle.adding([bob]) + [.add(forged.keyPackage)], now: bench.now, using: &random)
        try circle.merge(made.commit)
        let welcome = try #require(made.welcome)
        let group = try Group(
            joining: welcome, with: forged, policy: policy, options: GenerationB().groupOptions)
        return Invention(
            circle: circle, dave: try MarmotGroup(group, profile: GenerationB()),
            welcome: try WelcomeRumor.rumor(
                welcome, for: bob, by: eve, relays: [CircleUnderAttack.relay], now: bench.now))
    }
}
