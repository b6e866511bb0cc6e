import AsyncPrimitives
import Foundation
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

/// Films and sounds of others, handed on while they play.
@Suite("films and sounds of others", .timeLimit(.minutes(10)))
struct RecordingsTests {
    private static let address = "https://a.example/tide.mp4"
    private static let film: [UInt8] = {
        let head = Array("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41".utf8)
        return head + (0..<5000).map { UInt8($0 % 251) }
    }()

    /// One account's recordings, over scripted servers and a date that a test moves.
    private struct Bench {
        let servers: ScriptedParts
        let recordings: Recordings
        private let seconds = Seconds()

        init(_ files: [String: ScriptedParts.File]) {
            servers = ScriptedParts(files)
            let (clock, seconds) = (ManualClock(), self.seconds)
            let now: @Sendable () -> Timestamp = { Timestamp(seconds: seconds.value.withLock { $0 }) }
            recordings = Recordings(
                AccountContext(
                    publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: now),
                    records: MemoryRecordStore(), network: ScriptedNetwork(clock: clock),
                    media: MediaAccess(
                        transfer: ScriptedMediaServers(), parts: servers, preparing: UnpreparedMedia(),
                        folder: FileManager.default.temporaryDirectory),
                    configuration: AccountConfiguration(
                        routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
                    time: Time(clock: clock, now: now)))
        }

        func move(_ span: Int64) { seconds.value.withLock { $0 += span } }

        /// What a player gets, and how it ended.
        func played(
            _ recording: Recording, _ part: Range<Int64>? = nil
        ) async -> (bytes: [UInt8], why: ServerRefusal?) {
            var bytes: [UInt8] = []
            do {
                try await recordings.play(recording, part) { bytes += $0 }
                return (bytes, nil)
            } catch {
                return (bytes, error as? ServerRefusal)
            }
        }
    }

    private final class Seconds: Sendable {
        let value = Mutex<Int64>(1_700_000_000)
    }

    @Test("a player gets the parts it asks for, byte for byte, and the server is asked what it is only once")
    func parts() async throws {
        let bench = Bench([Self.address: .init(Self.film)])
        let recording = try #require(try await bench.recordings.recording(at: Self.address))
        #expect(
            recording
                == Recording(
                    address: Self.address, type: "video/mp4", size: Int64(Self.film.count), hasParts: true))
        for part in [0..<10, 100..<101, 4000..<Int64(Self.film.count)] as [Range<Int64>] {
            let played = await bench.played(recording, part)
            #expect(played.bytes == Array(Self.film[Int(part.lowerBound)..<Int(part.upperBound)]) && played.why == nil)
        }
        let whole = await bench.played(recording)
        #expect(whole.bytes == Self.film && whole.why == nil)
        #expect(try await bench.recordings.recording(at: Self.address) == recording)
        #expect(
            bench.servers.asked == ["0-511", "0-9", "100-100", "4000-\(Self.film.count - 1)", "0-"])
        bench.move(601)
        #expect(try await bench.recordings.recording(at: Self.address) == recording)
        #expect(bench.servers.asked.count == 6)
    }

    @Test("of another file than its author showed the end is held back, and its address is passed over")
    func another() async throws {
        let bench = Bench([Self.address: .init(Self.film)])
        let (right, wrong) = (BlobHash(of: Self.film), BlobHash(of: [1, 2, 3]))
        let shown = try #require(try await bench.recordings.recording(at: Self.address, as: right))
        for part in [nil, 0..<Int64(Self.film.count)] as [Range<Int64>?] {
            let played = await bench.played(shown, part)
            #expect(played.bytes == Self.film && played.why == nil)
        }
        let other = try #require(try await bench.recordings.recording(at: Self.address, as: wrong))
        // Of a part nobody can tell.
        #expect(await bench.played(other, 0..<10).bytes.count == 10)
        #expect(try await bench.recordings.recording(at: Self.address, as: wrong) != nil)
        let played = await bench.played(other, 0..<Int64(Self.film.count))
        #expect(played.why?.code == .wrongHash && played.bytes.isEmpty)
        #expect(try await bench.recordings.recording(at: Self.address, as: wrong) == nil)
        // What others show there, and who says nothing of it, is not touched.
        #expect(try await bench.recordings.recording(at: Self.address, as: right) != nil)
        #expect(try await bench.recordings.recording(at: Self.address) != nil)
        bench.move(86_401)
        #expect(try await bench.recordings.recording(at: Self.address, as: wrong) != nil)
    }

    @Test("how small its pieces are, and whether it says its length, gives a server no way past what is held back")
    func heldBack() async throws {
        // Its last piece has one byte.
        let film = Self.film + [UInt8](repeating: 7, count: 2_000_001 - Self.film.count)
        for saysSize in [true, false] {
            let bench = Bench([Self.address: .init(film, saysSize: saysSize, hasParts: saysSize)])
            let right = BlobHash(of: film)
            let shown = try #require(try await bench.recordings.recording(at: Self.address, as: right))
            let whole = await bench.played(shown)
            #expect(whole.bytes == film && whole.why == nil)
            let wrong = BlobHash(of: [1, 2, 3])
            let other = try #require(try await bench.recordings.recording(at: Self.address, as: wrong))
            let played = await bench.played(other)
            #expect(played.why?.code == .wrongHash)
            #expect(!played.bytes.isEmpty && played.bytes.count <= film.count - HeldTail.length)
            // One that ends before its end is handed on no further than that.
            bench.servers.put(
                .init(film, saysSize: saysSize, hasParts: saysSize, breaksAt: film.count - 1), at: Self.address)
            let broken = await bench.played(shown)
            #expect(broken.why?.code == (saysSize ? .brokenOff : .wrongHash))
            #expect(broken.bytes.count <= film.count - HeldTail.length)
        }
    }

    @Test("who gave another file is passed over however many others are found, and of too many the oldest is forgotten")
    func mistrusted() async throws {
        let addresses = (0...Recordings.mostMistrusted).map { "https://a.example/\($0).mp4" }
        let bench = Bench(Dictionary(uniqueKeysWithValues: addresses.map { ($0, ScriptedParts.File(Self.film)) }))
        let (recordings, wrong) = (bench.recordings, BlobHash(of: [1, 2, 3]))
        for address in addresses {
            let shown = try #require(try await recordings.recording(at: address, as: wrong))
            #expect(await bench.played(shown).why?.code == .wrongHash)
            bench.move(1)
        }
        #expect(try await recordings.recording(at: addresses[1], as: wrong) == nil)
        #expect(try await recordings.recording(at: addresses[addresses.count - 1], as: wrong) == nil)
        #expect(try await recordings.recording(at: addresses[0], as: wrong) != nil)
    }

    @Test("many who ask at once have the server asked once")
    func together() async throws {
        let bench = Bench([Self.address: .init(Self.film)])
        let recordings = bench.recordings
        let found = try await withThrowingTaskGroup(of: Recording?.self) { group in
            for _ in 0..<20 { group.addTask { try await recordings.recording(at: Self.address) } }
            return try await group.reduce(into: [Recording?]()) { $0.append($1) }
        }
        #expect(found.count == 20 && found.allSatisfy { $0?.type == "video/mp4" })
        #expect(bench.servers.asked.count == 1)
    }

    @Test(
        "whatever a server says it is, only what begins as a film or sound is one",
        arguments: [
            ("<!doctype html><script>1</script>", nil), ("<svg onload=\"1\"/>", nil),
            ("#EXTM3U\n#EXT-X-VERSION:3\n", nil), ("GIF89a", nil), ("%PDF-1.7", nil), ("", nil),
            ("ID3\u{4}", "audio/mpeg"), ("OggS\0\u{2}", "audio/ogg"), ("fLaC", "audio/flac"),
            ("RIFF\u{4}\0\0\0WAVEfmt ", "audio/wav"), ("\0\0\0\u{18}ftypavif", nil),
            ("\0\0\0\u{18}ftypM4A ", "video/mp4"),
        ] as [(String, String?)])
    func sorts(beginning: String, type: String?) async throws {
        let padding = [UInt8](repeating: 0, count: beginning.isEmpty ? 0 : 600)
        let bench = Bench([Self.address: .init(Array(beginning.utf8) + padding)])
        let found = try await bench.recordings.recording(at: Self.address)
        #expect(found?.type == type)
    }

    @Test("where there is none nobody asks again for a minute")
    func absent() async throws {
        let bench = Bench([:])
        for _ in 0..<3 { #expect(try await bench.recordings.recording(at: Self.address) == nil) }
        #expect(bench.servers.asked.count == 1)
        bench.servers.put(.init(Self.film), at: Self.address)
        bench.move(61)
        #expect(try await bench.recordings.recording(at: Self.address) != nil)
        let long = "https://a.example/" + String(repeating: "a", count: 5000)
        #expect(try await bench.recordings.recording(at: long) == nil && bench.servers.asked.count == 2)
    }

    @Test("from a server that knows no parts it plays from its beginning, also where nobody knows its length")
    func noParts() async throws {
        for saysSize in [true, false] {
            let bench = Bench([Self.address: .init(Self.film, saysSize: saysSize, hasParts: false)])
            let recording = try #require(try await bench.recordings.recording(at: Self.address))
            #expect(!recording.hasParts && (recording.size != nil) == saysSize)
            let played = await bench.played(recording)
            #expect(played.bytes == Self.film && played.why == nil)
        }
    }

    @Test("a body without an end is cut where it may no longer be, and one that is said to be too long is none")
    func endless() async throws {
        let bench = Bench([
            Self.address: .init(Self.film, saysSize: false, hasParts: false, isEndless: true),
            "https://a.example/long": .init(Self.film, claims: Recordings.longest + 1),
        ])
        #expect(try await bench.recordings.recording(at: "https://a.example/long") == nil)
        let recording = try #require(try await bench.recordings.recording(at: Self.address))
        var count: Int64 = 0
        do {
            try await bench.recordings.play(recording, nil) { count += Int64($0.count) }
            Issue.record("it has an end")
        } catch {
            #expect(error as? ServerRefusal == ServerRefusal(.tooLarge))
        }
        #expect(count == Recordings.longestUntold)
        // Of one whose length is known no byte more than that is handed on.
        var known = recording
        known.size = 3000
        bench.servers.put(.init(Self.film, claims: 3000, isEndless: true), at: Self.address)
        let played = await bench.played(known)
        #expect(played.bytes.count == 3000 && played.why == nil)
        let part = await bench.played(known, 10..<20)
        #expect(part.bytes == Array(Self.film[10..<20]) && part.why == nil)
    }

    @Test("a server that breaks off, or gives another file than it said, is named and not believed again")
    func broken() async throws {
        let bench = Bench([Self.address: .init(Self.film)])
        let recording = try #require(try await bench.recordings.recording(at: Self.address))
        bench.servers.put(.init(Self.film, claims: Int64(Self.film.count), breaksAt: 1000), at: Self.address)
        let cut = await bench.played(recording)
        #expect(cut.bytes == Array(Self.film.prefix(1000)) && cut.why == ServerRefusal(.brokenOff))
        for other in [
            ScriptedParts.File(Array(Self.film.dropLast())), .init(Self.film, hasParts: false),
        ] {
            bench.servers.put(other, at: Self.address)
            let played = await bench.played(recording, 10..<20)
            #expect(played.bytes.isEmpty && played.why == ServerRefusal(.wrongAnswer))
        }
        let before = bench.servers.asked.count
        _ = try await bench.recordings.recording(at: Self.address)
        #expect(bench.servers.asked.count == before + 1)
    }

    @Test("only so many play at once; when one ends there is room again")
    func full() async throws {
        let bench = Bench([Self.address: .init(Self.film)])
        let recordings = bench.recordings
        let recording = try #require(try await recordings.recording(at: Self.address))
        let (gate, playing) = (AsyncSemaphore(permits: 0), AsyncSemaphore(permits: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Recordings.mostAtOnce {
                group.addTask {
                    var isFirst = true
                    try await recordings.play(recording, nil) { _ in
                        if isFirst {
                            isFirst = false
                            playing.release()
                            try await gate.acquire()
                        }
                    }
                }
            }
            for _ in 0..<Recordings.mostAtOnce { try await playing.acquire() }
            await #expect(throws: AsyncSemaphore.Refusal.queueIsFull) {
                try await recordings.play(recording, 0..<10) { _ in }
            }
            for _ in 0..<Recordings.mostAtOnce { gate.release() }
            try await group.waitForAll()
        }
        #expect(await bench.played(recording, 0..<10).bytes.count == 10)
    }

    @Test("without anybody who fetches there are none")
    func none() async throws {
        #expect(FileSort.allCases.filter(\.isRecording).allSatisfy { !$0.isPicture && $0.type.contains("/") })
        let (clock, address) = (ManualClock(), Self.address)
        let now: @Sendable () -> Timestamp = { Timestamp(seconds: 1_700_000_000) }
        let recordings = Recordings(
            AccountContext(
                publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: now),
                records: MemoryRecordStore(), network: ScriptedNetwork(clock: clock),
                configuration: AccountConfiguration(
                    routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
                time: Time(clock: clock, now: now)))
        #expect(try await recordings.recording(at: address) == nil)
        let recording = Recording(address: address, type: "video/mp4", size: 10, hasParts: true)
        await #expect(throws: ServerRefusal(.notAllowed)) { try await recordings.play(recording, nil) { _ in } }
    }
}

/// Servers that give what a test put at an address, well or badly.
private final class ScriptedParts: PartFetching {
    struct File {
        var bytes: [UInt8]
        var saysSize: Bool
        var hasParts: Bool
        /// How long it says it is, where that is not how long it is.
        var claims: Int64?
        /// Whether it begins anew at its end.
        var isEndless: Bool
        /// Where the connection ends before all was said.
        var breaksAt: Int?

        init(
            _ bytes: [UInt8], saysSize: Bool = true, hasParts: Bool = true, claims: Int64? = nil,
            isEndless: Bool = false, breaksAt: Int? = nil
        ) {
            (self.bytes, self.saysSize, self.hasParts) = (bytes, saysSize, hasParts)
            (self.claims, self.isEndless, self.breaksAt) = (claims, isEndless, breaksAt)
        }
    }

    private struct State {
        var files: [String: File]
        var asked: [String] = []
    }

    private let state: Mutex<State>

    init(_ files: [String: File]) { state = Mutex(State(files: files)) }

    /// The parts that were asked for, in order.
    var asked: [String] { state.withLock { $0.asked } }

    func put(_ file: File, at address: String) { state.withLock { $0.files[address] = file } }

    func fetch(
        _ address: String, from first: Int64, to last: Int64?, deadline: Duration,
        _ take: (FetchedPart, [UInt8]) async throws -> Bool
    ) async throws {
        let found = state.withLock { state in
            state.asked.append("\(first)-\(last.map { "\($0)" } ?? "")")
            return state.files[address]
        }
        await Task.yield()
        guard let file = found else { throw ServerRefusal(.notThere, status: 404) }
        let start = file.hasParts ? Int(first) : 0
        let size = file.saysSize ? file.claims ?? Int64(file.bytes.count) : nil
        let part = FetchedPart(start: Int64(start), size: size, isPart: file.hasParts)
        let end = file.hasParts ? last.map { min(Int($0) + 1, file.bytes.count) } ?? file.bytes.count : file.bytes.count
        if file.isEndless { return try await pour(file.bytes, from: start, part, take) }
        var place = start
        while place < min(end, file.breaksAt ?? end) {
            let next = min(place + 1000, end)
            guard try await take(part, Array(file.bytes[place..<next])) else { return }
            place = next
        }
    }

    /// Goes on until nobody wants more.
    private func pour(
        _ bytes: [UInt8], from start: Int, _ part: FetchedPart, _ take: (FetchedPart, [UInt8]) async throws -> Bool
    ) async throws {
        guard try await take(part, Array(bytes[start...])) else { return }
        let more = [UInt8](repeating: 7, count: 1 << 20)
        while try await take(part, more) {}
    }
}
