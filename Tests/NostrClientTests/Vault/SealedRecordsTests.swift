import Crypto
import NostrSigner
import NostrStore
import Testing

@testable import NostrClient

/// Records that nobody else reads, by their groups.
struct SealedRecordsTests {
    private let store: any RecordStore = MemoryRecordStore()
    private let records: SealedRecords

    init() {
        records = SealedRecords(store, SealingKey(root: SymmetricKey(data: [UInt8](repeating: 7, count: 32))))
    }

    @Test("several groups read at once are what each is alone, damage included, and no other group is among them")
    func groups() async throws {
        for group in ["one", "two", "three"] {
            for name in 0..<20 {
                let address = SealedRecords.Address("mail", group: group, "\(name)")
                try await store.apply([try records.put(Array("\(group) \(name)".utf8), at: address)])
            }
        }
        try await store.apply([try records.put([1], at: .init("mail", "no group"))])
        let damaged = try #require(try await store.records(in: "mail", prefix: "").first)
        try await store.apply([.put(table: "mail", key: damaged.key, value: [1, 2, 3])])

        let asked = ["one", "three", "four"]
        let found = try await records.values(in: "mail", groups: asked) { String(decoding: $0, as: UTF8.self) }
        #expect(found["two"] == nil)
        #expect(found["four"] == nil)
        for group in asked {
            let alone = try await records.values(in: "mail", group: group) { String(decoding: $0, as: UTF8.self) }
            #expect(Set(found[group] ?? []) == Set(alone))
            #expect((found[group] ?? []).count == alone.count)
        }
        #expect(found["one"]?.count == 20)
        #expect(found["three"]?.contains("three 7") == true || found["three"]?.contains(nil) == true)
    }

    @Test("a table with nothing in it has no groups")
    func empty() async throws {
        #expect(try await records.values(in: "mail", groups: ["one"]) { $0 }.isEmpty)
    }
}
