import Foundation
import GRDB
import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite struct FailureTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("events.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ options: DatabaseOptions = DatabaseOptions()) throws -> SQLiteEventStore {
        try SQLiteEventStore(path: file, options: options, now: { Timestamp(seconds: 1_700_000_000) })
    }

    /// The code of the error that `body` throws.
    private func code(_ body: () async throws -> Void) async -> StoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            let error = error as? StoreError
            #expect(error?.file?.hasSuffix(".sqlite") == true, "it says which database")
            return error?.code
        }
    }

    @Test("a full disk refuses new events, keeps the old, and works again when there is room")
    func diskFull() async throws {
        var options = DatabaseOptions()
        options.maximumPages = 120
        let store = try open(options)
        let first = TestPerson.alice.event("first")
        _ = try await store.save([first], from: nil)
        let large = (0..<60).map { TestPerson.bob.event(String(repeating: "x", count: 20_000) + "\($0)") }
        #expect(await code { _ = try await store.save(large, from: nil) } == .diskFull)
        #expect(try await store.query([Filter()]) == [first])
        #expect(try await store.save([TestPerson.bob.event("small")], from: nil) == [.stored])
        #expect(try await store.integrityProblems() == [])
        try store.close()

        let roomy = try open()
        #expect(try await roomy.save(large, from: nil).allSatisfy { $0 == .stored })
        #expect(try await roomy.count([Filter()]) == 62)
    }

    @Test("who waits with a write that does not fit is not harmed by it")
    func sharesNoFailure() async throws {
        var options = DatabaseOptions()
        options.maximumPages = 120
        let store = try open(options)
        let large = (0..<60).map { TestPerson.bob.event(String(repeating: "x", count: 20_000) + "\($0)") }
        let small = (0..<20).map { TestPerson.alice.event("\($0)") }
        await withTaskGroup(of: Void.self) { group in
            for event in small {
                group.addTask { #expect(await code { _ = try await store.save([event], from: nil) } == nil) }
            }
            group.addTask { #expect(await code { _ = try await store.save(large, from: nil) } == .diskFull) }
        }
        #expect(try await store.count([Filter()]) == 20)
    }

    @Test("a file another program keeps locked says so, and can be read meanwhile")
    func locked() async throws {
        var options = DatabaseOptions()
        options.busyTimeout = .milliseconds(20)
        let store = try open(options)
        let event = TestPerson.alice.event("kept")
        _ = try await store.save([event], from: nil)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: file, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(await code { _ = try await store.save([TestPerson.bob.event("new")], from: nil) } == .locked)
        #expect(try await store.query([Filter()]) == [event])
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await store.save([TestPerson.bob.event("new")], from: nil) == [.stored])
    }

    @Test(
        "a read-only file says so and stays as it is", .enabled(if: geteuid() == 0, "needs root to give up its rights"))
    func readOnly() async throws {
        let store = try open()
        _ = try await store.save([TestPerson.alice.event("kept")], from: nil)
        try store.close()
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        for (mode, expected) in [(0o777, "readOnly"), (0o555, "readOnly")] {
            try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
            let before = try Data(contentsOf: URL(filePath: file))
            let said = try await WriterProcess.lines(of: ["--as-nobody", file, "1"], killedAfter: nil)
            #expect(said == [expected], "folder mode \(String(mode, radix: 8))")
            #expect(try Data(contentsOf: URL(filePath: file)) == before)
        }
    }

    @Test("a missing folder says so")
    func missingFolder() async throws {
        #expect(
            await code {
                _ = try SQLiteEventStore(
                    path: folder.file("none/events.sqlite"), now: { Timestamp(seconds: 0) })
            } == .cannotOpen)
    }

    @Test(
        "a damaged or foreign file is refused and left as it is", arguments: ["text", "short", "header", "empty page"])
    func corrupt(damage: String) async throws {
        let store = try open()
        _ = try await store.save((0..<50).map { TestPerson.alice.event("\($0)") }, from: nil)
        try store.close()
        var bytes = try Data(contentsOf: URL(filePath: file))
        switch damage {
        case "text": bytes = Data("this is a letter to a friend".utf8)
        case "short": bytes = bytes.prefix(bytes.count - 4096 * 3)
        case "header": bytes.replaceSubrange(0..<16, with: Data(repeating: 0, count: 16))
        default: bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xFF, count: 3996))
        }
        try bytes.write(to: URL(filePath: file))
        #expect(await code { _ = try open() } == .corrupt)
        #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
    }

    @Test("damage inside a file shows when it is met")
    func damagedPage() async throws {
        let store = try open()
        let events = (0..<400).map { TestPerson.alice.event(String(repeating: "word ", count: 100) + "\($0)") }
        _ = try await store.save(events, from: nil)
        try store.close()
        var bytes = try Data(contentsOf: URL(filePath: file))
        for page in stride(from: 40, to: bytes.count / 4096, by: 1) {
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
        }
        try bytes.write(to: URL(filePath: file))
        let damaged = try open()
        #expect(await code { _ = try await damaged.query([Filter()]) } == .corrupt)
    }

    @Test("a file of a newer version is refused and left as it is")
    func tooNew() async throws {
        try open().close()
        let other = try DatabaseQueue(path: file)
        try await other.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')") }
        try other.close()
        let before = try Data(contentsOf: URL(filePath: file))
        #expect(await code { _ = try open() } == .tooNew)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test("only its owner can read a new file and its log")
    func isPrivate() async throws {
        let store = try open()
        _ = try await store.save([TestPerson.alice.event("secret plans")], from: nil)
        for name in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file + name)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    @Test("a closed store says so")
    func closed() async throws {
        let store = try open()
        try store.close()
        #expect(await code { _ = try await store.save([TestPerson.alice.event("late")], from: nil) } == .io)
        #expect(await code { _ = try await store.query([Filter()]) } == .io)
    }

    @Test("what is stored is there after closing and opening again")
    func persists() async throws {
        let store = try open()
        let event = TestPerson.alice.event("hello", kind: 30_023, tags: [["d", "x"], ["title", "greeting"]])
        let relay = try RelayURL("wss://one.example")
        _ = try await store.save([event], from: relay)
        try store.close()
        let again = try open()
        #expect(try await again.query([Filter(search: "greeting")]) == [event])
        #expect(try await again.relays(of: event.id) == [relay])
        #expect(try await again.save([event], from: nil) == [.duplicate])
    }
}
