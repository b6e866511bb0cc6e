import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Testing

struct WriteRoutingTests {
    let now = Timestamp(seconds: 1_700_000_000)
    let bob = TestPerson.bob.publicKey
    let carol = TestPerson.carol.publicKey

    var router: RelayRouter {
        var router = RelayRouter(
            account: TestPerson.alice.publicKey,
            policy: RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")]))
        router.lists[TestPerson.alice.publicKey] = PersonRelays(
            write: [relay("mine1"), relay("mine2")], read: [relay("inbox")])
        router.lists[bob] = PersonRelays(write: [relay("bobwrites")], read: [relay("bobreads"), relay("mine1")])
        return router
    }

    @Test("a note goes to own write relays and to where the mentioned people read")
    func note() {
        let note = TestPerson.alice.event("hi", tags: [["p", bob.hex], ["p", bob.hex], ["p", "garbage"]])
        #expect(
            router.destinations(for: note, now: now) == [
                Destination(relay: relay("mine1"), purpose: .ownWrite),
                Destination(relay: relay("mine2"), purpose: .ownWrite),
                Destination(relay: relay("bobreads"), purpose: .readOf(bob)),
            ])
    }

    @Test("what is not believed of a relay keeps nothing from being written there")
    func distrusted() {
        var router = router
        var statistics = RelayStatistics()
        statistics.distrusted = RelayStatistics.Distrust(bad: 60, all: 90, pause: .seconds(300))
        router.health.observe([relay("mine1"): statistics, relay("bobreads"): statistics], now: now)
        let note = TestPerson.alice.event("hi", tags: [["p", bob.hex]])
        #expect(
            router.destinations(for: note, now: now).map(\.relay) == [
                relay("mine1"), relay("mine2"), relay("bobreads"),
            ])
    }

    @Test(
        "the people on a list are not told of the list; it goes to the indexers instead",
        arguments: [0, 3, 10_002, 10_051])
    func announcements(kind: UInt16) {
        let list = TestPerson.alice.event(kind: Kind(kind), tags: [["p", bob.hex]])
        #expect(
            router.destinations(for: list, now: now).map(\.relay) == [relay("mine1"), relay("mine2"), relay("index")])
    }

    @Test("a protected event goes to own relays alone")
    func protected() {
        let note = TestPerson.alice.event("members", tags: [["-"], ["p", bob.hex]])
        #expect(router.destinations(for: note, now: now).map(\.relay) == [relay("mine1"), relay("mine2")])
        #expect(router.strangers(in: note).isEmpty)
    }

    @Test("a deletion goes to every relay that holds its target")
    func deletion() throws {
        var router = router
        router.blocked = [relay("bad")]
        let deletion = TestPerson.alice.event(kind: 5, tags: [["e", String(repeating: "0", count: 64)]])
        let goal = router.destinations(for: deletion, holders: [relay("far"), relay("bad")], now: now).map(\.relay)
        #expect(goal == [relay("mine1"), relay("mine2"), relay("far")])
    }

    @Test("with many mentions, everybody gets one relay before anybody gets a second")
    func fairness() {
        var router = router
        router.policy.inboxRelays = 12
        let people = (1...10).map(person)
        for (index, key) in people.enumerated() {
            router.lists[key] = PersonRelays(write: [], read: (0..<5).map { relay("r\(index)-\($0)") })
        }
        let inboxes = router.inboxes(of: people, now: now)
        #expect(inboxes.count == 12)
        #expect(Set(inboxes.prefix(10).map(\.relay)) == Set((0..<10).map { relay("r\($0)-0") }))
    }

    @Test("without a list of one's own the fallback is used")
    func fallback() {
        let router = RelayRouter(
            account: carol, policy: RoutingPolicy(indexers: [], fallback: [relay("fallback")]))
        #expect(router.destinations(for: TestPerson.carol.event("hi"), now: now).map(\.relay) == [relay("fallback")])
    }

    @Test("people whose list is unknown are named, so that it can be looked up before delivery")
    func strangers() {
        let note = TestPerson.alice.event("hi", tags: [["p", bob.hex], ["p", carol.hex]])
        #expect(router.strangers(in: note) == [carol])
    }
}
