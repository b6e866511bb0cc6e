import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Testing

struct RelayRouterTests {
    let alice = TestPerson.alice.publicKey
    let bob = TestPerson.bob.publicKey
    let carol = TestPerson.carol.publicKey
    let now = Timestamp(seconds: 1_700_000_000)

    func router(_ change: (inout RoutingPolicy) -> Void = { _ in }) -> RelayRouter {
        var policy = RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")])
        change(&policy)
        return RelayRouter(account: alice, policy: policy)
    }

    @Test(
        "reads an author from every relay of the write list while connections are free", arguments: [(20, 6), (4, 3)])
    func writeRelays(connections: Int, count: Int) throws {
        var router = router { $0.connections = connections }
        router.lists[bob] = PersonRelays(write: (1...6).map { relay("w\($0)") }, read: [relay("r")])
        router.lists[alice] = PersonRelays(write: [relay("mine")], read: [relay("mine")])
        let assignment = try #require(router.readPlan(for: [bob, alice], now: now).assignments[bob])
        // Two connections are the account's own: its relay and the indexer.
        #expect(assignment.relays.count == (connections == 20 ? count : 2))
        #expect(assignment.relays.allSatisfy { $0.text.contains("//w") })
        #expect(assignment.basis == .relayList)
    }

    @Test("an author is read at each connected relay that the author names, however many")
    func connectedAnyway() {
        var router = router()
        let shared = (1...5).map { relay("s\($0)") }
        router.lists[bob] = PersonRelays(write: shared, read: [])
        for (index, other) in (1...50).map(person).enumerated() {
            router.lists[other] = PersonRelays(write: [shared[index % 5]], read: [])
        }
        let plan = router.readPlan(for: Set((1...50).map(person) + [bob]), now: now)
        #expect(plan.assignments[bob].map { Set($0.relays) } == Set(shared))
    }

    @Test("whoever has no list is sought on every indexer, hints and popular relays notwithstanding")
    func everyIndexer() {
        var router = router { $0.indexers = [relay("index"), relay("second")] }
        for number in 1...3 { router.hints.note(relay("hint\(number)"), for: carol, .seen) }
        for other in (1...9).map(person) {
            router.lists[other] = PersonRelays(write: [relay("big1"), relay("big2")], read: [])
        }
        let plan = router.readPlan(for: Set((1...9).map(person) + [carol]), now: now)
        #expect(Set(router.indexers).isSubset(of: plan.assignments[carol]?.relays ?? []))
    }

    @Test("names of this machine are one relay")
    func loopbackNames() throws {
        var router = router { $0.allowsPrivateRelays = true }
        let names = ["ws://LOCALHOST:7777", "ws://127.0.0.1:7777", "ws://[::1]:7777", "ws://127.0.0.1:7778"]
        let relays = try names.map(RelayURL.init)
        router.lists[bob] = PersonRelays(write: relays, read: [])
        #expect(router.readPlan(for: [bob], now: now).assignments[bob]?.relays == [relays[0], relays[3]])
    }

    @Test("a relay that is lost keeps its place, takes no connection from another, and rests only for questions")
    func awayRelay() {
        var router = router { $0.connections = 4 }
        router.lists[alice] = PersonRelays(write: [relay("mine")], read: [relay("mine")])
        router.lists[bob] = PersonRelays(write: [relay("a"), relay("b")], read: [])
        router.lists[carol] = PersonRelays(write: [relay("c")], read: [])
        var lost = RelayStatistics()
        lost.connects = 2
        lost.failures = 1
        lost.state = .waiting(retryAfter: .seconds(16))
        router.health.observe([relay("a"): lost], now: now)
        router.health.questionEnded(.failed(.refused), at: relay("a"), now: now)
        let plan = router.readPlan(for: [bob, carol], now: now + .seconds(100))
        #expect(plan.relays[relay("a")] == [bob])
        #expect(plan.relays[relay("c")] == [carol])
        #expect(router.health.isUnreadable(relay("a"), now: now + .seconds(29)))
        #expect(!router.health.isUnreadable(relay("a"), now: now + .seconds(30)))
        let later = now + RelayHealth.longestAbsence
        #expect(!router.health.isAway(relay("a"), now: later))
        router.health.cameBack(relay("a"))
        #expect(!router.health.isAway(relay("a"), now: now + .seconds(100)))
    }

    @Test("never routes to a blocked relay, whoever lists it")
    func blocked() {
        var router = router()
        router.lists[bob] = PersonRelays(write: [relay("bad"), relay("good")], read: [relay("bad")])
        router.lists[alice] = PersonRelays(write: [relay("bad"), relay("mine")], read: [relay("bad")])
        router.hints.note(relay("bad"), for: carol, .seen)
        router.blocked = [relay("bad")]
        let plan = router.readPlan(for: [alice, bob, carol], now: now)
        #expect(plan.relays[relay("bad")] == nil)
        #expect(router.ownWrite == [relay("mine")])
        #expect(!router.inboxes(of: [bob], now: now).contains { $0.relay == relay("bad") })
    }

    @Test(
        "refuses private addresses from other people's lists, unless told that the network is simulated",
        arguments: [
            "ws://localhost:7777", "ws://127.0.0.1:4869", "wss://10.1.2.3", "ws://192.168.0.1", "ws://[::1]:80",
            "wss://printer.local",
        ])
    func privateAddresses(text: String) throws {
        let hidden = try RelayURL(text)
        for allowed in [false, true] {
            var router = router { $0.allowsPrivateRelays = allowed }
            router.lists[bob] = PersonRelays(write: [hidden], read: [hidden])
            router.hints.note(hidden, for: carol, .claimed)
            let plan = router.readPlan(for: [bob, carol], now: now)
            #expect((plan.relays[hidden] != nil) == allowed)
            #expect(router.inboxes(of: [bob], now: now).contains { $0.relay == hidden } == allowed)
        }
    }

    @Test("a private relay that the program was started with is believed, and no other one")
    func namedPrivateRelay() throws {
        let (named, other) = (try RelayURL("ws://127.0.0.1:4869"), try RelayURL("ws://127.0.0.1:4870"))
        var router = router { $0.indexers = [named] }
        router.lists[bob] = PersonRelays(write: [named, other], read: [named, other])
        #expect(router.readPlan(for: [bob], now: now).relays[named] == [bob])
        #expect(router.readPlan(for: [bob], now: now).relays[other] == nil)
        #expect(router.inboxes(of: [bob], now: now).map(\.relay) == [named])
    }

    @Test("one's own list may name a private relay")
    func ownPrivateRelay() throws {
        let home = try RelayURL("ws://127.0.0.1:4869")
        var router = router()
        router.lists[alice] = PersonRelays(write: [home], read: [home])
        #expect(router.readPlan(for: [alice], now: now).relays[home] == [alice])
        #expect(router.ownWrite == [home])
    }

    @Test("finds authors without a list by hints, then by indexers, and says which")
    func bases() {
        var router = router()
        router.lists[alice] = PersonRelays(write: [relay("mine")], read: [])
        router.hints.note(relay("hinted"), for: bob, .claimed)
        let plan = router.readPlan(for: [bob, carol], now: now)
        #expect(plan.assignments[bob]?.basis == .hints)
        #expect(plan.assignments[bob]?.relays.contains(relay("hinted")) == true)
        #expect(plan.assignments[carol]?.basis == .indexers)
        #expect(plan.assignments[carol]?.relays == [relay("index")])
    }

    @Test("authors without a list are sought where most others write")
    func popular() {
        var router = RelayRouter(account: alice, policy: RoutingPolicy())
        let others = (1...5).map(person)
        for other in others { router.lists[other] = PersonRelays(write: [relay("big")], read: []) }
        let plan = router.readPlan(for: Set(others + [carol]), now: now)
        #expect(plan.assignments[carol]?.relays == [relay("big")])
        #expect(plan.assignments[carol]?.basis == .indexers)
    }

    @Test("a relay that an event came from outweighs one that somebody wrote down")
    func seenOutweighsClaimed() {
        var hints = RelayHints()
        hints.note(relay("claimed"), for: bob, .claimed)
        hints.note(relay("seen"), for: bob, .seen)
        #expect(hints.relays(of: bob) == [relay("seen"), relay("claimed")])
    }

    @Test("learns hints from tags and drops what is no relay")
    func tagHints() {
        var hints = RelayHints()
        let id = String(repeating: "0", count: 64)
        hints.learn(
            from: TestPerson.alice.event(tags: [
                ["p", bob.hex, "wss://hint.example"], ["e", id, "wss://e.example", "reply", carol.hex],
                ["q", id, "wss://q.example", carol.hex], ["p", bob.hex, "not a relay"],
                ["p", "xyz", "wss://x.example"],
            ]))
        #expect(hints.relays(of: bob) == [relay("hint.example", bare: true)])
        #expect(Set(hints.relays(of: carol)) == [relay("e.example", bare: true), relay("q.example", bare: true)])
    }

    @Test("where relays have to be chosen, those that gave more of what people wrote are, and unknown ones are tried")
    func measuredDelivery() {
        var router = router { $0.connections = 4 }
        router.lists[alice] = PersonRelays(write: [relay("mine")], read: [relay("mine")])
        // Everybody names three relays: one that gave everything, one that gave little, one never asked.
        for other in (1...9).map(person) {
            router.lists[other] = PersonRelays(write: [relay("a"), relay("b"), relay("c")], read: [])
            router.measured.note(1, of: other, from: relay("a"))
            router.measured.note(90, of: other, from: relay("b"))
        }
        let plan = router.readPlan(for: Set((1...9).map(person)), now: now)
        #expect(Set(plan.relays.keys) == [relay("b"), relay("c")])
        // With one place it is the one that is sure.
        router.policy.connections = 3
        router.measured.note(80, of: person(1), from: relay("c"))
        #expect(Set(router.readPlan(for: Set((1...9).map(person)), now: now).relays.keys) == [relay("b")])
    }

    @Test("what was measured is a share of the most one relay gave; a few events prove little")
    func shares() {
        var measured = MeasuredDelivery()
        #expect(measured.share(of: bob, at: relay("a"), promise: 0.3) == 0.3)
        measured.note(0, of: bob, from: relay("a"))
        #expect(measured.share(of: bob, at: relay("a"), promise: 1) == 1)
        measured.note(96, of: bob, from: relay("b"))
        #expect(measured.share(of: bob, at: relay("a"), promise: 1) == 0.04)
        #expect(measured.share(of: bob, at: relay("b"), promise: 0.3) > 0.97)
        #expect(measured.share(of: bob, at: relay("new"), promise: 1) == 1)
    }

    @Test("leaves a dead relay out for a while and uses what else the author lists")
    func deadRelay() {
        var router = router()
        router.lists[bob] = PersonRelays(write: [relay("a"), relay("b")], read: [])
        var dead = RelayStatistics()
        dead.failures = 1
        router.health.observe([relay("a"): dead], now: now)
        #expect(router.readPlan(for: [bob], now: now).assignments[bob]?.relays == [relay("b")])
        #expect(router.health.isDown(relay("a"), now: now + .seconds(4)))
        #expect(!router.health.isDown(relay("a"), now: now + .seconds(5)))
    }

    @Test("a relay that refuses to be read is not asked again soon, but still gets events")
    func unreadable() {
        var router = router()
        router.lists[bob] = PersonRelays(write: [relay("paid"), relay("b")], read: [relay("paid")])
        router.health.questionEnded(.closed(Reason(.authRequired, "members only")), at: relay("paid"), now: now)
        #expect(router.readPlan(for: [bob], now: now).relays[relay("paid")] == nil)
        #expect(router.inboxes(of: [bob], now: now).map(\.relay) == [relay("paid")])
    }

    @Test("an address is looked for where it is said to be, where its author writes, at the own relays, at indexers")
    func holders() {
        var router = router()
        router.lists[alice] = PersonRelays(write: [], read: (1...3).map { relay("mine\($0)") })
        router.lists[bob] = PersonRelays(write: [relay("a"), relay("b"), relay("hint2")], read: [])
        router.health.questionEnded(.failed(.refused), at: relay("hint1"), now: now)
        router.blocked = [relay("hint3")]
        let pointer = AddressPointer(
            address: EventAddress(kind: 30_023, author: bob, identifier: "x"),
            relays: (1...7).map { relay("hint\($0)") })
        let named = [relay("hint2"), relay("hint4"), relay("hint5"), relay("hint6")]
        let all = named + [relay("a"), relay("b"), relay("mine1"), relay("mine2")]
        #expect(router.relays(holding: pointer, now: now) == all)
        #expect(router.relays(holding: pointer, limit: 4, now: now) == named)
        #expect(router.relays(holding: pointer, limit: 20, now: now) == all + [relay("index")])
    }

    @Test("asks a resting relay when nothing else is left")
    func lastResort() {
        var router = RelayRouter(account: alice, policy: RoutingPolicy())
        router.lists[bob] = PersonRelays(write: [relay("a")], read: [])
        router.health.questionEnded(.failed(.refused), at: relay("a"), now: now)
        #expect(router.readPlan(for: [bob], now: now).assignments[bob]?.relays == [relay("a")])
    }

    @Test("splits authors into filters of at most two hundred")
    func chunks() throws {
        var router = router()
        let authors = Set((0..<450).map(person))
        for author in authors { router.lists[author] = PersonRelays(write: [relay("big")], read: []) }
        let requests = router.readPlan(for: authors, now: now).requests(Filter(kinds: [1]))
        let filters = try #require(requests[relay("big")])
        #expect(filters.map { $0.authors?.count } == [200, 200, 50])
        #expect(filters.reduce(into: Set()) { $0.formUnion($1.authors ?? []) } == authors)
    }
}

/// What must hold of every plan, whatever the lists look like.
struct RelayRouterPropertyTests {
    @Test("a plan keeps every limit and leaves nobody out who could be read", arguments: 0..<60)
    func limits(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let relays = (0..<Int.random(in: 3...60, using: &random)).map { relay("r\($0)") }
        let authors = Set((0..<Int.random(in: 1...250, using: &random)).map(person))
        let policy = RoutingPolicy(connections: Int.random(in: 2...20, using: &random))
        var router = RelayRouter(account: TestPerson.alice.publicKey, policy: policy)
        router.blocked = BlockedRelays(relays.filter { _ in Int.random(in: 0..<8, using: &random) == 0 })
        for author in authors {
            let count = Int.random(in: 0...7, using: &random)
            // Few relays hold most people, as on the real network.
            let list = (0..<count).map { _ in
                relays[
                    min(
                        Int.random(in: 0..<relays.count, using: &random),
                        Int.random(in: 0..<relays.count, using: &random))]
            }
            router.lists[author] = PersonRelays(write: Array(Set(list)).sorted(), read: [])
        }
        let now = Timestamp(seconds: 1_700_000_000)
        let plan = router.readPlan(for: authors, now: now)

        #expect(plan.relays.keys.count <= policy.connections)
        #expect(Set(plan.assignments.keys) == authors)
        for author in authors {
            let chosen = plan.assignments[author]?.relays ?? []
            let listed = Set(router.lists[author]?.write ?? []).filter { !router.blocked.contains($0) }
            // One more relay may be tried, where many others write.
            let tried = Set(chosen).subtracting(listed)
            if !listed.isEmpty {
                #expect(Set(chosen).subtracting(tried) == listed.intersection(plan.relays.keys))
                #expect(tried.count <= 1)
                for relay in tried {
                    #expect(router.lists.values.count { $0.write.contains(relay) } >= 10)
                }
            }
            #expect(Set(chosen).count == chosen.count)
            #expect(!chosen.contains { router.blocked.contains($0) })
            for relay in chosen { #expect(plan.relays[relay]?.contains(author) == true) }
            // With room left for one more relay, whoever has a readable relay is covered.
            if plan.relays.keys.count < policy.connections, !listed.isEmpty { #expect(!chosen.isEmpty) }
        }
        #expect(router.readPlan(for: authors, now: now) == plan)
    }

    @Test("covers at least as many authors as the most popular relays alone would", arguments: 0..<30)
    func beatsPopularity(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) + 1000)
        let relays = (0..<40).map { relay("r\($0)") }
        let authors = (0..<200).map(person)
        var router = RelayRouter(account: TestPerson.alice.publicKey, policy: RoutingPolicy(connections: 8))
        var served: [RelayURL: Set<PublicKey>] = [:]
        for author in authors {
            let list = Set(
                (0..<3).map { _ in
                    relays[Int.random(in: 0..<40, using: &random) / Int.random(in: 1...4, using: &random)]
                })
            router.lists[author] = PersonRelays(write: list.sorted(), read: [])
            for relay in list { served[relay, default: []].insert(author) }
        }
        let plan = router.readPlan(for: Set(authors), now: Timestamp(seconds: 0))
        let popular = served.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(8)
        let byPopularity = popular.reduce(into: Set<PublicKey>()) { $0.formUnion($1.value) }
        let covered = authors.count { author in
            !Set(router.lists[author]?.write ?? []).isDisjoint(with: plan.assignments[author]?.relays ?? [])
        }
        #expect(covered >= byPopularity.count)
    }
}

/// A person of whom only the number counts.
func person(_ number: Int) -> PublicKey {
    let bytes = [UInt8](repeating: 0, count: 28) + withBigEndianBytes(number)
    do { return PublicKey(try Bytes32(bytes.span)) } catch { preconditionFailure("\(error)") }
}

private func withBigEndianBytes(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
}
