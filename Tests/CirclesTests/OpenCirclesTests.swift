import AccountTesting
import NostrClient
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles

/// When circles can be asked for, and what is said where they cannot.
struct OpenCirclesTests {
    let bench = MailBench.withCircles()

    @Test("circles are there while the account is unlocked, and say that it is locked before and after")
    func locked() async throws {
        let alice = bench.person(.alice)
        await #expect(throws: CircleError(.locked)) { try await alice.account.openCircles() }
        try await alice.unlock()
        let circles = try await alice.account.openCircles()
        #expect(try await circles.reader.overview().circles.isEmpty)
        await alice.lock()
        await #expect(throws: CircleError(.locked)) { try await alice.account.openCircles() }
        // Whoever held on to them reads nothing more.
        await #expect(throws: CircleError(.locked)) { try await circles.reader.overview() }
    }

    @Test("a vault that does not open is said by name")
    func damagedVault() async throws {
        let records = MemoryRecordStore()
        try await bench.person(.alice, records: records).unlock()
        for table in ["vault"] {
            for record in try await records.records(in: table) {
                try await records.put(Array("not a payload".utf8), for: record.key, in: table)
            }
        }
        let again = bench.person(.alice, records: records)
        try await again.unlock()
        await #expect(throws: CircleError(.damagedVault)) { try await again.account.openCircles() }
    }

    @Test("circles that cannot be read from disk are not said to be locked")
    func unreadable() async throws {
        struct Broken: Error {}
        let bench = MailBench { _ in [{ _ in throw Broken() }] }
        let alice = bench.person(.alice)
        try await alice.unlock()
        #expect(alice.account.unlocked != nil)
        await #expect(throws: CircleError(.notRead)) { try await alice.account.openCircles() }
    }

    @Test("what rests on disk keeps the names it was stored under")
    func names() {
        #expect(
            [
                CircleTable.circles, CircleTable.sessions, CircleTable.lines, CircleTable.lineIndex,
                CircleTable.lineNotes, CircleTable.pictures,
                CircleTable.keyPackages, CircleTable.requests, CircleTable.asked, CircleTable.invitations,
                CircleTable.keptWelcomes, CircleTable.welcomes, CircleTable.outgoing, CircleTable.sharing,
                CircleTable.watches, CircleTable.trails, CircleTable.fixedPlace, CircleTable.fileCopies,
                CircleTable.unsentFiles,
            ] == [
                "circles", "circle-sessions", "circle-lines", "circle-line-index", "circle-line-notes",
                "circle-pictures", "circle-keys", "circle-requests",
                "circle-asked", "circle-invitations", "circle-spares", "circle-welcomes", "circle-out",
                "circle-sharing", "circle-watches", "circle-trails", "circle-fixed-place", "circle-file-copies",
                "circle-files-unsent",
            ])
    }
}
