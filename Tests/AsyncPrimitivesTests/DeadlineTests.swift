import AsyncPrimitives
import NostrTesting
import Synchronization
import Testing

@Suite("Deadlines")
struct DeadlineTests {
    struct Silent: Error, Equatable {}
    struct Broken: Error, Equatable {}

    let clock = ManualClock()

    @Test("work that is done in time answers, and nobody sleeps on", .timeLimit(.minutes(10)))
    func inTime() async throws {
        #expect(await withDeadline(.seconds(5), on: clock) { 3 } == 3)
        #expect(try await withDeadline(.seconds(5), on: clock, throwing: Silent()) { "done" } == "done")
        let nothing: Int?? = await withDeadline(.seconds(5), on: clock) { Int?.none }
        #expect(nothing == .some(nil))
    }

    @Test("work that takes longer is cancelled and fails by name", .timeLimit(.minutes(10)))
    func tooLate() async throws {
        let clock = clock
        let answer = Task {
            try await withDeadline(.seconds(5), on: clock, throwing: Silent()) {
                try await clock.sleep(for: .seconds(60))
            }
        }
        async let other = withDeadline(.seconds(5), on: clock) { try await clock.sleep(for: .seconds(60)) }
        await clock.waitForSleepers(4)
        clock.advance(by: .seconds(5))
        await #expect(throws: Silent()) { try await answer.value }
        #expect(try await other == nil)
    }

    @Test(
        "a deadline far away is slept towards in steps that double, and passes in its moment",
        .timeLimit(.minutes(10)))
    func steps() async throws {
        let asked = AskedClock()
        let clock = clock
        let answer = Task {
            try await withDeadline(.seconds(30), on: asked, throwing: Silent()) {
                try await clock.sleep(for: .seconds(60))
            }
        }
        await asked.clock.waitForSleepers()
        #expect(asked.spans == [.milliseconds(250)])
        for span in [0.25, 0.5, 1, 2, 4, 8, 14.25] {
            asked.clock.advance(by: .seconds(span))
            if asked.clock.now.offset < .seconds(30) { await asked.clock.waitForSleepers() }
        }
        await #expect(throws: Silent()) { try await answer.value }
        #expect(asked.spans == [0.25, 0.5, 1, 2, 4, 8, 14.25].map { .seconds($0) })
    }

    @Test("a deadline that is expected to pass asks the clock once", .timeLimit(.minutes(10)))
    func once() async throws {
        let asked = AskedClock()
        let clock = clock
        async let answer = withDeadline(.seconds(15), on: asked) { try await clock.sleep(for: .seconds(60)) }
        await asked.clock.waitForSleepers()
        asked.clock.advance(by: .seconds(15))
        #expect(try await answer == nil)
        #expect(asked.spans == [.seconds(15)])
    }

    @Test("what the work throws comes out as it is", .timeLimit(.minutes(10)))
    func failure() async {
        await #expect(throws: Broken()) {
            try await withDeadline(.seconds(5), on: clock, throwing: Silent()) { throw Broken() }
        }
        await #expect(throws: Broken()) {
            _ = try await withDeadline(.seconds(5), on: clock) { () throws(Broken) -> Int in throw Broken() }
        }
    }

    @Test(
        "when the caller is cancelled, the work answers, and no deadline is said to have passed",
        .timeLimit(.minutes(10)))
    func callerCancelled() async {
        let clock = clock
        let task = Task {
            try await withDeadline(.seconds(5), on: clock, throwing: Silent()) {
                do { try await clock.sleep(for: .seconds(60)) } catch { return "cancelled" }
                return "slept"
            }
        }
        await clock.waitForSleepers(2)
        task.cancel()
        #expect(await (try? task.value) == "cancelled")
    }
}

/// A clock that stands still and knows for how long it was asked to sleep.
final class AskedClock: Clock, Sendable {
    let clock = ManualClock()
    private let asked = Mutex<[Duration]>([])

    var spans: [Duration] { asked.withLock { $0 } }
    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        asked.withLock { $0.append(now.duration(to: deadline)) }
        try await clock.sleep(until: deadline)
    }
}
