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
}
