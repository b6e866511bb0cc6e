import GRDB
import NostrCore
import Synchronization
import Testing

@testable import SQLiteStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Readings for work behind pages", .timeLimit(.minutes(5)))
struct ReadingBehindPagesTests {
    private let folder: TemporaryFolder
    private let database: OpenDatabase

    init() throws {
        folder = try TemporaryFolder()
        var options = DatabaseOptions()
        options.readers = 3
        database = try openDatabase(at: folder.file("events.sqlite"), options: options, migrator: eventMigrator())
    }

    @Test("leave two connections to pages, however many there are")
    func connections() async throws {
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask(executorPreference: BackgroundThreads.behindPages) {
                    _ = try await database.read { _ in progress.stay() }
                }
            }
            while progress.state.withLock({ $0.atWork }) == 0 { await Task.yield() }
            do {
                defer { progress.state.withLock { $0.mayEnd = true } }
                for _ in 0..<100 {
                    async let one = database.read { try Int.fetchOne($0, sql: "SELECT 1") }
                    async let two = database.read { try Int.fetchOne($0, sql: "SELECT 2") }
                    let answers = try await [one, two]
                    #expect(answers == [1, 2])
                }
            }
            try await group.waitForAll()
        }
        let most = progress.state.withLock { $0.mostAtWork }
        #expect(most == 1)
    }

    @Test("end when their task does, and run where they count less than those of pages")
    func threads() async throws {
        let reading = Task(executorPreference: BackgroundThreads.behindPages) { [database] in
            while !Task.isCancelled { await Task.yield() }
            return try await database.read { try Int.fetchOne($0, sql: "SELECT 1") }
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #if canImport(Glibc)
            let niceness = Task(executorPreference: BackgroundThreads.behindPages) { [database] in
                try await database.read { _ in getpriority(Int32(bitPattern: PRIO_PROCESS.rawValue), 0) }
            }
            #expect(try await niceness.value >= 5)
        #endif
    }
}

/// Readings that are at work together.
private final class Progress: Sendable {
    struct State {
        var atWork = 0
        var mostAtWork = 0
        var mayEnd = false
    }

    let state = Mutex(State())

    /// Keeps its connection, and its thread, until readings may end.
    func stay() {
        state.withLock {
            $0.atWork += 1
            $0.mostAtWork = max($0.mostAtWork, $0.atWork)
        }
        while !state.withLock(\.mayEnd) { sched_yield() }
        state.withLock { $0.atWork -= 1 }
    }
}
