import Foundation
import NIOCore
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import BlossomServer

@Suite("the store of blobs", .timeLimit(.minutes(5)))
struct BlobStoreTests {
    private let folder: TemporaryFolder
    private let records = MemoryRecordStore()
    private let store: BlobStore
    private let content = bytes(1_000_000)
    private var hash: BlobHash { BlobHash(of: content) }
    private let now = Timestamp(seconds: 1_700_000_000)
    private let alice = TestPerson.alice.publicKey

    init() async throws {
        folder = try TemporaryFolder()
        store = Self.store(folder, records)
        try await store.prepare()
    }

    private static func store(_ folder: TemporaryFolder, _ records: MemoryRecordStore) -> BlobStore {
        BlobStore(
            folder: BlobFolder(path: folder.path), records: BlobRecords(store: records), log: ServedBlobs.log)
    }

    private var file: String {
        "\(folder.path)/\(hash.hex.prefix(2))/\(hash.hex.dropFirst(2).prefix(2))/\(hash.hex)"
    }

    @discardableResult
    private func keep(
        _ content: [UInt8], for owner: PublicKey, quota: Int? = nil, in store: BlobStore? = nil
    ) async throws -> Bool? {
        let store = store ?? self.store
        let incoming = try await store.receive()
        for start in stride(from: 0, to: content.count, by: 300_000) {
            try await store.append(Array(content[start..<min(start + 300_000, content.count)]), to: incoming)
        }
        let hash = try await store.finish(incoming)
        #expect(hash == BlobHash(of: content))
        return try await store.keep(incoming, as: hash, type: "image/png", owner: owner, quota: quota, now: now)?.isNew
    }

    private func read(_ store: BlobStore? = nil) async throws -> [UInt8]? {
        guard let found = try await (store ?? self.store).open(hash) else { return nil }
        return Array(buffer: try found.file.read(at: 0, count: 2_000_000))
    }

    @Test("a blob lies in two folders named after its beginning, and nothing is left of its arrival")
    func place() async throws {
        #expect(try await keep(content, for: alice) == true)
        #expect(folder.files == [String(file.dropFirst(folder.path.count + 1))])
        #expect(try await read() == content)
        #expect(try await keep(content, for: alice) == false)
        #expect(try await store.records.used(by: alice) == content.count)
    }

    @Test(
        "a blob is kept whole, however long it is and in whatever pieces it comes",
        arguments: [0, 1, 4097, 1 << 20, (1 << 20) + 1, (2 << 20) - 1, 2 << 20, (3 << 20) + 4096],
        [1 << 10, 100_003, 1 << 20, (1 << 21) + 5])
    func lengths(count: Int, piece: Int) async throws {
        let content = bytes(count, seed: UInt64(count))
        let incoming = try await store.receive()
        for start in stride(from: 0, to: count, by: piece) {
            try await store.append(Array(content[start..<min(start + piece, count)]), to: incoming)
            #expect(incoming.size == min(start + piece, count))
        }
        let hash = try await store.finish(incoming)
        #expect(hash == BlobHash(of: content))
        _ = try await store.keep(incoming, as: hash, type: "image/png", owner: alice, quota: nil, now: now)
        let found = try await store.open(hash)
        let file = try #require(found).file
        #expect(Array(buffer: try file.read(at: 0, count: count + 1)) == content)
        #expect(incoming.beginning == Array(content.prefix(incoming.beginning.count)))
    }

    @Test("a blob that is dropped on its way leaves nothing, and what a killed program left goes at the next start")
    func halfReceived() async throws {
        do {
            let incoming = try await store.receive()
            try await store.append(content, to: incoming)
            #expect(folder.files.count == 1)
            withExtendedLifetime(incoming) {}
        }
        await folder.settles(at: 0)
        try Data(content).write(to: URL(filePath: "\(folder.path)/incoming/abc"))
        try await Self.store(folder, records).prepare()
        #expect(folder.files.isEmpty)
    }

    @Test("a crash between the file and its record leaves no blob, and a file that goes; brought again it is kept")
    func crash() async throws {
        let incoming = try await store.receive()
        try await store.append(content, to: incoming)
        _ = try await store.finish(incoming)
        _ = try BlobFolder(path: folder.path).keep(incoming, as: hash)
        // Here the program ends; another one starts.
        let next = Self.store(folder, records)
        try await next.prepare()
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(try await read(next) == nil)
        #expect(try await next.delete(hash, of: alice) == .notKept)
        try await next.removeOrphans()
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try await keep(content, for: alice, in: next) == true)
        try await next.removeOrphans()
        #expect(try await read(next) == content)
    }

    @Test("a crash between the end of a record and its file leaves no blob either")
    func crashInDeletion() async throws {
        try await keep(content, for: alice)
        let found = try await store.records.blob(hash)
        let blob = try #require(found)
        #expect(try await store.records.remove(alice, from: blob))
        let next = Self.store(folder, records)
        #expect(try await read(next) == nil)
        try await next.removeOrphans()
        #expect(folder.files.isEmpty)
    }

    @Test("strange files are left alone")
    func strangers() async throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/ab/cd", withIntermediateDirectories: true)
        for name in ["notes.txt", "ab/notes.txt", "ab/cd/notes.txt", "ab/cd/\(BlobHash(of: []).hex)"] {
            try Data([1]).write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
        try await store.removeOrphans()
        #expect(folder.files.count == 4)
    }

    @Test("a blob of two owners goes with the second, and only its owners can let go of it")
    func twoOwners() async throws {
        let (bob, carol) = (TestPerson.bob.publicKey, TestPerson.carol.publicKey)
        try await keep(content, for: alice)
        #expect(try await keep(content, for: bob) == false)
        #expect(try await store.delete(hash, of: carol) == .notOwned)
        #expect(try await store.delete(hash, of: alice) == .deleted)
        #expect(try await store.delete(hash, of: alice) == .notOwned)
        #expect(try await read() == content)
        #expect(try await store.records.used(by: alice) == 0)
        #expect(try await store.records.used(by: bob) == content.count)
        #expect(try await store.delete(hash, of: bob) == .deleted)
        #expect(try await store.delete(hash, of: bob) == .notKept)
        #expect(try await read() == nil)
        #expect(folder.files.isEmpty)
        #expect(try await store.records.used(by: bob) == 0)
    }

    @Test("a quota counts what somebody has, and what they have already costs nothing more")
    func quota() async throws {
        #expect(try await keep(content, for: alice, quota: content.count) == true)
        #expect(try await keep(content, for: alice, quota: content.count) == false)
        #expect(try await keep([1], for: alice, quota: content.count) == nil)
        await folder.settles(at: 1)
        #expect(try await keep([1], for: alice, quota: content.count + 1) == true)
        #expect(try await keep([1], for: TestPerson.bob.publicKey, quota: 1) == false)
    }

    @Test("bytes that changed under their name are not given out, by this program or the next; bringing them mends it")
    func damage() async throws {
        try await keep(content, for: alice)
        #expect(try await read() == content)
        var other = content
        other[500_000] ^= 1
        try Data(other).write(to: URL(filePath: file))
        await #expect(throws: BlobStore.Damage(hash: hash)) { _ = try await read() }
        await #expect(throws: BlobStore.Damage(hash: hash)) { _ = try await read(Self.store(folder, records)) }
        #expect(try await keep(content, for: alice) == false)
        #expect(try await read() == content)
        try FileManager.default.removeItem(atPath: file)
        await #expect(throws: BlobStore.Damage(hash: hash)) { _ = try await read() }
    }

    @Test("a link in a blob's place is not followed")
    func link() async throws {
        try await keep(content, for: alice)
        let elsewhere = "\(folder.path)/elsewhere"
        try FileManager.default.moveItem(atPath: file, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: elsewhere)
        await #expect(throws: DiskFailure.self) { _ = try await read() }
    }

    @Test("the slow check reads everything, rests after each chunk, and goes on past what is damaged")
    func scrub() async throws {
        try await keep(content, for: alice)
        for seed in 2..<5 { try await keep(bytes(10, seed: UInt64(seed)), for: alice) }
        try Data([1, 2, 3]).write(to: URL(filePath: file))
        var rests = 0
        try await store.scrub { rests += 1 }
        // Once before each of four blobs, and after each of four chunks.
        #expect(rests == 8)
        await #expect(throws: BlobStore.Damage(hash: hash)) { _ = try await read() }
    }

    @Test("who reads goes on reading the same bytes while the blob is deleted")
    func deletedWhileRead() async throws {
        try await keep(content, for: alice)
        let found = try await store.open(hash)
        let open = try #require(found)
        #expect(try await store.delete(hash, of: alice) == .deleted)
        let read = Array(buffer: try open.file.read(at: 0, count: content.count))
        #expect(read == content)
    }

    @Test("blobs that come at once are all kept, each whole, and a quota holds all the same")
    func atOnce() async throws {
        let people = [alice, TestPerson.bob.publicKey, TestPerson.carol.publicKey]
        let contents = (0..<12).map { bytes(1000, seed: UInt64($0 + 10)) }
        let kept = try await withThrowingTaskGroup(of: Int.self) { group in
            for content in contents {
                for person in people {
                    group.addTask { try await keep(content, for: person, quota: 5000) == nil ? 0 : 1 }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(kept == 15)
        for person in people {
            let used = try await store.records.used(by: person)
            #expect(used == 5000)
        }
        let known = try await store.records.blobs(after: nil, limit: 100)
        for blob in known {
            let found = try await store.open(blob.hash)
            let file = try #require(found).file
            let read = Array(buffer: try file.read(at: 0, count: 2000))
            #expect(BlobHash(of: read) == blob.hash)
        }
        await folder.settles(at: known.count)
    }

    @Test("a blob that was opened before and is gone, or another now, is noticed")
    func openedBefore() async throws {
        try await keep(content, for: alice)
        for _ in 0..<3 { #expect(try await read() == content) }
        #expect(try await store.delete(hash, of: alice) == .deleted)
        #expect(try await read() == nil)
        try await keep(content, for: alice)
        #expect(try await read() == content)
        try FileManager.default.removeItem(atPath: file)
        await #expect(throws: BlobStore.Damage(hash: hash)) { _ = try await read() }
    }
}
