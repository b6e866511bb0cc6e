import NostrTesting
import Synchronization
import Testing

@Suite("the manual clock")
struct ManualClockTests {
    @Test("wakes sleepers when their deadline has come, not before")
    func wakes() async throws {
        let clock = ManualClock()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    return seconds
                }
            }
            await clock.waitForSleepers(3)
            var order: [Int] = []
            for _ in 1...3 {
                clock.advance(by: .seconds(1))
                if let next = try await group.next() { order.append(next) }
            }
            #expect(order == [1, 2, 3])
        }
        #expect(clock.now.offset == .seconds(3))
    }

    @Test("does not hold a sleeper whose deadline has passed")
    func past() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: .init(offset: .seconds(5)))
    }

    @Test("lets go of a cancelled sleeper")
    func cancelled() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("lets go of a sleeper that was cancelled before it slept")
    func cancelledBefore() async {
        let clock = ManualClock()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
