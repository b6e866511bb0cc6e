import Logging
import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing
import WebUI

@testable import linnet

@Suite("Sessions on the disk")
struct SessionRecordsTests {
    @Test("are there after a restart, close with their account, and are bounded")
    func keeps() async throws {
        let home = try AccountHome()
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try SQLiteRecordStore(path: home.directory.program)
        let records = SessionRecords(records: store, log: log)
        let alice = TestPerson.alice.publicKey
        await records.keep(KeptSession(openedAt: Timestamp(seconds: 100), account: alice), under: "aa")
        let again = SessionRecords(records: try SQLiteRecordStore(path: home.directory.program), log: log)
        #expect(await again.session(under: "aa") == KeptSession(openedAt: Timestamp(seconds: 100), account: alice))
        #expect(await again.session(under: "bb") == nil)
        await again.leave(alice)
        #expect(await again.session(under: "aa") == KeptSession(openedAt: Timestamp(seconds: 100), account: nil))
        for number in 0..<70 {
            await again.keep(
                KeptSession(openedAt: Timestamp(seconds: 200 + Int64(number)), account: nil), under: "s\(number)")
        }
        #expect(try await store.records(in: "sessions").count == 64)
        #expect(await again.session(under: "aa") == nil)
        #expect(await again.session(under: "s5") == nil)
        await again.forget("s69")
        #expect(await again.session(under: "s69") == nil)
    }

    @Test("one that cannot be read costs no other")
    func damaged() async throws {
        let store = MemoryRecordStore()
        let records = SessionRecords(records: store, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let alice = TestPerson.alice.publicKey
        let session = KeptSession(openedAt: Timestamp(seconds: 100), account: alice)
        await records.keep(session, under: "aa")
        try await store.put(Array("{".utf8), for: "bb", in: "sessions")
        await records.keep(session, under: "cc")
        #expect(await records.session(under: "bb") == nil)
        #expect(await records.session(under: "cc") == session)
        await records.leave(alice)
        #expect(await records.session(under: "aa")?.account == nil)
        #expect(await records.session(under: "aa") != nil)
    }

    @Test("one that is forgotten while its account closes does not come back", .timeLimit(.minutes(5)))
    func race() async throws {
        let store = HeldRecords()
        let records = SessionRecords(records: store, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let alice = TestPerson.alice.publicKey
        await records.keep(KeptSession(openedAt: Timestamp(seconds: 100), account: alice), under: "aa")
        await store.hold()
        async let left: Void = records.leave(alice)
        await store.waitForReader()
        async let forgotten: Void = records.forget("aa")
        // A change that did not wait for the first would be through by now.
        for _ in 0..<20 { await Task.yield() }
        await store.goOn()
        _ = await (left, forgotten)
        #expect(await records.session(under: "aa") == nil)
    }
}

/// Records that can keep whoever reads all of them waiting.
private actor HeldRecords: RecordStore {
    private let kept = MemoryRecordStore()
    private var isHolding = false
    private var reader: CheckedContinuation<Void, Never>?
    private var watcher: CheckedContinuation<Void, Never>?

    func hold() { isHolding = true }

    func waitForReader() async {
        if reader == nil { await withCheckedContinuation { watcher = $0 } }
    }

    func goOn() {
        isHolding = false
        reader?.resume()
        reader = nil
    }

    func value(_ key: String, in table: String) async throws -> [UInt8]? { await kept.value(key, in: table) }

    func records(in table: String, prefix: String) async throws -> [Record] {
        let found = await kept.records(in: table, prefix: prefix)
        if isHolding {
            await withCheckedContinuation { continuation in
                reader = continuation
                watcher?.resume()
                watcher = nil
            }
        }
        return found
    }

    func apply(_ changes: [RecordChange]) async throws { await kept.apply(changes) }
}
