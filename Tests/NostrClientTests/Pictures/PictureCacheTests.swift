import AsyncPrimitives
import Foundation
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

/// Pictures of others, fetched once and kept on disk.
@Suite("pictures of others", .timeLimit(.minutes(10)))
struct PictureCacheTests {
    private static let face = "https://a.example/face.png"
    /// Looks like a PNG to who sees its beginning, and is as long as a test wants.
    private static func png(_ count: Int, _ fill: UInt8 = 1) -> [UInt8] {
        [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [UInt8](repeating: fill, count: count - 8)
    }

    /// One account's pictures, over a scripted server, a folder of their own and a date that a test moves.
    private final class Bench: Sendable {
        let servers: ScriptedPictures
        let folder: URL
        let records: MemoryRecordStore
        let preparing: Shrinking
        private let seconds = Mutex<Int64>(1_700_000_000)

        init(_ blobs: [String: [UInt8]], preparing: Shrinking = Shrinking(size: nil)) {
            servers = ScriptedPictures(blobs)
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)")
            records = MemoryRecordStore()
            self.preparing = preparing
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func move(_ span: Int64) { seconds.withLock { $0 += span } }

        /// The cache as a start of the program finds it.
        func open() -> PictureCache {
            let now: @Sendable () -> Timestamp = { Timestamp(seconds: self.seconds.withLock { $0 }) }
            let clock = ManualClock()
            return PictureCache(
                AccountContext(
                    publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: now), records: records,
                    network: ScriptedNetwork(clock: clock),
                    media: MediaAccess(transfer: servers, preparing: preparing, folder: folder),
                    configuration: AccountConfiguration(
                        routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
                    time: Time(clock: clock, now: now)))
        }

        /// The names of what lies in the folder.
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(
                atPath: folder.appendingPathComponent("pictures").path
            ).sorted()
        }
    }

    @Test("a picture is fetched once, however many ask for it, and again by nobody after a restart")
    func once() async throws {
        let bench = Bench([Self.face: Self.png(400)])
        let cache = bench.open()
        let found = try await withThrowingTaskGroup(of: FoundFile?.self) { group in
            for _ in 0..<20 { group.addTask { try await cache.picture(at: Self.face, .small) } }
            return try await group.reduce(into: [FoundFile?]()) { $0.append($1) }
        }
        #expect(found.count == 20 && found.allSatisfy { $0?.type == "image/png" && $0?.size == 400 })
        #expect(bench.servers.asked == [Self.face])
        let file = try #require(found.compactMap { $0 }.first)
        #expect([UInt8](try Data(contentsOf: file.file)) == Self.png(400))
        let again = bench.open()
        #expect(try await again.picture(at: Self.face, .large)?.size == 400)
        let usage = try await again.usage()
        #expect(usage == KeptMediaUsage(bytes: 400, count: 1, limit: KeptMediaUsage.usualLimit))
        #expect(bench.servers.asked.count == 1)
        // The folder is nobody else's, and nothing in it names where a picture came from.
        let facts = try FileManager.default.attributesOfItem(
            atPath: bench.folder.appendingPathComponent("pictures").path)
        #expect(facts[.posixPermissions] as? Int == 0o700)
        #expect(try bench.names().allSatisfy { !$0.contains("example") })
    }

    @Test("both sizes of a person are made of one file, and nothing larger is kept")
    func sizes() async throws {
        let bench = Bench([Self.face: Self.png(5000)], preparing: Shrinking(size: { $0 * 10 }))
        let cache = bench.open()
        #expect(try await cache.picture(at: Self.face, .small)?.size == 960)
        #expect(try await cache.picture(at: Self.face, .large)?.size == 2560)
        #expect(bench.servers.asked.count == 1)
        let usage = try await cache.usage()
        #expect(usage.bytes == 960 + 2560 && usage.count == 2)
        // An emoji at the same address is another size, and fetched for it.
        #expect(try await cache.picture(at: Self.face, .emoji)?.size == 960)
        #expect(try await cache.usage().count == 3)
    }

    @Test("what does not become smaller is kept as it is")
    func large() async throws {
        let bench = Bench([Self.face: Self.png(900)], preparing: Shrinking(size: { $0 * 10 }))
        let cache = bench.open()
        #expect(try await cache.picture(at: Self.face, .small)?.size == 900)
        #expect(try await cache.usage().count == 1)
    }

    @Test("what was not looked at longest goes when there is no more room, also after a restart")
    func room() async throws {
        let addresses = (0..<5).map { "https://a.example/\($0).png" }
        let size = 4 << 20
        let blobs = Dictionary(uniqueKeysWithValues: addresses.map { ($0, Self.png(size)) })
        let bench = Bench(blobs)
        let cache = bench.open()
        try await cache.setLimit(0)
        #expect(try await cache.usage().limit == KeptMediaUsage.limits.lowerBound)
        for address in addresses.prefix(3) {
            _ = try await cache.picture(at: address, .wide)
            bench.move(7200)
        }
        // The first is looked at again, so the second is the one that goes.
        _ = try await cache.picture(at: addresses[0], .wide)
        bench.move(7200)
        let restarted = bench.open()
        #expect(try await restarted.usage().limit == KeptMediaUsage.limits.lowerBound)
        for address in addresses.suffix(2) {
            _ = try await restarted.picture(at: address, .wide)
            bench.move(7200)
        }
        let usage = try await restarted.usage()
        #expect(usage.bytes <= usage.limit && usage.count == 3)
        let asked = bench.servers.asked.count
        _ = try await restarted.picture(at: addresses[0], .wide)
        #expect(bench.servers.asked.count == asked)
        _ = try await restarted.picture(at: addresses[1], .wide)
        #expect(bench.servers.asked.count == asked + 1)
    }

    @Test("what is too large for a person's picture may still be wide enough for a page")
    func tooLargeForOne() async throws {
        let size = 11 << 20
        let bench = Bench([Self.face: Self.png(size)])
        let cache = bench.open()
        for _ in 0..<2 { #expect(try await cache.picture(at: Self.face, .small) == nil) }
        #expect(bench.servers.asked.count == 1)
        #expect(try await cache.picture(at: Self.face, .wide)?.size == Int64(size))
    }

    @Test("another file than the one its author showed is none, nor is what was kept of the address without a check")
    func anotherFile() async throws {
        let bench = Bench([Self.face: Self.png(400), "https://b.example/face.png": Self.png(400, 2)])
        let cache = bench.open()
        let said = BlobHash(of: Self.png(400, 2))
        #expect(try await cache.picture(at: Self.face, .wide)?.size == 400)
        for _ in 0..<2 { #expect(try await cache.picture(at: Self.face, .wide, hash: said) == nil) }
        let found = try #require(try await cache.picture(at: "https://b.example/face.png", .wide, hash: said))
        #expect([UInt8](try Data(contentsOf: found.file)) == Self.png(400, 2))
        #expect(try await cache.picture(at: Self.face, .wide)?.size == 400)
        #expect(bench.servers.asked == [Self.face, Self.face, "https://b.example/face.png"])
        // What was checked stays so over a restart, and is not fetched again.
        #expect(try await bench.open().picture(at: "https://b.example/face.png", .wide, hash: said)?.size == 400)
        #expect(bench.servers.asked.count == 3)
    }

    @Test("where there was nothing nobody asks again for a while")
    func absent() async throws {
        let bench = Bench(["https://a.example/page": Array("<html>".utf8)])
        let cache = bench.open()
        for address in [Self.face, "https://a.example/page"] {
            for _ in 0..<3 { #expect(try await cache.picture(at: address, .small) == nil) }
        }
        #expect(bench.servers.asked.count == 2)
        #expect(try bench.names().isEmpty)
        bench.servers.put(Self.png(300), at: Self.face)
        bench.move(601)
        #expect(try await cache.picture(at: Self.face, .small)?.size == 300)
    }

    @Test("a picture that may have changed is fetched again, and stays where its server is gone")
    func old() async throws {
        let bench = Bench([Self.face: Self.png(300)])
        let cache = bench.open()
        _ = try await cache.picture(at: Self.face, .small)
        bench.move(8 * 86_400)
        bench.servers.put(Self.png(310), at: Self.face)
        #expect(try await cache.picture(at: Self.face, .small)?.size == 310)
        #expect(try await cache.usage().bytes == 310)
        bench.move(8 * 86_400)
        bench.servers.put(nil, at: Self.face)
        #expect(try await cache.picture(at: Self.face, .small)?.size == 310)
    }

    @Test("it can be emptied, and what was left half done or is no picture goes at the start")
    func emptied() async throws {
        let bench = Bench([Self.face: Self.png(300)])
        let cache = bench.open()
        _ = try await cache.picture(at: Self.face, .small)
        let folder = bench.folder.appendingPathComponent("pictures")
        for name in ["00ff.part", "strange", "linnet-media-1"] {
            try Data([1]).write(to: folder.appendingPathComponent(name))
        }
        let restarted = bench.open()
        #expect(try await restarted.usage().count == 1)
        #expect(try bench.names().count == 1)
        try await restarted.clear()
        #expect(try bench.names().isEmpty)
        #expect(try await restarted.usage().bytes == 0)
        #expect(try await restarted.picture(at: Self.face, .small)?.size == 300)
    }

    @Test("a drawing is what its server says and looks like one; nothing else is believed")
    func drawing() async throws {
        let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
        let bench = Bench(["https://a.example/1": svg, "https://a.example/2": Array("GIF89a".utf8) + svg])
        bench.servers.type = "image/svg+xml; charset=utf-8"
        let cache = bench.open()
        #expect(try await cache.picture(at: "https://a.example/1", .emoji)?.type == "image/svg+xml")
        #expect(try await cache.picture(at: "https://a.example/2", .emoji)?.type == "image/gif")
        bench.servers.put(Array("words".utf8), at: "https://a.example/3")
        #expect(try await cache.picture(at: "https://a.example/3", .emoji) == nil)
    }
}

/// Gives out what a test put at an address.
private final class ScriptedPictures: BlobTransferring {
    private struct State {
        var blobs: [String: [UInt8]]
        var asked: [String] = []
        var type = "application/octet-stream"
    }

    private let state: Mutex<State>

    init(_ blobs: [String: [UInt8]]) { state = Mutex(State(blobs: blobs)) }

    var asked: [String] { state.withLock { $0.asked } }
    var type: String {
        get { state.withLock { $0.type } }
        set { state.withLock { $0.type = newValue } }
    }

    func put(_ bytes: [UInt8]?, at address: String) { state.withLock { $0.blobs[address] = bytes } }

    func send(_ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void) async throws -> BlobAnswer {
        BlobAnswer(status: 404)
    }

    func fetch(
        _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob {
        let (bytes, type) = state.withLock { state in
            state.asked.append(address)
            return (state.blobs[address], state.type)
        }
        await Task.yield()
        guard let bytes else { throw ServerRefusal(.notThere, status: 404) }
        guard bytes.count <= longest else { throw ServerRefusal(.tooLarge) }
        try Data(bytes).write(to: file)
        return FetchedBlob(hash: BlobHash(of: bytes), size: Int64(bytes.count), type: type)
    }
}

/// Makes copies as long as a test wants; none where there is no size.
private struct Shrinking: MediaPreparing {
    let size: (@Sendable (Int) -> Int)?

    func prepare(_ file: URL, as type: String, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        throw .notInstalled
    }

    func shrink(_ file: URL, longest: Int, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        guard let size else { throw .notInstalled }
        let copy = folder.appendingPathComponent("linnet-media-\(UUID().uuidString)")
        let bytes = [UInt8](repeating: 7, count: size(longest))
        guard FileManager.default.createFile(atPath: copy.path, contents: Data(bytes)) else { throw .notWritten }
        return PreparedMedia(file: copy, type: "image/jpeg", size: Int64(bytes.count), sha256: "")
    }
}
