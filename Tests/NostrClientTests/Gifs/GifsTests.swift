import AccountTesting
import AsyncPrimitives
import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Alice's account with media servers that a test wrote.
private struct GifBench {
    let clock = ManualClock()
    let network: ScriptedNetwork
    let store: MemoryEventStore
    let records = MemoryRecordStore()
    let folder: URL
    let account: LiveAccount

    init(_ servers: ScriptedMediaServers = ScriptedMediaServers()) {
        let clock = self.clock
        let now: @Sendable () -> Timestamp = { Timestamp(seconds: AccountBench.start) + clock.now.offset }
        network = ScriptedNetwork(clock: clock)
        store = MemoryEventStore(now: now)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("gifs-\(UUID().uuidString)")
        account = LiveAccount(
            publicKey: TestPerson.alice.publicKey,
            signer: LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1)), store: store,
            records: records, network: network,
            media: MediaAccess(transfer: servers, preparing: UnpreparedMedia(), folder: folder),
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")]),
                searchRelays: [relay("search")]),
            time: Time(clock: clock, now: now), randomness: SeededRandom(seed: 2))
    }

    var gifs: any GifFinding {
        get throws { try #require(account.gifs) }
    }

    func forget() { try? FileManager.default.removeItem(at: folder) }
}

/// A GIF that somebody published.
private func shared(
    _ words: String, by person: TestPerson = .bob, at address: String = "https://a.example/1.gif", ago: Int64 = 10,
    content: String? = nil, more: [NostrCore.Tag] = []
) -> Event {
    person.event(
        content ?? words, kind: 1063, tags: [["url", address], ["m", "image/gif"], ["alt", words]] + more,
        at: seconds(-ago))
}

@Suite("GIFs that people published", .timeLimit(.minutes(5)))
struct GifsTests {
    private let gif = SampleMedia.gif

    @Test("what is here and what relays have is found by its words, the newest first, each file once")
    func found() async throws {
        let bench = GifBench()
        defer { bench.forget() }
        let hash = String(repeating: "ab", count: 32)
        _ = await bench.store.save(
            [
                shared("A heron lands", ago: 50), shared("A goat", at: "https://a.example/2.gif"),
                shared("The same heron", at: "https://a.example/3.gif", ago: 30, more: [["x", hash]]),
                shared("That heron again", at: "https://b.example/3.gif", ago: 40, more: [["x", hash]]),
            ], from: nil)
        bench.network.put([shared("A HERON, rising", at: "https://a.example/4.gif", ago: 20)], on: relay("fallback"))
        let gifs = try await bench.gifs.search("heron", limit: 10)
        #expect(gifs.map(\.title) == ["A HERON, rising", "The same heron", "A heron lands"])
        #expect(gifs.allSatisfy { $0.source == .relays })
        let all = try await bench.gifs.search("", limit: 2)
        #expect(all.count == 2 && all.first?.title == "A goat")
    }

    @Test("a search relay is believed that what it found fits; the same question is not asked twice at once")
    func searchRelays() async throws {
        let bench = GifBench()
        defer { bench.forget() }
        // Too far behind for a look of our own.
        let long = String(repeating: "grey ", count: 1000) + "heron"
        bench.network.put([shared("Ardea cinerea", content: long)], on: relay("search"))
        let once = try await bench.gifs.search("heron", limit: 10)
        #expect(once.map(\.title) == ["Ardea cinerea"])
        let asked = bench.network.questions.filter { $0.relay == relay("search") }.count
        #expect(asked == 1)
        let again = try await bench.gifs.search("  Heron ", limit: 10)
        #expect(again.map(\.title) == ["Ardea cinerea"])
        #expect(bench.network.questions.filter { $0.relay == relay("search") }.count == asked)
    }

    @Test("nothing of who is muted, no other file, and nothing behind a warning")
    func hidden() async throws {
        let bench = GifBench()
        defer { bench.forget() }
        let mutes = TestPerson.alice.event(kind: 10_000, tags: [["p", TestPerson.dave.publicKey.hex]])
        _ = await bench.store.save(
            [
                mutes, shared("heron one"), shared("heron two", by: .dave, at: "https://a.example/2.gif"),
                shared("heron three", at: "https://a.example/3.gif", more: [["content-warning", "blood"]]),
                TestPerson.bob.event(
                    "heron four", kind: 1063, tags: [["url", "https://a.example/4.png"], ["m", "image/png"]],
                    at: seconds(-5)),
            ], from: nil)
        let titles = try await bench.gifs.search("heron", limit: 10).map(\.title)
        #expect(titles == ["heron one"])
    }

    @Test("small pictures are fetched once, of what was found alone, and only pictures are given out")
    func previews() async throws {
        let servers = ScriptedMediaServers(blobs: [
            "https://a.example/small.gif": gif, "https://a.example/2.gif": Array("<html>".utf8),
        ])
        let bench = GifBench(servers)
        defer { bench.forget() }
        _ = await bench.store.save(
            [
                shared("one", more: [["thumb", "https://a.example/small.gif"]]),
                shared("two", at: "https://a.example/2.gif", ago: 20),
            ], from: nil)
        let gifs = try bench.gifs
        let unknown = Gif(MediaAttachment(url: "https://a.example/1.gif"), title: "", source: .relays).id
        #expect(try await gifs.preview(unknown) == nil)
        #expect(servers.questions.isEmpty)
        let found = try await gifs.search("", limit: 10)
        let first = try #require(found.first), second = try #require(found.last)
        let preview = try #require(try await gifs.preview(first.id))
        #expect(preview.sort == .gif)
        let bytes = [UInt8](try Data(contentsOf: preview.intake.file))
        #expect(bytes == gif)
        _ = try await gifs.preview(first.id)
        #expect(servers.questions == ["GET https://a.example/small.gif"])
        #expect(try await gifs.preview(second.id) == nil)
    }

    @Test("a GIF is downloaded from where it lies, and is the file that its author described")
    func download() async throws {
        let servers = ScriptedMediaServers(blobs: [
            "https://b.example/1.gif": gif, "https://a.example/2.gif": SampleMedia.wave,
        ])
        let bench = GifBench(servers)
        defer { bench.forget() }
        let gifs = try bench.gifs
        var file = MediaAttachment(url: "https://gone.example/1.gif")
        file.fallbacks = ["https://b.example/1.gif"]
        file.hash = BlobHash(of: gif).hex
        let intake = try await gifs.download(Gif(file, title: "", source: .relays))
        let bytes = [UInt8](try Data(contentsOf: intake.file))
        #expect(bytes == gif)
        file.hash = String(repeating: "ab", count: 32)
        let other = Gif(file, title: "", source: .relays)
        await #expect(throws: GifProblem.otherFile) { _ = try await gifs.download(other) }
        let sound = Gif(MediaAttachment(url: "https://a.example/2.gif"), title: "", source: .relays)
        await #expect(throws: GifProblem.notGif) { _ = try await gifs.download(sound) }
        let gone = Gif(MediaAttachment(url: "https://gone.example/1.gif"), title: "", source: .relays)
        await #expect(throws: GifProblem.notThere) { _ = try await gifs.download(gone) }
    }
}

@Suite("a host of GIFs", .timeLimit(.minutes(5)))
struct GifHostTests {
    private static let key = "planted0key1for2gifs"
    private static let answer = Array(
        """
        {"data":[{"title":"Heron GIF","images":{"original":{"url":"https://h.example/1.gif","size":"1000"}}}],
        "meta":{"status":200,"response_id":"x"}}
        """.utf8)

    private func prepared(_ answer: BlobAnswer) -> (GifBench, ScriptedMediaServers) {
        let servers = ScriptedMediaServers { _, _ in answer }
        return (GifBench(servers), servers)
    }

    @Test("the key rests sealed and goes to the host alone; without one nothing is asked")
    func key() async throws {
        let (bench, servers) = prepared(BlobAnswer(status: 200, body: Self.answer))
        defer { bench.forget() }
        #expect(bench.account.gifHost == nil)
        await bench.account.keyDidUnlock()
        let host = try #require(bench.account.gifHost)
        let choice = GifHostChoice()
        let none = try await host.search("heron", at: choice, limit: 5)
        #expect(none.isEmpty && servers.questions.isEmpty)
        try await host.setKey(" \(Self.key)\n")
        for record in try await bench.records.records(in: "gif-host") {
            #expect(!String(decoding: record.value, as: UTF8.self).contains(Self.key))
            #expect(!record.key.contains(Self.key))
        }
        let found = try await host.search("Grey heron", at: choice, limit: 5)
        #expect(found.map(\.title) == ["Heron GIF"] && found.first?.source == .host)
        let asked = try #require(servers.questions.first)
        #expect(asked.hasPrefix("GET https://api.giphy.com/v1/gifs/search?api_key=\(Self.key)&"))
        #expect(asked.contains("q=grey%20heron") && asked.contains("rating=g"))
        // What was answered a moment ago is not asked again.
        _ = try await host.search("grey heron", at: choice, limit: 5)
        #expect(servers.questions.count == 1)
        _ = try await host.search("", at: choice, limit: 5)
        #expect(servers.questions.last?.contains("/v1/gifs/trending?") == true)
        let nowhere = try await host.search("heron", at: GifHostChoice(address: ""), limit: 5)
        #expect(nowhere.isEmpty && servers.questions.count == 2)
        try await host.setKey(nil)
        let isKept = try await host.hasKey()
        #expect(!isKept)
        await bench.account.keyDidLock()
        #expect(bench.account.gifHost == nil)
    }

    @Test("the key goes to the host that was asked with it first, and to no other before it is kept again")
    func oneHost() async throws {
        let (bench, servers) = prepared(BlobAnswer(status: 200, body: Self.answer))
        defer { bench.forget() }
        await bench.account.keyDidUnlock()
        let host = try #require(bench.account.gifHost)
        try await host.setKey(Self.key)
        _ = try await host.search("heron", at: GifHostChoice(), limit: 5)
        let other = GifHostChoice(address: "https://gifs.example")
        await #expect(throws: GifHostProblem.otherHost) { _ = try await host.search("heron", at: other, limit: 5) }
        #expect(servers.questions.count == 1)
        try await host.setKey(Self.key)
        _ = try await host.search("heron", at: other, limit: 5)
        #expect(servers.questions.last?.hasPrefix("GET https://gifs.example/") == true)
    }

    @Test(
        "what cannot be a key is not kept",
        arguments: ["", "short", String(repeating: "x", count: 200), "nsec1abcdefgh"])
    func noKey(text: String) async throws {
        let (bench, _) = prepared(BlobAnswer(status: 200))
        defer { bench.forget() }
        await bench.account.keyDidUnlock()
        let host = try #require(bench.account.gifHost)
        await #expect(throws: GifHostProblem.noKey) { try await host.setKey(text) }
        let isKept = try await host.hasKey()
        #expect(!isKept)
    }

    @Test(
        "each refusal has a name",
        arguments: [
            (401, GifHostProblem.refusedKey), (403, .refusedKey), (429, .tooMany), (500, .unreachable),
            (301, .unreachable), (200, .unreadable),
        ])
    func refusals(status: Int, problem: GifHostProblem) async throws {
        let (bench, _) = prepared(BlobAnswer(status: status, body: Array("<html>".utf8)))
        defer { bench.forget() }
        await bench.account.keyDidUnlock()
        let host = try #require(bench.account.gifHost)
        try await host.setKey(Self.key)
        await #expect(throws: problem) { _ = try await host.search("x", at: GifHostChoice(), limit: 5) }
    }
}

@Suite("what a host of GIFs answers")
struct GifHostAnswerTests {
    private func gifs(_ text: String) throws -> [Gif] { try GifHostAnswer(Array(text.utf8)).gifs }

    private func entry(_ images: String, _ more: String = "") -> String {
        "{\"data\":[{\"title\":\"t\"\(more),\"images\":{\(images)}}]}"
    }

    @Test("the best form that is not too large is taken, with its size and a small picture")
    func forms() throws {
        let large = "\"original\":{\"url\":\"https://h.example/o.gif\",\"size\":\"99999999\"}"
        let middle =
            "\"fixed_height\":{\"url\":\"https://h.example/f.gif\",\"size\":\"2000\",\"width\":\"300\",\"height\":200}"
        let small = "\"downsized\":{\"url\":\"https://h.example/d.gif\",\"size\":\"1000\"}"
        let preview = "\"fixed_width_small\":{\"url\":\"https://h.example/p.gif\"}"
        let gif = try #require(try gifs(entry([large, middle, small, preview].joined(separator: ","))).first)
        #expect(gif.file.url == "https://h.example/f.gif" && gif.file.byteCount == 2000)
        #expect(gif.file.dimensions == PixelSize(width: 300, height: 200) && gif.file.type == "image/gif")
        #expect(gif.file.thumbnails == ["https://h.example/p.gif"] && gif.previews.first == "https://h.example/p.gif")
        let unsized = try gifs(
            entry(
                "\"original\":{\"url\":\"https://h.example/o.gif\"},\"downsized\":{\"url\":\"https://h.example/d.gif\"}"
            ))
        #expect(unsized.first?.file.url == "https://h.example/d.gif")
        #expect(try gifs(entry(large)).isEmpty)
    }

    @Test("words for people who cannot see it come first")
    func words() throws {
        let image = "\"original\":{\"url\":\"https://h.example/o.gif\",\"size\":9}"
        #expect(try gifs(entry(image, ",\"alt_text\":\"A heron\"")).first?.title == "A heron")
        #expect(try gifs(entry(image, ",\"alt_text\":\" \"")).first?.file.description == "t")
    }

    @Test(
        "of entries that make no sense nothing stands",
        arguments: [
            "{}", "null", "1", "{\"images\":null}", "{\"images\":[]}", "{\"images\":{\"original\":\"x\"}}",
            "{\"images\":{\"original\":{\"url\":\"javascript:alert(1)\",\"size\":\"1\"}}}",
            "{\"images\":{\"original\":{\"url\":\"https://h.example/a b\",\"size\":\"1\"}}}",
            "{\"images\":{\"original\":{\"url\":17}}}", "{\"images\":{\"original\":{\"url\":\"\"}}}",
            "{\"images\":{\"original\":{\"url\":\"https://h.example/\\u0000\",\"size\":\"1\"}}}",
        ])
    func nonsense(entry: String) throws {
        #expect(try gifs("{\"data\":[\(entry)]}").isEmpty)
    }

    @Test(
        "what is no list is named so, and so is an empty one of a host that is out of order",
        arguments: [
            "", "[]", "{", "{\"data\":{}}", "{\"data\":null}", "{\"data\":[],\"meta\":{\"response_id\":\"\"}}",
        ])
    func unreadable(text: String) {
        #expect(throws: GifHostProblem.unreadable) { try GifHostAnswer(Array(text.utf8)) }
    }

    @Test("an empty list is one; damaged answers never trap")
    func noise() throws {
        #expect(try gifs("{\"data\":[],\"meta\":{\"response_id\":\"x\"}}").isEmpty)
        let whole = entry("\"original\":{\"url\":\"https://h.example/o.gif\",\"size\":\"9\",\"width\":\"-1\"}")
        Noise.run(Array(whole.utf8), rounds: 500) { bytes in _ = try? GifHostAnswer(bytes) }
    }

    @Test(
        "addresses of hosts are read as people write them",
        arguments: [
            ("https://API.giphy.com/", "https://api.giphy.com"), (" https://g.example/a/ ", "https://g.example/a"),
            ("", ""), ("http://g.example", nil), ("g.example", nil), ("https://", nil), ("https://localhost", nil),
            ("https://me@g.example", nil), ("https://g.example/?x", nil), ("https://g.example/\u{e9}", nil),
        ] as [(String, String?)])
    func addresses(written: String, read: String?) {
        #expect(GifHostChoice.address(written: written) == read)
    }
}
