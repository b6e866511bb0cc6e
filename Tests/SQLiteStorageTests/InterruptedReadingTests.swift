import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage
import Synchronization
import Testing

@Suite("A reading of the store that nobody waits for any more")
struct InterruptedReadingTests {
    private let folder: TemporaryFolder
    private let store: SQLiteEventStore
    private let events = (0..<3000).map { TestPerson.alice.event("tea \($0)", at: 1_700_000_000 + $0) }

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteEventStore(path: folder.file("events.sqlite"), now: { Timestamp(seconds: 1_700_100_000) })
    }

    @Test("ends in the midst of one statement of SQLite")
    func statement() async throws {
        _ = try await store.save(events, from: nil)
        let asks = Asks(stopAt: 3)
        var count = CountReading([Filter(kinds: [1])], lookingAt: 20_000, where: nil)
        await #expect(throws: CancellationError.self) { try await store.read(&count, until: asks.limit) }
        #expect(asks.count == 3)
        // The connection is as good as before.
        #expect(try await store.count([Filter(kinds: [1])]) == events.count)
    }

    @Test("ends between events, and goes on after a pause where it was")
    func events() async throws {
        _ = try await store.save(events, from: nil)
        let asks = Asks(stopAt: 100)
        var answer = AnswerReading([Filter()], bytes: 1 << 30, most: 20_000)
        await #expect(throws: CancellationError.self) { try await store.read(&answer, until: asks.limit) }
        #expect(asks.count <= 101)

        let turns = Asks(pauseEach: 500)
        answer = AnswerReading([Filter()], bytes: 1 << 30, most: 20_000)
        var steps = 0
        while answer.answer == nil {
            try await store.read(&answer, until: turns.limit)
            steps += 1
        }
        #expect(steps > 5)
        #expect(answer.answer?.events == events.reversed())
    }

    @Test("ends with the task that asked, also when that is cancelled between two statements")
    func task() async throws {
        _ = try await store.save(events, from: nil)
        let (looked, look) = AsyncStream.makeStream(of: Void.self)
        let store = store
        let count = Task {
            try await store.count([Filter()], lookingAt: 20_000) { _ in
                look.yield()
                // Not before the task is cancelled.
                while !Task.isCancelled {}
                return true
            }
        }
        for await _ in looked { break }
        count.cancel()
        await #expect(throws: CancellationError.self) { try await count.value }
    }
}

/// How often a reading asked, and what it is told.
private final class Asks: Sendable {
    private let number = Mutex(0)
    private let answer: @Sendable (Int) -> ReadingLimit.Sign

    init(stopAt stop: Int) { answer = { $0 >= stop ? .stop : .goOn } }
    init(pauseEach some: Int) { answer = { $0.isMultiple(of: some) ? .pause : .goOn } }

    var count: Int { number.withLock { $0 } }
    var limit: ReadingLimit {
        ReadingLimit { [self] in
            answer(
                number.withLock { number in
                    number += 1
                    return number
                })
        }
    }
}
