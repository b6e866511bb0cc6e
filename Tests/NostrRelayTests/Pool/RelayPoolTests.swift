import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Synchronization
import Testing

@Suite("Relay pool", .timeLimit(.minutes(10)))
struct RelayPoolTests {
    let note = TestPerson.alice.event("hello")
    let notes = Filter(kinds: [1])

    @Test("a relay that quickly has nothing does not cut off one that is slow and has the events")
    func slowHolder() async throws {
        try await PoolHarness.run { harness in
            let (fast, slow) = (try relay("fast"), try relay("slow"))
            let stream = await harness.pool.fetch([fast: [notes], slow: [notes]], deadline: .seconds(10))
            try await harness.network.connection(to: fast).answer([])
            try await harness.network.connection(to: slow).answer([note])
            let gathered = await Gathered.all(stream)
            #expect(gathered.events == [slow: [note]])
            #expect(gathered.endings == [fast: .complete, slow: .complete])
        }
    }

    @Test("a relay that never ends is given up at the deadline, and what came is kept")
    func deadline() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("mute")
            let stream = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: relay)
            let (id, _) = try #require(await connection.request())
            connection.deliver(.event(id, note.unverified))
            var updates = stream.makeAsyncIterator()
            #expect(await updates.next() == .events([note], from: relay))
            harness.clock.advance(by: .seconds(10))
            #expect(await updates.next() == .ended(relay, .deadline))
            #expect(await updates.next() == nil)
            #expect(await connection.sent() == .close(id))
        }
    }

    @Test("a dead relay ends at once by name")
    func dead() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("dead")
            harness.network.fail(relay, with: .refused)
            let stream = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            #expect(await Gathered.all(stream).endings == [relay: .failed(.refused)])
            let again = await harness.pool.fetch([relay: [notes]], deadline: .milliseconds(100))
            #expect(await Gathered.all(again).endings == [relay: .notAsked(.failedBefore(.refused))])
            let statistics = await harness.pool.statistics()[relay]
            #expect(statistics?.failures == 1)
        }
    }

    @Test("a relay that is to be tried now is asked again, and not told to rest")
    func retried() async throws {
        try await PoolHarness.run { harness in
            let near = try relay("near")
            await harness.pool.retryNow(near)
            #expect(await harness.pool.statistics().isEmpty)
            harness.network.fail(near, with: .privateAddress)
            let stream = await harness.pool.fetch([near: [notes]], deadline: .seconds(10))
            #expect(await Gathered.all(stream).endings == [near: .failed(.privateAddress)])
            harness.network.fail(near, with: nil)
            await harness.pool.retryNow(near)
            #expect(await harness.pool.statistics()[near]?.awaitsPermission == false)
            let again = await harness.pool.fetch([near: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: near)
            try await connection.answer([note])
            #expect(await Gathered.all(again).endings == [near: .complete])
        }
    }

    @Test("queries and subscriptions share one socket, and an unused one closes")
    func oneSocket() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("one")
            let subscription = await harness.pool.subscribe([relay: [notes]])
            let connection = await harness.network.connection(to: relay)
            let (live, _) = try #require(await connection.request())
            let stream = await harness.pool.fetch([relay: [Filter(kinds: [0])]], deadline: .seconds(10))
            try await connection.answer([])
            #expect(await Gathered.all(stream).endings == [relay: .complete])
            _ = await connection.sent()
            await subscription.cancel()
            #expect(await connection.sent() == .close(live))
            #expect(harness.network.attempts(at: relay) == 1)
            _ = await harness.advancing { await connection.sent() }
            #expect(connection.isClosed)
            #expect(await harness.pool.statistics()[relay]?.failures == 0)
        }
    }

    @Test("copies from other relays are counted, reported, and not checked twice")
    func copies() async throws {
        try await PoolHarness.run { harness in
            let (first, second) = (try relay("first"), try relay("second"))
            let one = await harness.pool.fetch([first: [notes]], deadline: .seconds(10))
            try await harness.network.connection(to: first).answer([note])
            #expect(await Gathered.all(one).events == [first: [note]])
            let two = await harness.pool.fetch([second: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: second)
            let (id, _) = try #require(await connection.request())
            // Behind a known id nothing is parsed: this would not even be an event.
            connection.deliver(raw: Array(#"["EVENT","\#(id)",{"id":"\#(note.id)","broken"#.utf8))
            connection.deliver(.eose(id))
            #expect(await Gathered.all(two).events == [second: [note]])
            let statistics = await harness.pool.statistics()
            #expect(statistics[first]?.duplicates == 0)
            #expect(statistics[second]?.duplicates == 1)
            #expect(statistics[second]?.events == 1)
        }
    }

    @Test("a bad signature is never handed out; its relay is read further, and written to")
    func forged() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("forger")
            var forged = note.unverified
            forged.signature = TestPerson.alice.event("other").signature
            let stream = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: relay)
            let (id, _) = try #require(await connection.request())
            connection.deliver(.event(id, forged))
            connection.deliver(.event(id, note.unverified))
            connection.deliver(.eose(id))
            let gathered = await Gathered.all(stream)
            #expect(gathered.events == [relay: [note]])
            #expect(gathered.endings == [relay: .complete])
            #expect(await harness.pool.statistics()[relay]?.forged == 1)
            #expect(await harness.pool.statistics()[relay]?.distrusted == nil)
        }
    }

    @Test("a blocked relay is not contacted, an open connection to it closes")
    func blocked() async throws {
        try await PoolHarness.run { harness in
            let (open, never) = (try relay("open"), try relay("never"))
            let stream = await harness.pool.fetch([open: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: open)
            harness.blocked.replace(with: [open, never])
            #expect(await Gathered.all(stream).endings == [open: .notAsked(.blocked)])
            while await connection.sent() != nil {}
            let none = await harness.pool.fetch([never: [notes]], deadline: .seconds(10))
            #expect(await Gathered.all(none).endings == [never: .notAsked(.blocked)])
            #expect(harness.network.attempts(at: never) == 0)
        }
    }

    @Test(
        "whatever is wanted of a blocked relay, under whatever address of it, nothing is dialled",
        arguments: [
            "wss://bad.example", "WSS://BAD.example:443/", "ws://bad.example", "ws://bad.example:80//",
            "wss://bad.example.",
            "wss://bad.example/inbox", "wss://bad.example/?a=b#c",
        ])
    func everyWayToABlockedRelay(address: String) async throws {
        try await PoolHarness.run { harness in
            harness.blocked.replace(with: [try relay("bad")])
            let bad = try RelayURL(address)
            let fetched = await harness.pool.fetch([bad: [notes]], deadline: .seconds(10))
            #expect(await Gathered.all(fetched).endings == [bad: .notAsked(.blocked)])
            let subscription = await harness.pool.subscribe([bad: [notes]])
            var updates = subscription.updates.makeAsyncIterator()
            #expect(await updates.next() == .interrupted(bad, .notAsked(.blocked)))
            #expect(await harness.pool.publish(note, to: bad, deadline: .seconds(10)) == .blocked)
            #expect(await harness.pool.count([notes], at: bad, deadline: .seconds(10)) == nil)
            #expect(await harness.pool.requiredWork(at: [bad], deadline: .seconds(3)) == 0)
            #expect(await harness.pool.statistics()[bad]?.state == .blocked)
            #expect(harness.network.contacted.isEmpty)
        }
    }

    @Test("a relay that is blocked while its turn to connect comes is not dialled, and once it is allowed it is")
    func blockedAtTheLastMoment() async throws {
        let authenticator = BlockingAuthenticator()
        try await PoolHarness.run(authenticator: authenticator) { harness in
            let late = try relay("late")
            authenticator.whenAsked { harness.blocked.replace(with: [late]) }
            let stream = await harness.pool.fetch([late: [notes]], deadline: .seconds(10))
            #expect(await Gathered.all(stream).endings == [late: .notAsked(.blocked)])
            #expect(harness.network.contacted.isEmpty)
            authenticator.whenAsked {}
            harness.blocked.replace(with: [])
            let again = await harness.pool.fetch([late: [notes]], deadline: .seconds(900))
            let connection = await harness.advancing { await harness.network.connection(to: late) }
            try await connection.answer([note])
            #expect(await Gathered.all(again).endings == [late: .complete])
        }
    }

    @Test("a subscription resumes after a break with since moved forward")
    func resumes() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("shaky")
            let subscription = await harness.pool.subscribe([relay: [notes]])
            var updates = subscription.updates.makeAsyncIterator()
            let first = await harness.network.connection(to: relay)
            #expect(try await first.answer([note]) == [notes])
            #expect(await updates.next() == .events([note], from: relay))
            #expect(await updates.next() == .live(relay))
            harness.clock.advance(by: .seconds(5000))
            first.end(.closed(code: 1006))
            #expect(await updates.next() == .interrupted(relay, .failed(.closed(code: 1006))))
            let second = await harness.advancing { await harness.network.connection(to: relay) }
            let filters = try await second.answer([])
            let since = try #require(filters.first?.since)
            #expect(since >= Timestamp(seconds: 1_700_000_000 + 5000) - PoolSettings().requests.resumeOverlap)
            #expect(filters == [Filter(kinds: [1], since: since)])
            #expect(await updates.next() == .live(relay))
            await subscription.cancel()
        }
    }

    @Test("an offered event is accepted, rejected or timed out")
    func publishes() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("inbox")
            async let first = harness.pool.publish(note, to: relay, deadline: .seconds(5))
            let connection = await harness.network.connection(to: relay)
            #expect(await connection.sent() == .event(note.unverified))
            connection.deliver(.ok(note.id, accepted: true, Reason(nil, "")))
            #expect(await first == .accepted(Reason(nil, "")))

            async let second = harness.pool.publish(note, to: relay, deadline: .seconds(5))
            _ = await connection.sent()
            connection.deliver(.ok(note.id, accepted: false, Reason(.blocked, "no")))
            #expect(await second == .rejected(Reason(.blocked, "no")))

            let third = await harness.advancing { [note] in
                await harness.pool.publish(note, to: relay, deadline: .seconds(5))
            }
            #expect(third == .timedOut)
        }
    }

    @Test("ending the pool ends every query")
    func shutdown() async throws {
        let relay = try relay("one")
        var stream: AsyncStream<FetchUpdate>?
        var pool: RelayPool?
        try await PoolHarness.run { harness in
            stream = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            _ = await harness.network.connection(to: relay)
            pool = harness.pool
        }
        let endings = await Gathered.all(try #require(stream)).endings
        #expect(endings == [relay: .failed(.closed(code: nil))])
        let late = await pool?.fetch([relay: [notes]], deadline: .seconds(10))
        #expect(await Gathered.all(try #require(late)).endings == [relay: .notAsked(.shuttingDown)])
    }

    @Test("dropping a stream ends its query")
    func dropped() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("one")
            var stream: AsyncStream<FetchUpdate>? = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: relay)
            let (id, _) = try #require(await connection.request())
            _ = stream
            stream = nil
            #expect(await connection.sent() == .close(id))
        }
    }
}

/// Does something at the moment in which a connection is about to be made.
private final class BlockingAuthenticator: RelayAuthenticator {
    private let asked = Mutex<@Sendable () -> Void>({})

    func whenAsked(_ asked: @escaping @Sendable () -> Void) {
        self.asked.withLock { $0 = asked }
    }

    func consent(for relay: RelayURL) async -> AuthenticationConsent {
        asked.withLock { $0 }()
        return .never
    }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? { nil }
}
