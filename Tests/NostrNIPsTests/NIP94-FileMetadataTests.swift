import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-94: files as events of their own")
struct FileMetadataTests {
    private static let digest = String(repeating: "ab", count: 32)

    private func read(_ tags: [NostrCore.Tag], _ text: String = "") -> FileMetadata? {
        FileMetadata(TestPerson.alice.event(text, kind: 1063, tags: tags))
    }

    @Test("reads every field there is, and no torrent")
    func fields() throws {
        let shared = try #require(
            read(
                [
                    ["url", "https://a.example/heron.gif"], ["m", "image/gif"], ["x", Self.digest],
                    ["ox", Self.digest], ["size", "4711"], ["dim", "320x240"], ["magnet", "magnet:?xt=x"],
                    ["i", "abc"], ["blurhash", "LEHV6nWB"], ["thumb", "https://a.example/small.jpg", Self.digest],
                    ["image", "https://a.example/large.jpg"], ["summary", "A heron"], ["alt", "A heron lands"],
                    ["fallback", "https://b.example/heron.gif"], ["service", "nip96"], ["t", "Birds"], ["t", "birds"],
                ], "Look."))
        let file = shared.file
        #expect(file.url == "https://a.example/heron.gif" && file.type == "image/gif" && shared.isGIF)
        #expect(file.hash == Self.digest && file.originalHash == Self.digest && file.byteCount == 4711)
        #expect(file.dimensions == PixelSize(width: 320, height: 240) && file.blurhash == "LEHV6nWB")
        #expect(file.thumbnails == ["https://a.example/small.jpg"])
        #expect(file.previews == ["https://a.example/large.jpg"])
        #expect(file.description == "A heron lands" && shared.summary == "A heron" && shared.text == "Look.")
        #expect(file.fallbacks == ["https://b.example/heron.gif"] && file.otherFields.isEmpty)
        #expect(shared.topics == ["birds"])
    }

    @Test("what is written is read again")
    func both() throws {
        var file = MediaAttachment(url: "https://a.example/1.gif")
        (file.type, file.hash, file.byteCount) = ("image/gif", Self.digest, 12)
        file.dimensions = PixelSize(width: 2, height: 3)
        file.description = "Two herons"
        file.fallbacks = ["https://b.example/1.gif"]
        let draft = FileMetadata.draft(
            file, text: "Mine", summary: "Herons", topics: ["birds"], createdAt: Timestamp(seconds: 1000))
        let shared = try #require(read(draft.tags, draft.content))
        file.originalHash = Self.digest
        #expect(draft.kind == 1063 && shared.file == file && shared.summary == "Herons" && shared.text == "Mine")
    }

    @Test(
        "a GIF is known by its type, and by its ending where it has none",
        arguments: [
            ("https://a.example/1", "image/gif", true), ("https://a.example/1", "Image/GIF", true),
            ("https://a.example/1", " image/gif; q=1", true), ("https://a.example/1.gif?x=1", nil, true),
            ("https://a.example/1.gif", "image/png", false), ("https://a.example/1", nil, false),
            ("https://a.example/gif", nil, false), ("https://a.example/1.gif", "", true),
        ] as [(String, String?, Bool)])
    func gifs(url: String, type: String?, isGIF: Bool) throws {
        let shared = try #require(read([["url", url]] + (type.map { [["m", $0] as NostrCore.Tag] } ?? [])))
        #expect(shared.isGIF == isGIF)
    }

    @Test(
        "what makes no sense is as good as not there",
        arguments: [
            ["x", "abc"], ["ox"], ["size", "-1"], ["size", "many"], ["dim", "0x0"], ["dim", "wide"], ["m"], ["m", ""],
            ["alt", " "], ["thumb"], ["fallback", ""], ["summary", ""], ["t", ""], [""], [],
        ])
    func nonsense(tag: [String]) throws {
        let bare = try #require(read([["url", "https://a.example/x"]]))
        #expect(read([NostrCore.Tag(tag), ["url", "https://a.example/x"]]) == bare)
    }

    @Test("without an address there is nothing, nor in an event of another kind")
    func nothing() {
        #expect(
            read([]) == nil && read([["url", ""]]) == nil && read([["url"]]) == nil && read([["url", " "]]) == nil)
        let other = TestPerson.alice.event("", kind: 1, tags: [["url", "https://a.example/x"]])
        #expect(FileMetadata(other) == nil)
    }

    @Test("reads damaged events without a trap, and of thousands of fields not all")
    func noise() throws {
        let lines = Array("url https://a.example/x\nm image/gif\nx \(Self.digest)\nsize 1\ndim 1x1\nalt a b".utf8)
        Noise.run(lines, rounds: 500) { bytes in
            let tags = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .map { NostrCore.Tag($0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)) }
            _ = FileMetadata(TestPerson.alice.event("", kind: 1063, tags: tags))
        }
        let many = (0..<3000).map { ["fallback", "https://a.example/\($0)"] as NostrCore.Tag }
        let shared = try #require(read([["url", "https://a.example/x"]] + many))
        #expect(shared.file.fallbacks.count <= 8)
    }
}
