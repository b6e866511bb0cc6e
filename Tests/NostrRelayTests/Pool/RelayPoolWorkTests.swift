import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Synchronization
import Testing

@Suite("Relay pool at work", .timeLimit(.minutes(10)))
struct RelayPoolWorkTests {
    let note = TestPerson.alice.event("hello")
    let notes = Filter(kinds: [1])

    @Test("no more sockets than allowed; who waits gets one when another is unused")
    func places() async throws {
        var settings = PoolSettings()
        settings.connections.standing = 1
        settings.connections.spare = 0
        try await PoolHarness.run(settings: settings) { harness in
            let (first, second) = (try relay("first"), try relay("second"))
            let one = await harness.pool.fetch([first: [notes]], deadline: .seconds(10))
            // Whoever asks first need not be the first to take the one permit.
            let connection = await harness.network.connection(to: first)
            let two = await harness.pool.fetch([second: [notes]], deadline: .seconds(10))
            #expect(harness.network.attempts(at: second) == 0)
            try await connection.answer([note])
            #expect(await Gathered.all(one).endings == [first: .complete])
            // Unused now, it makes room at once, without waiting for its idle time.
            try await harness.network.connection(to: second).answer([])
            #expect(await Gathered.all(two).endings == [second: .complete])
            #expect(connection.isClosed)
        }
    }

    @Test("a query that finds no place by its deadline says so")
    func noPlace() async throws {
        var settings = PoolSettings()
        settings.connections.standing = 1
        settings.connections.spare = 0
        try await PoolHarness.run(settings: settings) { harness in
            let (busy, waiting) = (try relay("busy"), try relay("waiting"))
            let subscription = await harness.pool.subscribe([busy: [notes]])
            _ = await harness.network.connection(to: busy).request()
            let stream = await harness.pool.fetch([waiting: [notes]], deadline: .seconds(10))
            let gathered = await harness.advancing { await Gathered.all(stream) }
            #expect(gathered.endings == [waiting: .notAsked(.noFreeConnection)])
            await subscription.cancel()
        }
    }

    @Test("what a relay says of itself is followed")
    func information() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("strict")
            harness.network.document(relay, #"{"limitation":{"max_limit":2,"max_subscriptions":1}}"#)
            let first = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: relay)
            try await connection.answer([])
            _ = await Gathered.all(first)
            // The document has come by the time a page is cut to its limit.
            var limit: Int? = 500
            while limit != 2 {
                let stream = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
                while let message = await connection.sent() {
                    guard case .req(let id, let filters) = message else { continue }
                    limit = filters.first?.limit
                    connection.deliver(.eose(id))
                    break
                }
                _ = await Gathered.all(stream)
            }
        }
    }

    @Test("the work that relays ask for is what the strictest of them says, and no blocked relay is asked")
    func requiredWork() async throws {
        try await PoolHarness.run { harness in
            let (strict, blocked) = (try relay("strict"), try relay("blocked"))
            harness.network.document(strict, #"{"limitation":{"min_pow_difficulty":17}}"#)
            harness.network.document(blocked, #"{"limitation":{"min_pow_difficulty":30}}"#)
            harness.blocked.replace(with: [blocked])
            let all: Set<RelayURL> = [strict, blocked, try relay("mute"), try relay("easy")]
            harness.network.document(try relay("easy"), #"{"limitation":{"min_pow_difficulty":-5}}"#)
            #expect(await harness.pool.requiredWork(at: all, deadline: .seconds(3)) == 17)
            // It is asked once.
            harness.network.document(strict, #"{"limitation":{"min_pow_difficulty":3}}"#)
            #expect(await harness.pool.requiredWork(at: all, deadline: .seconds(3)) == 17)
        }
    }

    @Test("a silent connection is pinged, and a dead one is replaced")
    func dead() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("dying")
            let subscription = await harness.pool.subscribe([relay: [notes]])
            let first = await harness.network.connection(to: relay)
            try await first.answer([])
            await harness.advancing { await first.waitForPings(2) }
            first.answersPings(false)
            let second = await harness.advancing { await harness.network.connection(to: relay) }
            #expect(first.isClosed)
            try await second.answer([])
            #expect(await harness.pool.statistics()[relay]?.connects == 2)
            await subscription.cancel()
        }
    }

    @Test("a relay that asks who we are learns it only with consent")
    func authentication() async throws {
        let signer = Signer(consent: .ask)
        try await PoolHarness.run(authenticator: signer) { harness in
            let relay = try relay("private")
            let stream = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: relay)
            connection.deliver(.auth(challenge: "who?"))
            let (id, _) = try #require(await connection.request())
            connection.deliver(.closed(id, Reason(.authRequired, "say who you are")))
            guard case .auth(let answer) = await connection.sent() else { throw Unexpected() }
            #expect(answer.kind == 22_242)
            #expect(answer.tags == [["relay", relay.text], ["challenge", "who?"]])
            connection.deliver(.ok(answer.id, accepted: true, Reason(nil, "")))
            try await connection.answer([note])
            let gathered = await Gathered.all(stream)
            #expect(gathered.events == [relay: [note]])
            #expect(gathered.endings == [relay: .complete])
        }
    }

    @Test("consent given later is used on a fresh connection")
    func laterConsent() async throws {
        let signer = Signer(consent: .allow)
        signer.signs.withLock { $0 = false }
        try await PoolHarness.run(authenticator: signer) { harness in
            let relay = try relay("private")
            let subscription = await harness.pool.subscribe([relay: [notes]])
            let first = await harness.network.connection(to: relay)
            first.deliver(.auth(challenge: "who?"))
            let (id, _) = try #require(await first.request())
            first.deliver(.closed(id, Reason(.authRequired, "say who you are")))
            var updates = subscription.updates.makeAsyncIterator()
            guard case .interrupted(relay, .unauthenticated(.notSigned)) = await updates.next() else {
                throw Unexpected()
            }
            signer.signs.withLock { $0 = true }
            await harness.pool.refreshConsent(of: relay)
            let second = await harness.network.connection(to: relay)
            second.deliver(.auth(challenge: "again?"))
            _ = await second.request()
            guard case .auth = await second.sent() else { throw Unexpected() }
            await subscription.cancel()
        }
    }

    @Test("what a relay refused before the person said yes is asked again at once")
    func lateYes() async throws {
        let signer = Signer(consent: .never)
        try await PoolHarness.run(authenticator: signer) { harness in
            let relay = try relay("private")
            let subscription = await harness.pool.subscribe([relay: [notes]])
            let first = await harness.network.connection(to: relay)
            first.deliver(.auth(challenge: "who?"))
            let (id, _) = try #require(await first.request())
            first.deliver(.closed(id, Reason(.authRequired, "say who you are")))
            var updates = subscription.updates.makeAsyncIterator()
            guard case .interrupted(relay, .closed) = await updates.next() else { throw Unexpected() }
            signer.consent.withLock { $0 = .allow }
            await harness.pool.refreshConsent(of: relay)
            guard case .auth(let answer) = await first.sent() else { throw Unexpected() }
            first.deliver(.ok(answer.id, accepted: true, Reason(nil, "")))
            #expect(await first.request()?.1 == [notes])
            await subscription.cancel()
        }
    }

    @Test("a relay counts, or is not waited for")
    func counts() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("counting")
            async let number = harness.pool.count([notes], at: relay, deadline: .seconds(5))
            let connection = await harness.network.connection(to: relay)
            guard case .count(let id, let filters) = await connection.sent() else { throw Unexpected() }
            #expect(filters == [notes])
            connection.deliver(.count(id, 42, approximate: false))
            #expect(await number == 42)
            let none = await harness.advancing { [notes] in
                await harness.pool.count([notes], at: relay, deadline: .seconds(5))
            }
            #expect(none == nil)
        }
    }

    @Test("a subscription follows a change of its relays and filters without a gap")
    func changes() async throws {
        try await PoolHarness.run { harness in
            let (left, kept, new) = (try relay("left"), try relay("kept"), try relay("new"))
            let subscription = await harness.pool.subscribe([left: [notes], kept: [notes]])
            let old = await harness.network.connection(to: left)
            let (oldID, _) = try #require(await old.request())
            let connection = await harness.network.connection(to: kept)
            let (first, _) = try #require(await connection.request())
            let wider = Filter(kinds: [1, 6])
            await subscription.change(to: [kept: [wider], new: [wider]])
            #expect(await old.sent() == .close(oldID))
            let (second, filters) = try #require(await connection.request())
            #expect(filters == [wider])
            #expect(await connection.sent() == .close(first))
            #expect(second != first)
            #expect(await harness.network.connection(to: new).request()?.1 == [wider])
            // The same again asks nothing anew.
            await subscription.change(to: [kept: [wider], new: [wider]])
            await subscription.cancel()
            #expect(await connection.sent() == .close(second))
        }
    }

    @Test("frames that cannot be read are borne a while, then the relay is left")
    func unreadable() async throws {
        try await PoolHarness.run { harness in
            let relay = try relay("babbler")
            let stream = await harness.pool.fetch([relay: [notes]], deadline: .seconds(10))
            let connection = await harness.network.connection(to: relay)
            for round in 0..<60 { connection.deliver(raw: Array("[\"EVENT\",\(round)".utf8)) }
            let endings = await Gathered.all(stream).endings
            let distrust = RelayStatistics.Distrust(bad: 51, all: 51, pause: .seconds(300))
            #expect(endings == [relay: .notAsked(.distrusted(distrust))])
        }
    }

    @Test("a reader that is behind stops its relay and loses nothing")
    func slowReader() async throws {
        var settings = PoolSettings()
        settings.memory.waitingEvents = 8
        try await PoolHarness.run(settings: settings) { harness in
            let relay = try relay("generous")
            let subscription = await harness.pool.subscribe([relay: [Filter(kinds: [1], limit: 1000)]])
            let connection = await harness.network.connection(to: relay)
            let (id, _) = try #require(await connection.request())
            let sent = (0..<600).map { TestPerson.bob.event("\($0)", at: Int64($0)) }
            for event in sent { connection.deliver(.event(id, event.unverified)) }
            connection.deliver(.eose(id))
            var received: [Event] = []
            for await update in subscription.updates {
                guard case .events(let events, _) = update else { break }
                received += events
            }
            #expect(received == sent)
            await subscription.cancel()
        }
    }
}

private struct Unexpected: Error {}

/// Alice, who signs when the test says so.
private final class Signer: RelayAuthenticator {
    let signs = Mutex(true)
    let consent: Mutex<AuthenticationConsent>

    init(consent: AuthenticationConsent) {
        self.consent = Mutex(consent)
    }

    func consent(for relay: RelayURL) async -> AuthenticationConsent { consent.withLock { $0 } }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        guard signs.withLock({ $0 }) else { return nil }
        var random = SeededRandom(seed: 1)
        return Event(signing: draft, with: TestPerson.alice.secretKey, using: &random)
    }
}
