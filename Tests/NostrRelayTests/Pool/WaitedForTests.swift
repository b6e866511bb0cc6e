import AsyncPrimitives
import Logging
import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

/// For which answers somebody may be waiting, so that they are not checked after everything else.
@Suite("Waiting for a relay", .timeLimit(.minutes(10)))
struct WaitedForTests {
    private let notes = Filter(kinds: [1])

    private func driver(_ clock: ManualClock = ManualClock()) throws -> RelayDriver {
        let blocked = BlockedRelaysInForce()
        let context = PoolContext(
            transport: UnblockedTransport(transport: ScriptedTransport(), blocked: blocked), blocked: blocked,
            settings: PoolSettings(), time: Time(clock: clock, now: { Timestamp(seconds: 1_700_000_000) }),
            random: { 0.5 }, memory: RecentEvents(capacity: 10, maxBytes: 1 << 20),
            permits: ConnectionPermits(standing: 1, spare: 1) {}, authenticator: nil, logger: Logger(label: "test"))
        return RelayDriver(relay: try relay("one"), context: context, isExpected: false)
    }

    private func sink() throws -> FetchSink { FetchSink(relays: [try relay("one")], capacity: 100) }

    @Test("nobody waits for what comes by itself or is gathered; for what was given little time somebody may")
    func questions() async throws {
        let driver = try driver()
        #expect(await !driver.isWaitedFor)
        await driver.subscribe(QueryID(number: 1), [notes], into: LiveSink(capacity: 100))
        await driver.fetch(QueryID(number: 2), [notes], within: .seconds(15), into: try sink())
        #expect(await !driver.isWaitedFor)
        await driver.fetch(QueryID(number: 3), [notes], within: .seconds(5), into: try sink())
        await driver.fetch(QueryID(number: 4), [notes], within: .seconds(8), into: try sink())
        #expect(await driver.isWaitedFor)
        await driver.cancel(QueryID(number: 3))
        #expect(await driver.isWaitedFor)
        await driver.cancel(QueryID(number: 4))
        #expect(await !driver.isWaitedFor)
    }

    @Test("what is gathered is urgent once little of its time is left: it must not end for want of a turn")
    func lastMoments() async throws {
        let clock = ManualClock()
        let driver = try driver(clock)
        await driver.fetch(QueryID(number: 1), [notes], within: .seconds(15), into: try sink())
        clock.advance(by: .seconds(9))
        #expect(await !driver.isWaitedFor)
        clock.advance(by: .seconds(1))
        #expect(await driver.isWaitedFor)
        await driver.cancel(QueryID(number: 1))
        #expect(await !driver.isWaitedFor)
    }

    @Test("a question that has ended is waited for no longer")
    func ended() async throws {
        let driver = try driver()
        await driver.fetch(QueryID(number: 1), [notes], within: .seconds(8), into: try sink())
        #expect(await driver.isWaitedFor)
        await driver.shutDown()
        #expect(await !driver.isWaitedFor)
    }

    @Test("a note that is offered is waited for until the relay has answered")
    func offered() async throws {
        let driver = try driver()
        let event = TestPerson.alice.event("hello")
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = await driver.publish(PublishID(number: 1), event, within: .seconds(10))
            }
            while await !driver.isWaitedFor { await Task.yield() }
            await driver.shutDown()
        }
        #expect(await !driver.isWaitedFor)
    }
}
