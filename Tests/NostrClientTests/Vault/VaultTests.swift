import AccountTesting
import NostrCore
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// What rests encrypted: opened with the account's key, dropped with it, never replaced.
@Suite(.timeLimit(.minutes(10)))
struct VaultTests {
    @Test("what is sealed is read back after a restart, and shows neither names nor values")
    func survives() async throws {
        let bench = AccountBench()
        await bench.account.keyDidUnlock()
        let address = SealedRecords.Address("drafts", group: "letters", "to bob")
        let sealed = try #require(bench.account.unlocked?.context.sealed)
        try await sealed.apply([try sealed.put(Array("a secret".utf8), at: address)])

        let again = AccountBench(records: bench.records)
        #expect(again.account.unlocked?.context.sealed == nil)
        await again.account.keyDidUnlock()
        let reopened = try #require(again.account.unlocked?.context.sealed)
        #expect(try await reopened.value(address) == Array("a secret".utf8))
        #expect(try await reopened.contains(address))
        #expect(try await reopened.values(in: "drafts") { $0 } == [Array("a secret".utf8)])
        #expect(try await reopened.values(in: "drafts", group: "letters") { $0 }.count == 1)
        #expect(try await reopened.values(in: "drafts", group: "others") { $0 }.isEmpty)
        for table in ["drafts", "vault"] {
            for record in try await bench.records.records(in: table) {
                let text = record.key + String(decoding: record.value, as: UTF8.self)
                #expect(!text.contains("secret") && !text.contains("bob") && !text.contains("letters"))
            }
        }
        try await reopened.apply([reopened.removeAll(in: "drafts", group: "letters")])
        #expect(try await reopened.value(address) == nil)
    }

    @Test("a sealed value opens at its own place only")
    func placed() async throws {
        let bench = AccountBench()
        await bench.account.keyDidUnlock()
        let sealed = try #require(bench.account.unlocked?.context.sealed)
        try await sealed.apply([
            try sealed.put([1], at: .init("t", "one")), try sealed.put([2], at: .init("t", "two")),
        ])
        let found = try await bench.records.records(in: "t")
        let (first, second) = (try #require(found.first), try #require(found.last))
        try await bench.records.put(first.value, for: second.key, in: "t")
        let values = try await sealed.values(in: "t") { $0 }
        #expect(values.compactMap(\.self).count == 1)
        #expect(values.contains(nil))
    }

    @Test("who unlocks while somebody else does finds everything open")
    func twice() async throws {
        for _ in 0..<20 {
            let bench = AccountBench()
            async let first: Void = bench.account.keyDidUnlock()
            await Task.yield()
            await bench.account.keyDidUnlock()
            #expect(bench.account.unlocked != nil)
            await first
        }
    }

    @Test("locking drops the key; without a key nothing opens")
    func lock() async throws {
        let bench = AccountBench()
        await bench.account.keyDidUnlock()
        #expect(bench.account.unlocked?.context.sealed != nil)
        await bench.account.keyDidLock()
        #expect(bench.account.unlocked?.context.sealed == nil)
        let reader = AccountBench(records: bench.records, canSign: false)
        await reader.account.keyDidUnlock()
        #expect(reader.account.unlocked == nil)
    }

    @Test("a wrapped key that does not open is kept as it is and said to be damaged")
    func damaged() async throws {
        let bench = AccountBench()
        let junk = Array("not a payload".utf8)
        try await bench.records.put(junk, for: Vault.root, in: Vault.table)
        await bench.account.keyDidUnlock()
        #expect(bench.account.unlocked?.context.sealed == nil)
        #expect(bench.account.lifetime.vault == .damaged)
        #expect(try await bench.records.value(Vault.root, in: Vault.table) == junk)
    }
}
