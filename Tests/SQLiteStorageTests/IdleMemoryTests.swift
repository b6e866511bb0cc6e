import GRDB
import GRDBSQLite
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import SQLiteStorage

@Suite("Memory of a store that is hardly read")
struct IdleMemoryTests {
    private let folder: TemporaryFolder
    private let path: String
    private let events = (0..<3000).map { TestPerson.alice.event("tea \($0)", at: 1_700_000_000 + $0) }

    init() async throws {
        folder = try TemporaryFolder()
        path = folder.file("events.sqlite")
        let store = try SQLiteEventStore(path: path, now: { Timestamp(seconds: 1_700_100_000) })
        _ = try await store.save(events, from: nil)
        try store.close()
    }

    @Test("the pages it keeps are let go of, unless it was read often")
    func pages() async throws {
        let database = try openDatabase(at: path, options: DatabaseOptions(), migrator: eventMigrator())
        try await readEverything(database)
        let kept = try await keptBytes(database)
        #expect(kept > 500_000)
        for _ in 0..<200 { _ = try await keptBytes(database) }
        database.releaseIdleMemory()
        #expect(try await keptBytes(database) >= kept)
        database.releaseIdleMemory()
        #expect(try await keptBytes(database) < kept / 4)
        try await readEverything(database)
        #expect(try await keptBytes(database) >= kept)
        try database.close()
    }

    @Test("answers are the same while memory goes, and after the end there is nothing to let go of")
    func answers() async throws {
        let store = try SQLiteEventStore(path: path, now: { Timestamp(seconds: 1_700_100_000) })
        for _ in 0..<3 {
            async let count = store.count([Filter(kinds: [1])])
            store.releaseIdleMemory()
            #expect(try await count == events.count)
        }
        try store.close()
        store.releaseIdleMemory()
    }

    private func readEverything(_ database: OpenDatabase) async throws {
        let found = try await database.read { try String.fetchAll($0, sql: "PRAGMA quick_check") }
        #expect(found == ["ok"])
    }

    /// Pages of the file that the reader keeps, in bytes.
    private func keptBytes(_ database: OpenDatabase) async throws -> Int {
        try await database.read { db in
            var (now, most): (CInt, CInt) = (0, 0)
            let status = unsafe sqlite3_db_status(
                db.sqliteConnection, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0)
            #expect(status == SQLITE_OK)
            return Int(now)
        }
    }
}
