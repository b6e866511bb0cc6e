import AccountTesting
import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// Plans of home, made of all that is known.
struct HomePlanningTests {
    private let now = Timestamp(seconds: 1_700_000_000)
    private let people = Set((1...40).map(person))

    /// Forty people at three relays each of twelve, and what these gave of them.
    private func world(connections: Int) -> (router: RelayRouter, history: CoverageHistory) {
        let policy = RoutingPolicy(connections: connections, indexers: [relay("index")], fallback: [relay("fallback")])
        var router = RelayRouter(account: TestPerson.alice.publicKey, policy: policy)
        var history = CoverageHistory()
        for number in 1...40 {
            let write = Set([number % 12, number % 7, number % 3].map { relay("r\($0)") }).sorted()
            router.lists[person(number)] = PersonRelays(write: write, read: [])
            for (place, relay) in write.enumerated() {
                history.complete(
                    [person(number)], at: relay, since: now - .seconds(900), came: [person(number): number * place],
                    now: now)
            }
        }
        return (router, history)
    }

    private func planning(
        _ router: RelayRouter, _ history: CoverageHistory, _ people: Set<PublicKey>, after plan: ReadPlan = ReadPlan()
    ) -> (plan: ReadPlan, isWhole: Bool) {
        HomePlanning(
            router: router, history: history, draws: 7, authors: people, current: plan,
            isRecent: !plan.relays.isEmpty, now: now
        ).plan()
    }

    @Test(
        "with a follow more or less, what was measured of the others is not looked at, and the plan is the same",
        arguments: [4, 8, 20], [1, 7, 25, 40])
    func sameAsWithAll(connections: Int, number: Int) {
        let (router, history) = world(connections: connections)
        let others = people.subtracting([person(number)])
        var knowing = router
        knowing.measured = history.measured(people)
        knowing.measured.draws = 7
        for (before, after) in [(others, people), (people, others)] {
            let current = planning(router, history, before)
            #expect(current.isWhole)
            let next = planning(router, history, after, after: current.plan)
            let expected = knowing.changed(current.plan, for: after, now: now)
            #expect(next.isWhole == (expected == nil))
            #expect(next.plan == expected ?? knowing.readPlan(for: after, now: now))
        }
    }

    @Test("a relay opened for somebody new is read for everybody who names it, by what was measured of them")
    func openedRelay() throws {
        var (router, history) = world(connections: 4)
        let current = planning(router, history, people).plan
        router.policy.connections = 5
        router.lists[person(50)] = PersonRelays(write: [relay("other")], read: [])
        router.lists[person(1)]?.write.append(relay("other"))
        history.complete(
            [person(1)], at: relay("other"), since: now - .seconds(900), came: [person(1): 400], now: now)
        let next = planning(router, history, people.union([person(50)]), after: current)
        #expect(!next.isWhole)
        #expect(next.plan.relays[relay("other")] == [person(1), person(50)])
        var knowing = router
        knowing.measured = history.measured(people)
        knowing.measured.draws = 7
        #expect(next.plan == knowing.changed(current, for: people.union([person(50)]), now: now))
    }

    @Test("where nothing changed the plan in force stays, made anew or not")
    func unchanged() {
        let (router, history) = world(connections: 20)
        let current = planning(router, history, people).plan
        let next = planning(router, history, people, after: current)
        #expect(next.isWhole && next.plan == current)
    }

    @Test("what was measured of a few is what was measured of all of them together")
    func measuredOfFew() {
        let (_, history) = world(connections: 20)
        let all = history.measured(people)
        for number in [1, 12, 40] {
            let few = history.measured([person(number)])
            for place in 0..<12 {
                let at = relay("r\(place)")
                #expect(
                    few.share(of: person(number), at: at, promise: 1)
                        == all.share(of: person(number), at: at, promise: 1))
            }
        }
    }
}
