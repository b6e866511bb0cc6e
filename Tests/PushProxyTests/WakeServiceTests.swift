import AsyncPrimitives
import NostrCore
import NostrRelay
import NostrStore
import NostrTesting
import PostgresStorage
import Testing

@testable import PushProxy

@Suite("from relay to push", .serialized, .timeLimit(.minutes(10)))
struct WakeServiceTests {
    private let registry = MemoryPushRegistry()
    private let metrics = PushMetrics()

    /// Runs a service while a test works.
    private func withService(
        _ relays: Set<RelayURL>, registry: (any PushRegistry)? = nil, limits: WakeLimits = WakeLimits(),
        sender: RecordingSender,
        _ body: (WakeService) async throws -> Void
    ) async throws {
        var settings = WakeSettings()
        settings.primaryRelays = relays
        settings.limits = limits
        settings.refresh = .milliseconds(100)
        try await withPool(settings.pool) { pool in
            let service = WakeService(
                settings: settings, registry: registry ?? self.registry, pool: pool, apns: sender, web: nil,
                metrics: metrics, now: wallClock, log: quiet)
            async let work: Void = service.run()
            let result: Result<Void, any Error>
            do { result = .success(try await body(service)) } catch { result = .failure(error) }
            service.stop()
            await work
            try result.get()
        }
    }

    private func register(_ person: TestPerson, _ token: String, in registry: (any PushRegistry)? = nil) async throws {
        try await (registry ?? self.registry).register(
            PushDevice(signer: person.publicKey, address: .apns(token: token), lastSeen: wallClock()),
            quota: PushQuota())
    }

    /// Sends events to a relay, until it has taken them.
    private func publish(_ events: [Event], to relay: RelayURL) async throws {
        try await withPool { pool in
            for event in events {
                guard case .accepted = await pool.publish(event, to: relay, deadline: .seconds(60)) else {
                    Issue.record("the relay did not take an event")
                    return
                }
            }
        }
    }

    /// Waits until a relay is asked: what comes in before is for nobody.
    private func waitUntilWatched(_ service: WakeService, _ count: Int = 1) async throws {
        while service.relaysLive < count { try await ContinuousClock().sleep(for: .milliseconds(20)) }
    }

    @Test("a request wakes every device of its signer once, and nobody else's")
    func wakes() async throws {
        try await register(.alice, "a1")
        try await register(.alice, "a2")
        try await register(.bob, "b")
        let sender = RecordingSender()
        try await withRelay { relay in
            try await withService([relay], sender: sender) { service in
                try await waitUntilWatched(service)
                let event = request("one", from: .carol, to: .alice)
                let noise = [
                    request("to a stranger", from: .carol, to: .dave), TestPerson.carol.event("a note"),
                    request("to herself", from: .alice, to: .alice),
                ]
                try await publish(noise + [event], to: relay)
                await sender.wait(for: 2)
                let last = request("two", from: .carol, to: .bob)
                try await publish([event, last], to: relay)
                await sender.wait(for: 3)
                let expected: Set<RecordingSender.Push> = [
                    .init(event: event.id, identity: "apns:a1"), .init(event: event.id, identity: "apns:a2"),
                    .init(event: last.id, identity: "apns:b"),
                ]
                #expect(sender.pushes.count == 3 && Set(sender.pushes) == expected)
            }
        }
        #expect(metrics.value(.delivered) == 3)
        #expect(metrics.value(.unregistered) == 1)
    }

    @Test("a relay that a signer paired on is watched at once, for that signer alone")
    func secondary() async throws {
        try await register(.alice, "a")
        try await register(.bob, "b")
        let sender = RecordingSender()
        try await withRelay { relay in
            try await withService([], sender: sender) { service in
                _ = try await registry.pair(
                    PushPairing(
                        signer: TestPerson.alice.publicKey, client: TestPerson.carol.publicKey, relays: [relay]),
                    quota: PushQuota(), now: wallClock())
                service.registryChanged()
                try await waitUntilWatched(service)
                try await publish(
                    [request("not asked for", from: .carol, to: .bob), request("asked", from: .carol, to: .alice)],
                    to: relay)
                await sender.wait(for: 1)
                #expect(sender.pushes.map(\.identity) == ["apns:a"])
                #expect(metrics.value(.events) == 1)
            }
        }
    }

    @Test("a device that is gone is forgotten, unless it registered since")
    func gone() async throws {
        try await register(.alice, "old")
        let sender = RecordingSender { $0 == 1 ? .gone(seenBefore: 1000) : .gone(seenBefore: nil) }
        try await withRelay { relay in
            try await withService([relay], sender: sender) { service in
                try await waitUntilWatched(service)
                for number in 1...2 {
                    try await publish([request("\(number)", from: .carol, to: .alice)], to: relay)
                    await sender.wait(for: number)
                }
            }
        }
        #expect(try await registry.counts().devices == 0)
        #expect(metrics.value(.pruned) == 2)
    }

    @Test("requests that flood in are each delivered once, within the limits")
    func flood() async throws {
        var random = SeededRandom(seed: 40)
        let signers = (0..<40).map { _ in SecretKey.generate(using: &random).publicKey }
        for (number, signer) in signers.enumerated() {
            try await registry.register(
                PushDevice(signer: signer, address: .apns(token: "\(number)"), lastSeen: wallClock()),
                quota: PushQuota())
        }
        let events = signers.flatMap { signer in
            (0..<5).map { number in
                TestPerson.carol.event(
                    "\(number)", kind: 24_133, tags: [["p", signer.hex]], at: wallClock().seconds)
            }
        }
        var limits = WakeLimits()
        // Nothing is allowed anew, however long the flood takes.
        limits.strangeClient = TokenRate(burst: 3, refill: .seconds(3600))
        let sender = RecordingSender()
        try await withRelay { relay in
            try await withService([relay], limits: limits, sender: sender) { service in
                try await waitUntilWatched(service)
                try await publish(events, to: relay)
                // An app that is not paired wakes three times at once. What was not received yet when it stops is lost.
                await sender.wait(for: 120)
                while metrics.value(.limited) < 80, !Task.isCancelled { await metrics.changes.wait() }
            }
        }
        #expect(sender.pushes.count == 120 && Set(sender.pushes).count == 120)
        #expect(metrics.value(.limited) == 80)
    }

    @Test("a service that wants to rest gets one more message later, not one each")
    func rests() async throws {
        let clock = ManualClock()
        let sender = RecordingSender { $0 <= 2 ? .later(.seconds(20)) : .delivered }
        let deliveries = Deliveries(
            senders: Senders(apns: sender, web: nil), registry: registry, metrics: metrics, clock: clock, log: quiet)
        let device = PushDevice(
            signer: TestPerson.alice.publicKey, address: .apns(token: "a"), lastSeen: Timestamp(seconds: 1))
        let wake = try #require(WakeRequest(request("1", from: .bob, to: .alice), from: WakeRulesTests.relay))
        let first = try #require(deliveries.slot(for: device))
        let second = try #require(deliveries.slot(for: device))
        let resting = Task { await deliveries.run() }
        await deliveries.deliver(wake, to: device, in: first)
        await clock.waitForSleepers()
        await deliveries.deliver(wake, to: device, in: second)
        #expect(deliveries.slot(for: device) == nil)
        clock.advance(by: .seconds(20))
        await sender.wait(for: 3)
        while metrics.value(.delivered) == 0 { await metrics.changes.wait() }
        #expect(deliveries.slot(for: device) != nil)
        resting.cancel()
        await resting.value
    }
}

@Suite(
    "two proxies", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: TestPostgres.isWanted, "PostgreSQL is not installed: run scripts/setup.sh test"), .postgresServer)
struct TwoProxiesTests {
    @Test("on one PostgreSQL wake each device once")
    func once() async throws {
        let address = try await #require(TestPostgres.current).freshDatabase()
        let sender = RecordingSender()
        let events = (0..<60).map { request("\($0)", from: .carol, to: $0 % 2 == 0 ? .alice : .bob) }
        try await withRelay { relay in
            try await withPool { pool in
                let services = try await [0, 1].asyncMap { _ in
                    let registry = try await TestPostgres.registry(address)
                    var settings = WakeSettings()
                    settings.primaryRelays = [relay]
                    settings.limits.strangeClient.burst = 1000
                    settings.limits.strangersOfSigner.burst = 1000
                    for (person, token) in [(TestPerson.alice, "a"), (.bob, "b")] {
                        try await registry.register(
                            PushDevice(signer: person.publicKey, address: .apns(token: token), lastSeen: wallClock()),
                            quota: PushQuota())
                    }
                    return WakeService(
                        settings: settings, registry: registry, pool: pool, apns: sender, web: nil,
                        metrics: PushMetrics(), now: wallClock, log: quiet)
                }
                async let first: Void = services[0].run()
                async let second: Void = services[1].run()
                while services.contains(where: { $0.relaysLive == 0 }) {
                    try await ContinuousClock().sleep(for: .milliseconds(20))
                }
                for event in events { _ = await pool.publish(event, to: relay, deadline: .seconds(60)) }
                await sender.wait(for: 60)
                // What one wins the other hears of, in its own time; what it has not received when it stops is lost.
                for metrics in services.map(\.metrics) {
                    while metrics.value(.woken) + metrics.value(.claimedElsewhere) < 60, !Task.isCancelled {
                        await metrics.changes.wait()
                    }
                }
                for service in services { service.stop() }
                _ = await (first, second)
                let elsewhere = services.reduce(0) { $0 + $1.metrics.value(.claimedElsewhere) }
                #expect(elsewhere == 60)
            }
        }
        #expect(sender.pushes.count == 60 && Set(sender.pushes.map(\.event)) == Set(events.map(\.id)))
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ make: (Element) async throws -> T) async rethrows -> [T] {
        var made: [T] = []
        for element in self { made.append(try await make(element)) }
        return made
    }
}
