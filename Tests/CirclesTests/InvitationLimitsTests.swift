import AccountTesting
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles
@testable import Marmot
@testable import NostrClient

/// Anybody who finds a key package can send Welcomes, as many as they like.
@Suite(.timeLimit(.minutes(10)))
struct InvitationLimitsTests {
    let bench = MailBench.withCircles()

    private func record(_ inviter: String, _ number: Int, size: Int = 10) throws -> (CircleID, InvitationRecord) {
        let id = try #require(CircleID([UInt8(number >> 8), UInt8(number & 255)]))
        return (
            id,
            InvitationRecord(
                rumor: String(repeating: "x", count: size), circle: id.hex, name: "", inviter: inviter, members: 1,
                arrivedAt: Int64(number))
        )
    }

    @Test("of one person a few are kept, the newest")
    func ofOne() throws {
        let all = try (0..<InvitationLimits.ofOnePerson + 3).map { try record("eve", $0) }
        let gone = InvitationLimits.surplus(of: Dictionary(uniqueKeysWithValues: all), follows: [])
        #expect(Set(gone) == Set(all.prefix(3).map(\.0)))
    }

    @Test("strangers push out only each other, the oldest first", arguments: [true, false])
    func strangers(isFriendOldest: Bool) throws {
        let friends = try (0..<4).map { try record("friend", isFriendOldest ? $0 : 900 + $0) }
        let others = try (0..<InvitationLimits.count).map { try record("stranger \($0)", 100 + $0) }
        let gone = InvitationLimits.surplus(
            of: Dictionary(uniqueKeysWithValues: friends + others), follows: ["friend"])
        #expect(gone == others.prefix(4).map(\.0))
    }

    @Test("the bytes of all are bounded")
    func size() throws {
        let all = try (0..<6).map { try record("stranger \($0)", $0, size: InvitationLimits.bytes / 4) }
        let gone = InvitationLimits.surplus(of: Dictionary(uniqueKeysWithValues: all), follows: [])
        #expect(gone == all.prefix(2).map(\.0))
    }

    @Test("a flood of Welcomes leaves that of a person one follows, and takes nobody else's place")
    func flood() async throws {
        bench.layOut(.alice, .bob)
        let bob = bench.person(.bob)
        try await bob.unlock()
        try await bench.running(bob) {
            _ = try await bob.circles.membership.create("Own", about: "", relays: [relay("circle")])
            try await bench.eventually("there is a key package") {
                try await bob.circles.store.state?.keyPackages.isEmpty == false
            }
            let package = try #require(await bob.circles.store.state?.keyPackages.first?.event)
            let published = try GenerationB().keyPackage(in: package, now: bench.now)
            var random = SeededRandom(seed: 3)
            func invite(_ who: TestPerson, id: [UInt8]? = nil) async throws {
                let data = GroupData(
                    nostrGroupID: .random(using: &random), name: "\(who)", admins: [who.publicKey],
                    relays: [relay("circle")])
                var group = try MarmotGroup(
                    founding: data,
                    with: GenerationB().newKeyPackage(for: who.publicKey, now: bench.now, using: &random),
                    invited: [published], profile: GenerationB(),
                    policy: MarmotPolicy(GenerationB(), clock: { [bench] in bench.now }), using: &random)
                let made = try group.commit(group.adding([published]), now: bench.now, using: &random)
                let rumor = try WelcomeRumor.rumor(
                    #require(made.welcome), for: published, by: who.publicKey, relays: [relay("circle")],
                    now: bench.now)
                let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
                _ = try await bob.circles.store.receive(
                    welcome: gift, clearing: [], follows: [TestPerson.alice.publicKey])
            }
            try await invite(.alice)
            for _ in 0..<(InvitationLimits.ofOnePerson + 4) { try await invite(.eve) }
            let kept = try await bob.circles.reader.overview().invitations
            #expect(kept.count(where: { $0.inviter.key == TestPerson.alice.publicKey }) == 1)
            #expect(kept.count == InvitationLimits.ofOnePerson + 1)
            let resting = try await bob.circles.store.current().records.values(in: CircleTable.invitations) { _ in true
            }
            #expect(resting.count == kept.count)
        }
    }
}
