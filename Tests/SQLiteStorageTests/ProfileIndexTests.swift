import GRDB
import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite("the index of profiles")
struct ProfileIndexTests {
    private static let now = Timestamp(seconds: 1_700_001_000)
    private let folder: TemporaryFolder
    private var path: String { folder.file("events.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> SQLiteEventStore { try SQLiteEventStore(path: path, now: { Self.now }) }

    @Test("is filled from what an older version kept, and follows what changes")
    func fromBefore() async throws {
        let profile = TestPerson.alice.event(#"{"name":"Ada Lovelace"}"#, kind: 0)
        let note = TestPerson.alice.event("ada says hello")
        let store = try open()
        _ = try await store.save([profile, note], from: nil)
        try store.close()
        // As an older version left it.
        let file = try DatabaseQueue(path: path)
        try await file.write { db in
            try db.execute(sql: "DROP TABLE profile_search")
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'search for people'")
            try db.execute(sql: "PRAGMA user_version = 0")
        }
        try file.close()

        let again = try open()
        let (ada, grace) = (Filter(kinds: [0], search: "ada love*"), Filter(kinds: [0], search: "grace"))
        #expect(try await again.query([ada]) == [profile])
        #expect(try await again.query([grace]) == [])
        let renamed = TestPerson.alice.event(#"{"name":"Grace"}"#, kind: 0, at: 1_700_000_100)
        _ = try await again.save([renamed], from: nil)
        #expect(try await again.query([ada]) == [])
        #expect(try await again.query([grace]) == [renamed])
        #expect(try await again.query([Filter(kinds: [0, 1], search: "ada")]) == [note])
        try again.close()
    }

    /// How an index of profiles may have been left by a program of another version.
    enum Left: CaseIterable, Sendable {
        case filledByItsMigration, empty, withOtherWords

        fileprivate var version: Int { self == .withOtherWords ? 99 : 0 }
    }

    @Test("holds the words of this version, however another one left it, and once each", arguments: Left.allCases)
    func words(left: Left) async throws {
        let profile = TestPerson.alice.event(#"{"name":"Ada Lovelace"}"#, kind: 0)
        let store = try open()
        _ = try await store.save([profile], from: nil)
        try store.close()
        let file = try DatabaseQueue(path: path)
        try await file.write { db in
            if left != .filledByItsMigration {
                try db.execute(sql: "INSERT INTO profile_search (profile_search) VALUES ('delete-all')")
            }
            if left == .withOtherWords {
                try db.execute(
                    sql: "INSERT INTO profile_search (rowid, words) SELECT key, 'charles' FROM event WHERE kind = 0")
            }
            try db.execute(sql: "PRAGMA user_version = \(left.version)")
        }
        try file.close()

        let again = try open()
        let ada = Filter(kinds: [0], search: "ada love*")
        #expect(try await again.query([ada]) == [profile])
        #expect(try await again.query([Filter(kinds: [0], search: "charles")]) == [])
        // What was put in is what a removal takes out: nothing of it is left.
        let renamed = TestPerson.alice.event(#"{"name":"Grace"}"#, kind: 0, at: 1_700_000_100)
        _ = try await again.save([renamed], from: nil)
        #expect(try await again.query([ada]) == [])
        #expect(try await again.query([Filter(kinds: [0], search: "grace")]) == [renamed])
        try again.close()
    }
}
