import AccountTesting
import NostrCore
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

/// Changing a plan when follows change.
struct PlanChangeTests {
    let now = Timestamp(seconds: 1_700_000_000)
    let people = Set((1...40).map(person))

    /// Forty people at three relays each of twelve.
    func router(connections: Int = 20) -> RelayRouter {
        let policy = RoutingPolicy(connections: connections, indexers: [relay("index")], fallback: [relay("fallback")])
        var router = RelayRouter(account: TestPerson.alice.publicKey, policy: policy)
        for number in 1...40 {
            let write = [number % 12, number % 7, number % 3].map { relay("r\($0)") }
            router.lists[person(number)] = PersonRelays(write: Array(Set(write)).sorted(), read: [])
        }
        return router
    }

    @Test("with connections to spare one follow more, or less, is read as in a whole plan", arguments: [1, 7, 25, 40])
    func sameAsWhole(number: Int) throws {
        let router = router()
        let whole = router.readPlan(for: people, now: now)
        let others = people.subtracting([person(number)])
        let before = router.readPlan(for: others, now: now)
        let added = try #require(router.changed(before, for: people, now: now))
        #expect(added.relays.keys == whole.relays.keys || Set(added.relays.keys) == Set(whole.relays.keys))
        for author in people {
            let listed = Set(router.lists[author]?.write ?? [])
            #expect(listed.isSubset(of: added.assignments[author]?.relays ?? []))
        }
        let removed = try #require(router.changed(whole, for: others, now: now))
        #expect(removed.assignments[person(number)] == nil)
        #expect(removed.relays.values.allSatisfy { !$0.isEmpty && !$0.contains(person(number)) })
    }

    @Test("a relay opened for somebody new is read for everybody who names it")
    func everybodyThere() throws {
        var router = router(connections: 4)
        let before = router.readPlan(for: people, now: now)
        router.policy.connections = 5
        router.lists[person(50)] = PersonRelays(write: [relay("other")], read: [])
        router.lists[person(1)]?.write.append(relay("other"))
        let after = try #require(router.changed(before, for: people.union([person(50)]), now: now))
        #expect(after.relays[relay("other")] == [person(1), person(50)])
    }

    @Test("keeps to the connections, whoever comes")
    func connections() throws {
        var router = router(connections: 5)
        let before = router.readPlan(for: people, now: now)
        router.lists[person(50)] = PersonRelays(write: [relay("far")], read: [])
        let after = try #require(router.changed(before, for: people.union([person(50)]), now: now))
        #expect(Set(after.relays.keys) == Set(before.relays.keys))
        #expect(after.assignments[person(50)]?.relays.contains(relay("far")) == false)
    }

    @Test("makes no plan where nobody came or went, where many did, or where a relay is lost")
    func wholeInstead() {
        var router = router()
        let plan = router.readPlan(for: people, now: now)
        #expect(router.changed(plan, for: people, now: now) == nil)
        #expect(router.changed(plan, for: people.union((50...60).map(person)), now: now) == nil)
        #expect(router.changed(ReadPlan(), for: people, now: now) == nil)
        router.health.questionEnded(.closed(Reason(.authRequired, "members only")), at: relay("r1"), now: now)
        #expect(router.changed(plan, for: people.union([person(50)]), now: now) == nil)
    }
}
