import AccountTesting
import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

@Suite("what is blocked, while it is read at the start", .timeLimit(.minutes(5)))
struct BlockedRelaysAtStartTests {
    private let bench = MailBench()

    @Test("who reads it at the same time and is slower takes nothing back")
    func twice() async throws {
        let records = SteppedRecords()
        let alice = bench.person(.alice, records: records)
        let list = alice.who.event(kind: .blockedRelays, tags: [["relay", "wss://bad.example"]])
        _ = await alice.store.save([list], from: nil)
        let bad = try RelayURL("wss://bad.example/any")
        async let slower = alice.account.loadFromDisk()
        try await bench.eventually("the slower one reads what was blocked last") { await records.stands }
        #expect(await alice.account.loadFromDisk())
        #expect(alice.account.blockedRelays.contains(bad))
        // It has taken in what it read then, and stands before what it reads next.
        await records.go(toNext: true)
        try await bench.eventually("the slower one reads on") { await records.stands }
        #expect(alice.account.blockedRelays.contains(bad))
        await records.go(toNext: false)
        #expect(await slower)
        #expect(alice.account.blockedRelays.contains(bad))
    }
}

/// Stands still at the first read of what is blocked, and at the one that follows when a test lets it go on.
private actor SteppedRecords: RecordStore {
    private let inner = MemoryRecordStore()
    private let goes = Doorbell()
    private var holdsBlocked = true
    private var holdsNext = false
    private(set) var stands = false

    func go(toNext: Bool) {
        (stands, holdsNext) = (false, toNext)
        goes.ring()
    }

    func value(_ key: String, in table: String) async throws -> [UInt8]? { await inner.value(key, in: table) }

    func records(in table: String, prefix: String) async throws -> [Record] {
        let found = await inner.records(in: table, prefix: prefix)
        if holdsNext || (holdsBlocked && table == "blocked-relays") {
            holdsBlocked = false
            (holdsNext, stands) = (false, true)
            await goes.wait()
        }
        return found
    }

    func apply(_ changes: [RecordChange]) async throws { await inner.apply(changes) }
}
