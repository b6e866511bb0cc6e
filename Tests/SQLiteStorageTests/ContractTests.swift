import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite struct ContractTests {
    @Test("an SQLite store", arguments: EventStoreContract.rules)
    func keeps(rule: EventStoreContract.Rule) async throws {
        let folder = try TemporaryFolder()
        try await rule.check { moment in
            try SQLiteEventStore(path: folder.file("events.sqlite"), now: { moment.now })
        }
    }

    @Test("an SQLite record store", arguments: RecordStoreContract.rules)
    func keeps(rule: RecordStoreContract.Rule) async throws {
        let folder = try TemporaryFolder()
        try await rule.check { _ in try SQLiteRecordStore(path: folder.file("records.sqlite")) }
    }
}
