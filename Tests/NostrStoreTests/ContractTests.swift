import NostrStore
import NostrTesting
import Testing

@Suite struct ContractTests {
    @Test("a memory store", arguments: EventStoreContract.rules)
    func keeps(rule: EventStoreContract.Rule) async throws {
        try await rule.check { moment in MemoryEventStore(now: { moment.now }) }
    }

    @Test("a memory record store", arguments: RecordStoreContract.rules)
    func keeps(rule: RecordStoreContract.Rule) async throws {
        try await rule.check { _ in MemoryRecordStore() }
    }

    @Test("a memory store's versions", arguments: VersionStoreContract.rules)
    func keeps(rule: VersionStoreContract.Rule) async throws {
        try await rule.check { moment in MemoryEventStore(now: { moment.now }) }
    }

    @Test("a memory push registry", arguments: PushRegistryContract.rules)
    func keeps(rule: PushRegistryContract.Rule) async throws {
        try await rule.check { _ in MemoryPushRegistry() }
    }
}
