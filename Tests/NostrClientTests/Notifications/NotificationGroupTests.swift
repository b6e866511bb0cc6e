import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// What is told together.
struct NotificationGroupTests {
    private let bob = TestPerson.bob
    private let one = TestPerson.alice.event("one", at: 1)
    private let two = TestPerson.alice.event("two", at: 2)

    private func reaction(_ person: TestPerson, to target: Event, at moment: Int64) -> AccountNotification {
        AccountNotification(
            person.event("+", kind: 7, tags: [["e", target.id.hex]], at: moment), .reaction, about: target.id)
    }

    @Test("reactions to one note are one group, which stands where its newest does")
    func reactions() {
        let all = [
            reaction(.bob, to: one, at: 50), reaction(.carol, to: two, at: 40), reaction(.carol, to: one, at: 30),
            reaction(.bob, to: one, at: 20),
        ]
        let groups = NotificationGroup.groups(of: all)
        #expect(groups.map(\.target) == [one.id, two.id])
        #expect(groups.map(\.members.count) == [3, 1])
        #expect(groups[0].people == [TestPerson.bob.publicKey, TestPerson.carol.publicKey])
        #expect(groups[0].id == all[0].id)
    }

    @Test("a reaction and a repost of one note are two groups")
    func sorts() {
        let repost = AccountNotification(
            bob.event("", kind: 6, tags: [["e", one.id.hex]], at: 45), .repost, about: one.id)
        let groups = NotificationGroup.groups(of: [reaction(.bob, to: one, at: 50), repost])
        #expect(groups.map(\.sort) == [.reaction, .repost])
    }

    @Test("reposts of what is not here stand alone: nobody knows whether they are about the same")
    func lost() {
        let all = [30, 20].map { AccountNotification(bob.event(kind: 16, at: $0), .repost, about: nil) }
        #expect(NotificationGroup.groups(of: all).map(\.members) == all.map { [$0] })
    }

    @Test(
        "answers, quotes and mentions stand alone",
        arguments: [AccountNotification.Sort.reply, .quote, .mention, .chat])
    func alone(sort: AccountNotification.Sort) {
        let all = [30, 20].map { AccountNotification(bob.event("yes", at: $0), sort, about: one.id) }
        #expect(NotificationGroup.groups(of: all).map(\.members) == all.map { [$0] })
    }

    @Test("who began to follow is one group, whenever they did")
    func follows() {
        let all = [TestPerson.bob, .carol, .dave].enumerated().map { number, person in
            AccountNotification(
                follower: person.publicKey, since: Timestamp(seconds: 50 - Int64(number)), by: person.event("first").id)
        }
        let groups = NotificationGroup.groups(of: all)
        #expect(groups.map(\.members) == [all] && groups[0].target == nil && groups[0].id == all[0].id)
        #expect(groups[0].people == [TestPerson.bob, .carol, .dave].map(\.publicKey))
    }

    @Test("payments are added up, and those without a name counted")
    func payments() {
        func zap(_ sats: Int64, isAnonymous: Bool, at moment: Int64) -> AccountNotification {
            let zap = Zap(
                sender: bob.publicKey, isAnonymous: isAnonymous, millisatoshis: sats * 1000,
                paidAt: Timestamp(seconds: moment))
            return AccountNotification(bob.event("", kind: 9735, at: moment), .zap, about: one.id, zap: zap)
        }
        let groups = NotificationGroup.groups(of: [
            zap(21, isAnonymous: false, at: 9), zap(100, isAnonymous: true, at: 8),
            zap(Int64.max / 1000, isAnonymous: true, at: 7),
        ])
        #expect(groups.count == 1 && groups[0].anonymous == 2 && groups[0].people == [bob.publicKey])
        #expect(groups[0].millisatoshis == .max)
    }

    @Test("the same event twice counts once")
    func twice() {
        let same = reaction(.bob, to: one, at: 50)
        #expect(NotificationGroup.groups(of: [same, same]).map(\.members.count) == [1])
    }

    @Test("of any thousand things none is missed, and none stands twice", arguments: [UInt64(1), 2, 3])
    func thousand(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let sorts = AccountNotification.Sort.allCases
        let all = (0..<1000).map { number in
            let sort = sorts[Int(random.next() % UInt64(sorts.count))]
            let target = random.next() % 3 == 0 ? one.id : two.id
            return AccountNotification(
                bob.event("\(number)", at: 10_000 - Int64(number)), sort, about: sort == .mention ? nil : target)
        }
        let groups = NotificationGroup.groups(of: all)
        let told = groups.flatMap(\.members).map(\.id)
        #expect(told.count == 1000 && Set(told) == Set(all.map(\.id)))
        #expect(groups.map(\.newest.moment) == groups.map(\.newest.moment).sorted(by: >))
    }
}
