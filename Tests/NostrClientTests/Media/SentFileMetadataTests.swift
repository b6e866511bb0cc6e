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

    /// The beginning of a picture as phones take it.
    private let heic = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 12)

    @Test("a picture is made ready in memory alone, as those are that are published", arguments: [true, false])
    func inMemory(isPacked: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("metadata-\(UUID().uuidString)")
        let preparing = WrittenMedia(bytes: SampleMedia.jpeg(), width: 16, height: 32, blurhash: "LEHV6n")
        let picture = isPacked ? heic : SampleMedia.jpeg(orientation: 6)
        let ready = try await context(preparing, folder).sealable(picture)
        #expect(FileSort(of: ready.bytes) == .jpeg && !ready.bytes.holds(SampleMedia.secret))
        #expect(ready.dimensions?.text == "16x32" && ready.blurhash == "LEHV6n")
        #expect(preparing.pictures.withLock { $0 } == [picture] && preparing.files.withLock { $0 } == 0)
        // The account's folder is not even made for it.
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("a picture that cannot be opened goes out cleaned where that is possible, and not at all where it is not")
    func unopened() async throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("metadata-\(UUID().uuidString)")
        for preparing in [WrittenMedia(bytes: nil), nil] {
            let ready = try await context(preparing, base).sealable(SampleMedia.jpeg())
            #expect(FileSort(of: ready.bytes) == .jpeg && !ready.bytes.holds(SampleMedia.secret))
            #expect(ready.blurhash == nil && ready.dimensions != nil)
            await #expect(throws: SealedFileError.tellsTooMuch) {
                _ = try await context(preparing, base).sealable(heic)
            }
        }
        // What comes back is looked at as if somebody else had made it.
        await #expect(throws: SealedFileError.tellsTooMuch) {
            _ = try await context(WrittenMedia(bytes: heic), base).sealable(SampleMedia.jpeg())
        }
        // A film is taken apart here.
        let working = WrittenMedia(bytes: SampleMedia.jpeg())
        let film = try await context(working, base).sealable(SampleMedia.film)
        #expect(working.pictures.withLock { $0 }.isEmpty && !film.bytes.holds(SampleMedia.secret))
    }

    private func context(_ preparing: WrittenMedia?, _ folder: URL) -> AccountContext {
        let clock = ManualClock()
        let now = Timestamp(seconds: 1_700_000_000)
        return AccountContext(
            publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: { now }), records: MemoryRecordStore(),
            network: ScriptedNetwork(clock: clock),
            media: preparing.map {
                MediaAccess(transfer: ScriptedMediaServers(), preparing: $0, folder: folder)
            },
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
            time: Time(clock: clock, now: { now }))
    }
}

/// Makes the same bytes whatever it is given; fails where there are none.
///
/// Remembers what it was given.
private final class WrittenMedia: MediaPreparing {
    private let bytes: [UInt8]?
    private let width: Int?
    private let height: Int?
    private let blurhash: String?
    /// The pictures it was given in memory.
    let pictures = Mutex<[[UInt8]]>([])
    /// How often it was given a file.
    let files = Mutex(0)

    init(bytes: [UInt8]?, width: Int? = nil, height: Int? = nil, blurhash: String? = nil) {
        (self.bytes, self.width, self.height, self.blurhash) = (bytes, width, height, blurhash)
    }

    func prepare(_ picture: [UInt8], as type: String) async throws(MediaProblem) -> PreparedPicture {
        pictures.withLock { $0.append(picture) }
        guard let bytes else { throw .unsupported(type: type) }
        var copy = PreparedPicture(bytes)
        (copy.width, copy.height, copy.blurhash) = (width, height, blurhash)
        return copy
    }

    func prepare(_ file: URL, as type: String, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        files.withLock { $0 += 1 }
        throw .unsupported(type: type)
    }
}

extension [UInt8] {
    fileprivate func holds(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
