import AsyncPrimitives
import NostrTesting
import Synchronization
import Testing

@Suite("A deadline of many small works", .timeLimit(.minutes(10)))
struct CommonDeadlineTests {
    struct Broken: Error, Equatable {}

    let clock = ManualClock()

    @Test("work that is done in time answers, and what it throws comes out as it is")
    func inTime() async throws {
        let deadline = CommonDeadline(.seconds(3), on: clock)
        #expect(await deadline.run(cancelling: {}) { 3 } == 3)
        let nothing: Int?? = await deadline.run(cancelling: {}) { Int?.none }
        #expect(nothing == .some(nil))
        await #expect(throws: Broken()) {
            try await deadline.run(cancelling: {}) { () async throws(Broken) -> Int in throw Broken() }
        }
    }

    @Test("each work has the whole time from its own beginning, and one timer serves them all")
    func ends() async throws {
        let asked = AskedClock()
        let deadline = CommonDeadline(.seconds(3), on: asked)
        let first = Task { await sleep(within: deadline) }
        await asked.clock.waitForSleepers()
        asked.clock.advance(by: .seconds(1))
        let others = (0..<50).map { _ in Task { await sleep(within: deadline) } }
        await clock.waitForSleepers(51)
        asked.clock.advance(by: .seconds(2))
        #expect(await first.value == nil)
        await asked.clock.waitForSleepers()
        #expect(asked.spans == [.seconds(3), .seconds(1)])
        asked.clock.advance(by: .seconds(1))
        for other in others { #expect(await other.value == nil) }
    }

    @Test("what was done is not waited for, and once all is over the next work sets a timer of its own")
    func anew() async throws {
        let asked = AskedClock()
        let deadline = CommonDeadline(.seconds(3), on: asked)
        for _ in 0..<3000 { #expect(await deadline.run(cancelling: {}) { true } == true) }
        for _ in 0..<2 {
            let late = Task { await sleep(within: deadline) }
            await clock.waitForSleepers()
            await asked.clock.waitForSleepers()
            asked.clock.advance(by: .seconds(3))
            #expect(await late.value == nil)
        }
        #expect(asked.spans == [.seconds(3), .seconds(3)])
    }

    @Test("slow works keep their own times, however many quick ones come and go beside them")
    func beside() async throws {
        let deadline = CommonDeadline(.seconds(3), on: clock)
        var slow: [Task<String?, Never>] = []
        for number in 1...2 {
            slow.append(Task { await sleep(within: deadline) })
            // The watch, which the first begins, and each work.
            await clock.waitForSleepers(1 + number)
            for _ in 0..<3000 { #expect(await deadline.run(cancelling: {}) { true } == true) }
            if number == 1 { clock.advance(by: .seconds(1)) }
        }
        clock.advance(by: .seconds(2))
        #expect(await slow[0].value == nil)
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        #expect(await slow[1].value == nil)
    }

    @Test("the work of a cancelled task is cancelled, and its answer counts")
    func cancelled() async throws {
        let deadline = CommonDeadline(.seconds(3), on: clock)
        let caller = Task { await sleep(within: deadline) }
        // The work and the deadline.
        await clock.waitForSleepers(2)
        caller.cancel()
        #expect(await caller.value == .some("stopped"))
    }

    @Test("work that ends late by itself is late, whatever it answers")
    func stubborn() async throws {
        let deadline = CommonDeadline(.seconds(3), on: clock)
        let stop = Doorbell()
        let answer = Task {
            await deadline.run(cancelling: { stop.ring() }) {
                await stop.wait()
                return 1
            }
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        #expect(await answer.value == nil)
    }

    @Test("work that is ended only when it is late goes on where its caller is cancelled")
    func goesOn() async throws {
        let deadline = CommonDeadline(.seconds(3), on: clock)
        let (begun, release, stop) = (Doorbell(), Doorbell(), Doorbell())
        // What waits for another task's end is not disturbed by its own cancellation.
        let other = Task { await release.wait() }
        let caller = Task {
            await deadline.run(endingLate: { stop.ring() }) {
                begun.ring()
                await other.value
                return 7
            }
        }
        await begun.wait()
        caller.cancel()
        release.ring()
        #expect(await caller.value == 7)
        let late = Task {
            await deadline.run(endingLate: { stop.ring() }) {
                begun.ring()
                await stop.wait()
            }
        }
        await begun.wait()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        #expect(await late.value == nil)
    }

    /// A minute on the clock of this test, unless it is cut short.
    private func sleep(within deadline: CommonDeadline) async -> String? {
        let stop = Doorbell()
        return await deadline.run(cancelling: { stop.ring() }) {
            await stop.wait(atMost: .seconds(60), on: clock)
            return "stopped"
        }
    }
}
