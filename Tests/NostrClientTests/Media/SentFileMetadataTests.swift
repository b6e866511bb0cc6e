import AsyncPrimitives
import Foundation
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

@Suite("what files tell by the way, before they are sealed")
struct SentFileMetadataTests {
    @Test("of where and by whom it was made nothing is left, in any format", arguments: SampleMedia.all.map(\.type))
    func gone(type: String) throws {
        let sample = try #require(SampleMedia.all.first { $0.type == type })
        #expect(sample.bytes.holds(SampleMedia.secret))
        let plain = try SentFileMetadata.removed(from: sample.bytes)
        #expect(!plain.holds(SampleMedia.secret))
        if type.hasPrefix("video/") { #expect(plain.holds(SampleMedia.pictures)) }
    }

    @Test("a film as old cameras write it, without its brand, tells nothing either")
    func unbranded() throws {
        let film = SampleMedia.film
        let head = film.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        // Its tables say where the pieces lie, so the brand becomes room that nobody reads.
        let old = Array(film.prefix(4)) + Array("free".utf8) + film.dropFirst(8)
        #expect(head > 8 && FileSort(of: old) == .bytes)
        let plain = try SentFileMetadata.removed(from: old)
        #expect(!plain.holds(SampleMedia.secret) && plain.holds(SampleMedia.pictures))
    }

    @Test("a film that hides its parts is not sealed, and what is no medium stays as it is")
    func refused() throws {
        var packed = SampleMedia.film
        let movie = try #require(packed.firstRange(of: Array("mvhd".utf8)))
        packed.replaceSubrange(movie, with: Array("cmov".utf8))
        #expect(throws: SealedFileError.tellsTooMuch) { try SentFileMetadata.removed(from: packed) }
        let cut = Array(SampleMedia.film.prefix(40))
        #expect(throws: SealedFileError.tellsTooMuch) { try SentFileMetadata.removed(from: cut) }
        for file in [[], Array("words".utf8), Array("%PDF-1.7".utf8)] as [[UInt8]] {
            #expect(try SentFileMetadata.removed(from: file) == file)
        }
        Noise.run(SampleMedia.film, rounds: 1_000) { _ = try? SentFileMetadata.removed(from: $0) }
    }

    @Test("a picture as phones take it is made ready in the account's own folder, where nothing of it stays")
    func phone() async throws {
        let heic = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 12)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("metadata-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let preparing = WrittenMedia(bytes: SampleMedia.jpeg())
        let plain = try await context(preparing, folder).sealable(heic).bytes
        #expect(FileSort(of: plain) == .jpeg && !plain.holds(SampleMedia.secret))
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent("preparing").path)
        #expect(left.isEmpty)
        await #expect(throws: SealedFileError.tellsTooMuch) {
            _ = try await context(WrittenMedia(bytes: nil), folder).sealable(heic)
        }
        await #expect(throws: SealedFileError.tellsTooMuch) {
            _ = try await context(nil, folder).sealable(heic)
        }
    }

    @Test("a picture is made ready in memory alone, as those are that are published", arguments: [true, false])
    func inMemory(isPacked: Bool) async throws {
        let heic = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 12)
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID().uuidString)")
        let (folder, memory) = (base.appendingPathComponent("account"), base.appendingPathComponent("memory"))
        try FileManager.default.createDirectory(at: memory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: base) }
        let preparing = WrittenMedia(bytes: SampleMedia.jpeg(), width: 16, height: 32, blurhash: "LEHV6n")
        let ready = try await context(preparing, folder, memory: memory)
            .sealable(isPacked ? heic : SampleMedia.jpeg(orientation: 6))
        #expect(FileSort(of: ready.bytes) == .jpeg && !ready.bytes.holds(SampleMedia.secret))
        #expect(ready.dimensions?.text == "16x32" && ready.blurhash == "LEHV6n")
        let place = try #require(preparing.places.withLock { $0 }.first)
        #expect(preparing.places.withLock { $0 }.count == 1 && place.path.hasPrefix(memory.path + "/"))
        #expect(preparing.modes.withLock { $0 } == [0o700, 0o600])
        // Nothing stays there, and the account's own folder was never needed.
        #expect(try FileManager.default.contentsOfDirectory(atPath: memory.path).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("a picture that cannot be opened goes out cleaned where that is possible, and without memory none is opened")
    func unopened() async throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: base) }
        let failing = WrittenMedia(bytes: nil)
        let ready = try await context(failing, base, memory: base.appendingPathComponent("memory"))
            .sealable(SampleMedia.jpeg())
        #expect(FileSort(of: ready.bytes) == .jpeg && !ready.bytes.holds(SampleMedia.secret))
        #expect(ready.blurhash == nil && ready.dimensions != nil)
        let working = WrittenMedia(bytes: SampleMedia.jpeg())
        _ = try await context(working, base).sealable(SampleMedia.jpeg())
        #expect(working.places.withLock { $0 }.isEmpty)
        let film = try await context(working, base, memory: base).sealable(SampleMedia.film)
        #expect(working.places.withLock { $0 }.isEmpty && !film.bytes.holds(SampleMedia.secret))
    }

    private func context(_ preparing: WrittenMedia?, _ folder: URL, memory: URL? = nil) -> AccountContext {
        let clock = ManualClock()
        let now = Timestamp(seconds: 1_700_000_000)
        return AccountContext(
            publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: { now }), records: MemoryRecordStore(),
            network: ScriptedNetwork(clock: clock),
            media: preparing.map {
                MediaAccess(transfer: ScriptedMediaServers(), preparing: $0, folder: folder, memory: memory)
            },
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
            time: Time(clock: clock, now: { now }))
    }
}

/// Writes the same bytes whatever it is given; fails where there are none.
///
/// Remembers where it was to work.
private final class WrittenMedia: MediaPreparing {
    private let bytes: [UInt8]?
    private let width: Int?
    private let height: Int?
    private let blurhash: String?
    /// The folders of its files.
    let places = Mutex<[URL]>([])
    /// Who may do what with the folder and with the file.
    let modes = Mutex<[Int]>([])

    init(bytes: [UInt8]?, width: Int? = nil, height: Int? = nil, blurhash: String? = nil) {
        (self.bytes, self.width, self.height, self.blurhash) = (bytes, width, height, blurhash)
    }

    func prepare(_ file: URL, as type: String, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        places.withLock { $0.append(folder) }
        modes.withLock { $0 = [folder, file].map { Self.mode(of: $0) } }
        guard let bytes else { throw .unsupported(type: type) }
        let copy = folder.appendingPathComponent("copy")
        guard FileManager.default.createFile(atPath: copy.path, contents: Data(bytes)) else { throw .notWritten }
        return PreparedMedia(
            file: copy, type: "image/jpeg", size: Int64(bytes.count), sha256: "", width: width, height: height,
            blurhash: blurhash)
    }

    private static func mode(of file: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return attributes?[.posixPermissions] as? Int ?? 0
    }
}

extension [UInt8] {
    fileprivate func holds(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
