import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import BlossomServer

@Suite("records of blobs")
struct BlobRecordsTests {
    private let records = BlobRecords(store: MemoryRecordStore())
    private let alice = TestPerson.alice.publicKey

    private func add(_ number: UInt8, at seconds: Int64, of owner: PublicKey) async throws -> BlobHash {
        let blob = KeptBlob(
            hash: BlobHash(of: [number]), size: 1, type: "image/png", uploaded: Timestamp(seconds: seconds))
        try await records.add(owner, to: blob, now: Timestamp(seconds: seconds))
        return blob.hash
    }

    private func list(
        after last: BlobHash? = nil, since: Int64? = nil, until: Int64? = nil, limit: Int = 100
    ) async throws -> [BlobHash]? {
        try await records.list(
            of: alice, after: last, since: since.map(Timestamp.init(seconds:)),
            until: until.map(Timestamp.init(seconds:)), limit: limit)?.map(\.hash)
    }

    @Test("a list is the newest first, page by page, between two moments")
    func lists() async throws {
        var hashes: [BlobHash] = []
        for number in 0..<5 { hashes.append(try await add(UInt8(number), at: 100 + Int64(number), of: alice)) }
        _ = try await add(9, at: 102, of: TestPerson.bob.publicKey)
        let newest = Array(hashes.reversed())
        #expect(try await list() == newest)
        #expect(try await list(limit: 2) == Array(newest[..<2]))
        #expect(try await list(after: newest[1], limit: 2) == Array(newest[2..<4]))
        #expect(try await list(after: newest[4]) == [])
        #expect(try await list(limit: 0) == [])
        #expect(try await list(since: 102) == Array(newest[..<3]))
        #expect(try await list(until: 102) == Array(newest[2...]))
        #expect(try await list(since: 101, until: 103) == Array(newest[1..<4]))
        #expect(try await list(after: newest[2], until: 104) == Array(newest[3...]))
        #expect(try await list(since: 200) == [])
        #expect(try await list(until: 1) == [])
        // A cursor that is none of theirs names no page.
        #expect(try await list(after: BlobHash(of: [9])) == nil)
    }

    @Test("blobs of one second are each listed once, across pages")
    func sameSecond() async throws {
        var all: Set<BlobHash> = []
        for number in 0..<7 { all.insert(try await add(UInt8(number), at: 100, of: alice)) }
        var found: [BlobHash] = []
        while let page = try await list(after: found.last, limit: 3), !page.isEmpty { found += page }
        #expect(found.count == 7 && Set(found) == all)
    }

    @Test("who brings a blob later has it listed under that moment; bringing it twice changes nothing")
    func moments() async throws {
        let hash = try await add(1, at: 100, of: TestPerson.bob.publicKey)
        let found = try await records.blob(hash)
        let blob = try #require(found)
        try await records.add(alice, to: blob, now: Timestamp(seconds: 500))
        try await records.add(alice, to: blob, now: Timestamp(seconds: 900))
        let listed = try await records.list(of: alice, after: nil, since: nil, until: nil, limit: 9)
        #expect(listed?.map(\.uploaded.seconds) == [500])
        #expect(try await records.blob(hash)?.uploaded.seconds == 100)
        #expect(try await records.used(by: alice) == 1)
    }
}
