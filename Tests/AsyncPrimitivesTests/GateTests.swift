import AsyncPrimitives
import NostrTesting
import Synchronization
import Testing

@Suite("Doorbell, gate and semaphore", .timeLimit(.minutes(1)))
struct GateTests {
    final class Record: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    @Test("a ring wakes all who wait, and one is kept while nobody does")
    func rings() async {
        let bell = Doorbell()
        bell.ring()
        bell.ring()
        await bell.wait()
        let clock = ManualClock()
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { await bell.wait(atMost: .seconds(9), on: clock) } }
            await clock.waitForSleepers(2)
            // Both sleepers stand, both waiters may still be on their way: one ring may be kept for the second.
            bell.ring()
            await group.next()
            bell.ring()
            await group.waitForAll()
        }
    }

    @Test("waiting for a ring ends with its time, and with its task")
    func givesUp() async {
        let bell = Doorbell()
        let clock = ManualClock()
        async let waited: Void = bell.wait(atMost: .seconds(3), on: clock)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        await waited
        let task = Task { await bell.wait() }
        task.cancel()
        await task.value
    }

    @Test("the time of waiting runs from the call, however late the sleep begins")
    func beginsLate() async {
        let bell = Doorbell()
        let clock = ManualClock()
        let executor = StepwiseExecutor()
        let isOver = Mutex(false)
        let task = Task(executorPreference: executor) {
            await bell.wait(atMost: .seconds(3), on: clock)
            isOver.withLock { $0 = true }
        }
        // It is called, and nothing of it has begun to sleep.
        executor.runNext()
        clock.advance(by: .seconds(60))
        while !isOver.withLock({ $0 }) {
            executor.runNext()
            await Task.yield()
        }
        await task.value
    }

    @Test("of gates by key each lets through one at a time, and others beside it; none is held for nobody")
    func byKey() async {
        let gates = SerialGates<String>()
        let seen = Record()
        let inside = Doorbell()
        let leave = Doorbell()
        await withTaskGroup { group in
            group.addTask {
                await gates.run("a") {
                    inside.ring()
                    await leave.wait()
                    seen.numbers.withLock { $0.append(1) }
                }
            }
            await inside.wait()
            group.addTask { await gates.run("a") { seen.numbers.withLock { $0.append(2) } } }
            await gates.run("b") { seen.numbers.withLock { $0.append(0) } }
            leave.ring()
            await group.waitForAll()
        }
        #expect(seen.numbers.withLock { $0 } == [0, 1, 2])
    }

    @Test("a gate lets through one at a time, in the order of arrival")
    func oneAtATime() async {
        let gate = SerialGate()
        let seen = Record()
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    await gate.run {
                        seen.numbers.withLock { $0.append(number) }
                        await Task.yield()
                        seen.numbers.withLock { $0.append(number) }
                    }
                }
            }
        }
        let order = seen.numbers.withLock { $0 }
        #expect(order.count == 100)
        for start in stride(from: 0, to: 100, by: 2) { #expect(order[start] == order[start + 1]) }
    }

    @Test("a gate is open again after a failure")
    func failure() async {
        struct Broken: Error {}
        let gate = SerialGate()
        await #expect(throws: Broken.self) { try await gate.run { throw Broken() } }
        #expect(await gate.run { 4 } == 4)
    }

    @Test("a semaphore gives out its permits, queues in order, and refuses who comes when the queue is full")
    func permits() async throws {
        let semaphore = AsyncSemaphore(permits: 2, longestQueue: 1)
        #expect(semaphore.tryAcquire())
        #expect(semaphore.tryAcquire())
        #expect(!semaphore.tryAcquire())
        // Begun here, up to where it waits.
        let waiting = Task.immediate { try await semaphore.withPermit { "worked" } }
        #expect(semaphore.waitingCount == 1)
        await #expect(throws: AsyncSemaphore.Refusal.queueIsFull) { try await semaphore.acquire() }
        semaphore.release()
        #expect(try await waiting.value == "worked")
        #expect(semaphore.tryAcquire())
        #expect(!semaphore.tryAcquire())
    }

    @Test("who is cancelled in the queue leaves it, and takes no permit along")
    func leavesQueue() async throws {
        let semaphore = AsyncSemaphore(permits: 1)
        try await semaphore.acquire()
        let waiting = Task.immediate { try await semaphore.acquire() }
        #expect(semaphore.waitingCount == 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        semaphore.release()
        #expect(semaphore.tryAcquire())
    }
}

/// Runs one piece of a task after the other, each when a test says so.
private final class StepwiseExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func runNext() {
        let next = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        unsafe next?.runSynchronously(on: asUnownedTaskExecutor())
    }
}
