import Foundation
import GRDB
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import SQLiteStorage

@Suite("The files of a database while it is open, and before")
struct FilesUnderTheProgramTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("events.sqlite") }
    private let files = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() throws -> SQLiteEventStore {
        try SQLiteEventStore(path: file, now: { Timestamp(seconds: 1_700_000_000) })
    }

    private func events(_ count: Int, _ word: String) -> [Event] {
        (0..<count).map { TestPerson.alice.event(String(repeating: "\(word) ", count: 100) + "\($0)") }
    }

    private func code(_ body: () async throws -> Void) async -> StoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: name)) }

    @Test("a file or log that is removed is noticed by the next commit", arguments: ["", "-wal", "-shm"])
    func removed(ending: String) async throws {
        let store = try open()
        _ = try await store.save(events(3, "kept"), from: nil)
        try files.removeItem(atPath: file + ending)
        let names = try files.contentsOfDirectory(atPath: folder.path).sorted()
        for _ in 0..<2 {
            #expect(await code { _ = try await store.save(events(1, "late"), from: nil) } == .replaced)
        }
        #expect(await code { try store.close() } == .replaced)
        #expect(try files.contentsOfDirectory(atPath: folder.path).sorted() == names)
    }

    @Test("another database in the file's place is noticed, and neither it nor its log is touched")
    func replaced() async throws {
        let other = folder.file("other.sqlite")
        let another = try SQLiteEventStore(path: other, now: { Timestamp(seconds: 1_700_000_000) })
        _ = try await another.save(events(5, "other"), from: nil)
        do {
            let store = try open()
            _ = try await store.save(events(3, "kept"), from: nil)
            for ending in ["", "-wal", "-shm"] {
                try files.removeItem(atPath: file + ending)
                try files.copyItem(atPath: other + ending, toPath: file + ending)
            }
            let before = try ["", "-wal", "-shm"].map { try bytes(file + $0) }
            #expect(await code { _ = try await store.save(events(1, "late"), from: nil) } == .replaced)
            // Neither closing nor letting go removes the log of the file that is there now.
            #expect(await code { try store.close() } == .replaced)
            #expect(try ["", "-wal", "-shm"].map { try bytes(file + $0) } == before)
        }
        #expect(try files.fileExists(atPath: file + "-wal") && !bytes(file + "-wal").isEmpty)
    }

    @Test("what was replaced is noticed also when only the end comes after it")
    func replacedBeforeClosing() async throws {
        let store = try open()
        _ = try await store.save(events(3, "kept"), from: nil)
        try files.removeItem(atPath: file)
        #expect(await code { try store.close() } == .replaced)
        #expect(!files.fileExists(atPath: file))
    }

    @Test("a file that is cut short, emptied or overwritten in its place takes no more", arguments: [0, 1, 2])
    func overwritten(how: Int) async throws {
        let first = try open()
        _ = try await first.save(events(3, "old"), from: nil)
        try first.close()
        let old = try bytes(file)
        let store = try open()
        _ = try await store.save(events(400, "new"), from: nil)
        try store.close()
        let again = try open()
        _ = try await again.save(events(1, "kept"), from: nil)
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        switch how {
        case 0: try handle.truncate(atOffset: 8192)
        case 1: try handle.truncate(atOffset: 0)
        default: try handle.write(contentsOf: old)
        }
        let before = try bytes(file)
        let expected: StoreError.Code = how == 2 ? .replaced : .corrupt
        #expect(await code { _ = try await again.save(events(1, "late"), from: nil) } == expected)
        #expect(await code { try again.close() } == expected)
        #expect(try bytes(file) == before)
    }

    /// What befalls the files between a commit and its acknowledgement.
    enum Mishap: CaseIterable {
        case fileRemoved, logRemoved, shortened, otherForm, olderCopy
    }

    @Test("what befalls the files just after a commit is noticed before it is acknowledged", arguments: Mishap.allCases)
    func duringCommit(mishap: Mishap) async throws {
        let first = try open()
        _ = try await first.save(events(3, "old"), from: nil)
        try first.close()
        let old = try bytes(file)
        let second = try open()
        _ = try await second.save(events(400, "new"), from: nil)
        try second.close()
        // Some systems' clocks of files go in steps of several milliseconds.
        try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: file)
        let database = try openDatabase(at: file, options: DatabaseOptions(), migrator: eventMigrator())
        let found = await code {
            try await database.pool.writeWithoutTransaction { [file] db in
                try database.committing(in: db) {
                    try db.execute(sql: "INSERT INTO relay (url) VALUES ('wss://relay.example')")
                    try happen(mishap, to: file, old: old)
                }
            }
        }
        #expect(found == ([.shortened, .otherForm].contains(mishap) ? .corrupt : .replaced))
        #expect(await code { try database.close() } == found)
    }

    private func happen(_ mishap: Mishap, to file: String, old: Data) throws {
        switch mishap {
        case .fileRemoved: try files.removeItem(atPath: file)
        case .logRemoved: try files.removeItem(atPath: file + "-wal")
        case .shortened: try #require(FileHandle(forUpdatingAtPath: file)).truncate(atOffset: 8192)
        case .otherForm:
            try #require(FileHandle(forUpdatingAtPath: file)).write(contentsOf: Data("something else".utf8))
        case .olderCopy: try #require(FileHandle(forUpdatingAtPath: file)).write(contentsOf: old)
        }
    }

    @Test("from the first sign of damage on nothing is written, the log neither")
    func damaged() async throws {
        let store = try open()
        _ = try await store.save(events(400, "word"), from: nil)
        try store.close()
        var bad = try bytes(file)
        for page in 40..<bad.count / 4096 {
            bad.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
        }
        try bad.write(to: URL(filePath: file))
        let damaged = try open()
        // This page is still whole, so the commit cannot know.
        let profile = TestPerson.bob.event("{}", kind: 0)
        let early = await code { _ = try await damaged.save([profile], from: nil) }
        #expect(await code { _ = try await damaged.query([Filter()]) } == .corrupt)
        let log = try bytes(file + "-wal")
        for _ in 0..<2 {
            #expect(await code { _ = try await damaged.save(events(1, "late"), from: nil) } == .corrupt)
        }
        #expect(await code { try damaged.close() } == .corrupt)
        #expect(try bytes(file) == bad)
        #expect(try bytes(file + "-wal") == log, "early: \(String(describing: early))")
    }

    @Test("an empty file, and one that none of our tables are in, is told and left as it is")
    func halfWritten() async throws {
        try Data().write(to: URL(filePath: file))
        #expect(await code { _ = try open() } == .empty)
        #expect(try bytes(file).isEmpty && files.contentsOfDirectory(atPath: folder.path) == ["events.sqlite"])
        try files.removeItem(atPath: file)
        let foreign = try DatabaseQueue(path: file)
        try await foreign.write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
        try foreign.close()
        let before = try bytes(file)
        #expect(await code { _ = try open() } == .corrupt)
        #expect(try bytes(file) == before)
    }

    @Test("a log without its file is told, and nothing new takes its name")
    func logAlone() async throws {
        let store = try open()
        _ = try await store.save(events(3, "kept"), from: nil)
        let log = try bytes(file + "-wal")
        try files.removeItem(atPath: file)
        #expect(await code { _ = try open() } == .missing)
        #expect(!files.fileExists(atPath: file))
        #expect(try bytes(file + "-wal") == log)
    }

    @Test("a new file has its name once it is whole, and what a killed program left of one goes in time")
    func made() throws {
        for (name, age) in [("old", 4000.0), ("fresh", 10)] {
            let left = "\(file).\(name).new"
            try Data([1]).write(to: URL(filePath: left))
            try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: left)
        }
        try Data([1]).write(to: URL(filePath: folder.file("events.sqlite.mine")))
        let store = try open()
        let names = Set(try files.contentsOfDirectory(atPath: folder.path))
        #expect(
            names.subtracting(["events.sqlite-wal", "events.sqlite-shm"]) == [
                "events.sqlite", "events.sqlite.fresh.new", "events.sqlite.mine",
            ])
        try store.close()
    }

    @Test("closing empties the log, also after others have read")
    func logIsEmptied() async throws {
        let store = try open()
        _ = try await store.save(events(50, "kept"), from: nil)
        _ = try await store.query([Filter()])
        #expect(try !bytes(file + "-wal").isEmpty)
        try store.close()
        let log = files.contents(atPath: file + "-wal") ?? Data()
        #expect(log.isEmpty)
        try store.close()
    }

    @Test("a file opened a second time in this program stays locked against others, who leave its log where it is")
    func openedTwice() async throws {
        let store = try open()
        _ = try await store.save(events(3, "kept"), from: nil)
        let second = try open()
        _ = try await second.query([Filter()])
        try second.close()
        #expect(try await WriterProcess.lines(of: ["--once", file, "1"], killedAfter: nil) == ["stored"])
        #expect(try await store.save(events(1, "after"), from: nil) == [.stored])
        #expect(try await store.count([Filter()]) == 5)
        try store.close()
        #expect(try await open().count([Filter()]) == 5)
    }
}
