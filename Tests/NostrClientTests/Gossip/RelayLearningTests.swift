import AccountTesting
import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// Choosing relays by what they gave before, and trying others.
struct RelayLearningTests {
    let alice = TestPerson.alice.publicKey
    let bob = TestPerson.bob.publicKey
    let now = Timestamp(seconds: 1_700_000_000)

    func router(_ change: (inout RoutingPolicy) -> Void = { _ in }) -> RelayRouter {
        var policy = RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")])
        change(&policy)
        return RelayRouter(account: alice, policy: policy)
    }

    @Test("who writes a lot counts for more when relays have to be chosen, and who writes nothing for less")
    func busyAuthors() {
        var router = router { $0.connections = 3 }
        router.lists[alice] = PersonRelays(write: [relay("mine")], read: [relay("mine")])
        for (name, people, events) in [("quiet", 1...3, 0.0), ("busy", 4...5, 99.0)] {
            for other in people.map(person) {
                router.lists[other] = PersonRelays(write: [relay(name)], read: [])
                router.measured.note(events, of: other, from: relay(name))
            }
        }
        #expect(Set(router.readPlan(for: Set((1...5).map(person)), now: now).relays.keys) == [relay("busy")])
    }

    @Test("shares are drawn near what is likely, the nearer the more is known, and the same while a program runs")
    func draws() {
        var measured = MeasuredDelivery()
        for other in (1...400).map(person) {
            measured.note(other < person(201) ? 2 : 400, of: other, from: relay("a"))
            measured.note(other < person(201) ? 4 : 800, of: other, from: relay("b"))
        }
        func shares(_ people: ClosedRange<Int>) -> [Double] {
            people.map { measured.delivery(of: person($0)).drawnShare(at: relay("a"), promise: 1) }
        }
        #expect(Set(shares(1...200)) == [0.75])
        measured.draws = 1
        let (few, many) = (shares(1...200), shares(201...400))
        for (drawn, mean, spread) in [(few, 0.75, 0.144), (many, 0.5025, 0.0176)] {
            let found = drawn.reduce(0, +) / 200
            let deviation = (drawn.reduce(0) { $0 + ($1 - found) * ($1 - found) } / 200).squareRoot()
            #expect(abs(found - mean) < spread / 4)
            #expect(0.7 * spread...1.2 * spread ~= deviation)
            #expect(drawn.allSatisfy { 0...1 ~= $0 })
        }
        #expect(shares(1...200) == few)
        measured.draws = 2
        #expect(shares(1...200) != few)
    }

    @Test("where many write others are tried who do not say so: one relay at a time, and on where it gave something")
    func unlistedRelays() {
        var router = router()
        for other in (1...12).map(person) {
            router.lists[other] = PersonRelays(write: [relay("big1"), relay("big2")], read: [])
        }
        router.lists[bob] = PersonRelays(write: [relay("small")], read: [])
        let authors = Set((1...12).map(person) + [bob])
        func relays() -> [RelayURL]? { router.readPlan(for: authors, now: now).assignments[bob]?.relays }
        #expect(relays() == [relay("small"), relay("big1")])
        router.measured.note(20, of: bob, from: relay("small"))
        // Nothing came there though others had something.
        router.measured.note(0, of: bob, from: relay("big1"))
        #expect(relays() == [relay("small"), relay("big2")])
        router.measured.note(5, of: bob, from: relay("big2"))
        #expect(relays() == [relay("small"), relay("big2")])
        #expect(router.readPlan(for: authors, now: now).assignments[bob]?.basis == .relayList)
        // Where few write it would be chance.
        router.lists[person(1)] = nil
        router.lists[person(2)] = nil
        router.lists[person(3)] = nil
        #expect(relays() == [relay("small")])
    }

    @Test("hints count half after a month, and are forgotten after some")
    func oldHints() {
        var hints = RelayHints()
        hints.age(now: now)
        hints.note(relay("seen"), for: bob, .seen)
        hints.note(relay("once"), for: bob, .claimed)
        hints.age(now: now + .seconds(61 * 86_400))
        for _ in 0..<2 { hints.note(relay("new"), for: bob, .claimed) }
        #expect(hints.relays(of: bob) == [relay("new"), relay("seen"), relay("once")])
        hints.age(now: now + .seconds(150 * 86_400))
        #expect(hints.relays(of: bob) == [relay("new"), relay("seen")])
        hints.age(now: now + .seconds(500 * 86_400))
        #expect(hints == hintsOfNobody(at: now + .seconds(500 * 86_400)))
    }

    private func hintsOfNobody(at moment: Timestamp) -> RelayHints {
        var hints = RelayHints()
        hints.age(now: moment)
        return hints
    }
}
