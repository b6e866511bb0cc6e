import AccountTesting
import NostrCore
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// What is known of relays at the next start.
struct RelayTrackTests {
    private let now = Timestamp(seconds: 1_700_000_000)
    private let up = relay("up")
    private let dead = relay("dead")

    private var connected: RelayStatistics {
        var figures = RelayStatistics()
        (figures.connects, figures.state) = (1, .connected)
        return figures
    }

    private func failed(_ times: Int) -> RelayStatistics {
        var figures = RelayStatistics()
        figures.failures = times
        return figures
    }

    /// What the next start finds.
    private func restarted(
        _ health: inout RelayHealth, in store: MemoryRecordStore = MemoryRecordStore(), at moment: Timestamp
    ) async -> RelayHealth {
        await store.apply(health.changes(now: moment, isLast: true))
        var next = RelayHealth()
        next.restore(await store.records(in: RelayTrack.table, prefix: ""), now: moment)
        return next
    }

    @Test("what failed before is preferred less at the next start, and believed again once it answers")
    func preference() async {
        var health = RelayHealth()
        health.observe([up: connected, dead: failed(400)], now: now)
        let store = MemoryRecordStore()
        var next = await restarted(&health, in: store, at: now)
        #expect(next.preference(for: up) == 1)
        // As much as eight attempts.
        #expect(abs(next.preference(for: dead) - 1.0 / 9) < 0.001)
        // A month later half of them count.
        var late = RelayHealth()
        late.restore(await store.records(in: RelayTrack.table, prefix: ""), now: now + .seconds(30 * 86_400))
        #expect(abs(late.preference(for: dead) - 0.2) < 0.01)
        next.observe([dead: connected], now: now)
        #expect(next.preference(for: dead) == 1.25)
        // What failed is half as much, and one connection came about.
        let last = await restarted(&next, at: now)
        #expect(abs(last.preference(for: dead) - 2.0 / 6) < 0.001)
    }

    @Test("failures while no relay is connected say nothing of any")
    func offline() async {
        var health = RelayHealth()
        health.observe([up: failed(9), dead: failed(9)], now: now)
        let next = await restarted(&health, at: now)
        #expect(next.preference(for: dead) == 1 && !next.isDown(dead, now: now))
    }

    @Test("slow ones are known as slow")
    func latency() async {
        var health = RelayHealth()
        var slow = connected
        slow.latency = .milliseconds(2500)
        health.observe([up: connected, relay("slow"): slow], now: now)
        let next = await restarted(&health, at: now)
        #expect(next.preference(for: relay("slow")) < next.preference(for: up))
    }

    @Test("one that was down is tried at once, and rests for as long as before when it fails again")
    func rests() async {
        var health = RelayHealth()
        var moment = now
        for (number, rest) in [5, 15, 60].enumerated() {
            health.observe([up: connected, dead: failed(number + 1)], now: moment)
            #expect(health.untilNextTry(now: moment) == .seconds(rest))
            moment = moment + .seconds(rest)
        }
        var next = await restarted(&health, at: moment)
        #expect(!next.isDown(dead, now: moment))
        var again = next
        next.observe([up: connected, dead: failed(1)], now: moment)
        #expect(next.untilNextTry(now: moment) == .seconds(240))
        again.questionEnded(.failed(.timedOut), at: dead, now: moment)
        #expect(again.untilNextTry(now: moment) == .seconds(240))
        // Once it answers it begins anew, at later starts too.
        again.cameBack(dead)
        var last = await restarted(&again, at: moment)
        last.observe([up: connected, dead: failed(1)], now: moment)
        #expect(last.untilNextTry(now: moment) == .seconds(5))
    }

    @Test("one that refuses to be read is left alone for as long as before; one that asks who reads is asked")
    func refusals() async {
        var health = RelayHealth()
        health.questionEnded(.closed(Reason(.restricted, "members")), at: relay("club"), now: now)
        health.questionEnded(.closed(Reason(.authRequired, "who?")), at: relay("asking"), now: now)
        health.questionEnded(.closed(Reason(.restricted, "members")), at: relay("mended"), now: now)
        health.questionEnded(.complete, at: relay("mended"), now: now)
        let next = await restarted(&health, at: now)
        #expect(next.isUnreadable(relay("club"), now: now + .seconds(599)))
        #expect(!next.isUnreadable(relay("club"), now: now + .seconds(600)))
        for name in ["asking", "mended"] { #expect(!next.isUnreadable(relay(name), now: now)) }
    }

    @Test("it is written seldom, and only where something changed")
    func seldom() {
        var health = RelayHealth()
        for second in 0..<1200 {
            health.observe([up: connected, dead: failed(second + 1)], now: now + .seconds(second))
            let changes = health.changes(now: now + .seconds(second), isLast: false)
            #expect(changes.count == (second == 600 ? 2 : 0))
        }
        #expect(health.changes(now: now + .seconds(1200), isLast: false).count == 1)
        #expect(health.changes(now: now + .seconds(1800), isLast: false).isEmpty)
    }

    @Test("of thousands of relays that were tried, those that were tried last are kept; none of them for ever")
    func bounded() async {
        var health = RelayHealth()
        let store = MemoryRecordStore()
        for number in 0..<1500 {
            health.observe([relay("r\(number)"): connected], now: now + .seconds(number))
        }
        _ = await restarted(&health, in: store, at: now + .seconds(1500))
        let kept = await store.records(in: RelayTrack.table, prefix: "").map(\.key)
        #expect(kept.count == RelayTrack.mostRelays)
        #expect(kept.contains(relay("r1499").text) && !kept.contains(relay("r499").text))
        await store.apply(health.changes(now: now + .seconds(91 * 86_400), isLast: true))
        #expect(await store.records(in: RelayTrack.table, prefix: "").isEmpty)
    }

    @Test("what is damaged on disk is as unknown, and never traps")
    func noise() async throws {
        var health = RelayHealth()
        health.observe([up: connected, dead: failed(3)], now: now)
        let store = MemoryRecordStore()
        _ = await restarted(&health, in: store, at: now)
        let record = try #require(await store.records(in: RelayTrack.table, prefix: "").first)
        Noise.run(record.value, rounds: 400) { bytes in
            var read = RelayHealth()
            read.restore([Record(key: record.key, value: bytes), Record(key: "no relay", value: bytes)], now: now)
            #expect(0.05...1.5 ~= read.preference(for: dead))
        }
    }

    @Test("an account that is started again knows how relays behaved")
    func restart() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.set(relay("carol"), .dead)
        try await bench.running {
            try await bench.eventually("carol's relay failed, and another is there") {
                let health = bench.account.services.gossip.router.health
                return health.preference(for: relay("carol")) < 1 && health.isConnected(relay("bob"))
            }
        }
        let again = AccountBench(records: bench.records)
        try await again.account.services.gossip.load()
        let health = again.account.services.gossip.router.health
        #expect(health.preference(for: relay("carol")) < 1)
        #expect(health.preference(for: relay("bob")) == 1)
    }
}
