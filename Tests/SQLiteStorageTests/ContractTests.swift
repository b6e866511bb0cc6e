import NostrCore
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

    @Test("an SQLite store's versions", arguments: VersionStoreContract.rules)
    func keeps(rule: VersionStoreContract.Rule) async throws {
        let folder = try TemporaryFolder()
        try await rule.check { moment in
            try SQLiteEventStore(path: folder.file("events.sqlite"), now: { moment.now })
        }
    }

    @Test("an SQLite push registry", arguments: PushRegistryContract.rules)
    func keeps(rule: PushRegistryContract.Rule) async throws {
        let folder = try TemporaryFolder()
        try await rule.check { _ in try SQLitePushRegistry(path: folder.file("push.sqlite")) }
    }

    @Test("whose versions are kept is known after a restart")
    func remembersAuthors() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("events.sqlite")
        let old = TestPerson.alice.event("old", kind: 3, at: 1)
        let new = TestPerson.alice.event("new", kind: 3, at: 2)
        let first = try SQLiteEventStore(path: path, now: { Timestamp(seconds: 3) })
        try await first.keepVersions(of: [TestPerson.alice.publicKey])
        _ = try await first.save([new], from: nil)
        try first.close()
        let second = try SQLiteEventStore(path: path, now: { Timestamp(seconds: 3) })
        #expect(try await second.versionedAuthors() == [TestPerson.alice.publicKey])
        #expect(try await second.save([old], from: nil) == [.superseded])
        #expect(try await second.versions(of: old.pubkey, kind: 3, identifier: "") == [new, old])
        #expect(try await second.integrityProblems() == [])
    }
}
