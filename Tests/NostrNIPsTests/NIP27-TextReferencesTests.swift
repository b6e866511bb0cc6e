import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-27 content tokens")
struct ContentTokenTests {
    private static let npub = TestPerson.alice.publicKey.npub

    private func meanings(_ text: String, tags: [Tag] = []) -> [String] {
        ContentToken.split(text, tags: tags).compactMap { token in
            switch token.meaning {
            case .text: nil
            case .link: "link \(token.source)"
            case .media(let type): "\(type) \(token.source)"
            case .mention(let entity): "mention \(entity.author?.hex.prefix(4) ?? "-") \(token.source.prefix(9))"
            case .hashtag(let topic): "#\(topic)"
            case .emoji(let emoji): "emoji \(emoji.shortcode)"
            case .invoice(let invoice): "invoice \(invoice.text.prefix(8))"
            case .blob: "blob \(token.source)"
            }
        }
    }

    @Test(
        "finds links and leaves the sentence its punctuation",
        arguments: [
            ("see https://example.com.", "link https://example.com"),
            ("(https://example.com/a_(b))", "link https://example.com/a_(b)"),
            ("https://example.com/a?b=c&d=e#f, and", "link https://example.com/a?b=c&d=e#f"),
            ("HTTPS://Example.com/Ä!", "link HTTPS://Example.com/Ä"),
            ("**https://example.com**", "link https://example.com"),
            ("\"https://example.com\"", "link https://example.com"),
            ("https://example.com/p.JPG?w=1 x", "image https://example.com/p.JPG?w=1"),
            ("https://example.com/v.mp4", "video https://example.com/v.mp4"),
            ("https://example.com/s.mp3…", "audio https://example.com/s.mp3"),
            ("https://example.com.png", "link https://example.com.png"),
            ("見て。https://example.com/、はい", "link https://example.com/"),
        ])
    func links(text: String, expected: String) {
        #expect(meanings(text) == [expected])
    }

    @Test(
        "what is no link, mention, topic or emoji stays words",
        arguments: [
            "xhttps://example.com", "https://", "http://.", "javascript:alert(1)", "ftp://example.com", "a#b", "##x",
            "# x",
            "#123", "&#39;", ":wave:", "nostr:npub1xyz", "npub1", "nostr:", "wss://relay.example.com", "@bob", "",
        ])
    func words(text: String) {
        #expect(meanings(text).isEmpty)
    }

    @Test("finds mentions with and without the scheme, never a secret key")
    func mentions() throws {
        let npub = Self.npub
        let start = TestPerson.alice.publicKey.hex.prefix(4)
        #expect(meanings("hi nostr:\(npub)!") == ["mention \(start) nostr:npu"])
        #expect(meanings("hi @\(npub),") == ["mention \(start) @npub1\(npub.dropFirst(5).prefix(3))"])
        #expect(meanings("NOSTR:\(npub)") == ["mention \(start) NOSTR:npu"])
        #expect(meanings("x\(npub)").isEmpty)
        let nsec = TestPerson.alice.secretKey.exportNsec()
        #expect(meanings("nostr:\(nsec)").isEmpty)
    }

    @Test("topics are lowercase words of any script")
    func hashtags() {
        #expect(meanings("#Nostr, #日本語。 #42a (#größe) #a_b-c") == ["#nostr", "#日本語", "#42a", "#größe", "#a_b"])
    }

    @Test("emoji need their tag")
    func emoji() {
        let tags: [Tag] = [["emoji", "wave", "https://example.com/w.png"]]
        #expect(meanings(":wave::wave: :other: :wave", tags: tags) == ["emoji wave", "emoji wave"])
    }

    @Test("the tags a text asks for")
    func referenceTags() throws {
        let note = TestPerson.bob.event("x")
        let nevent = try NostrEntity.nevent(EventPointer(note)).uri()
        let text = "nostr:\(Self.npub) \(nevent) #Tag #tag nostr:\(Self.npub)"
        #expect(
            ContentToken.split(text).referenceTags == [
                ["p", TestPerson.alice.publicKey.hex], ["p", note.pubkey.hex],
                ["q", note.id.hex, "", note.pubkey.hex], ["t", "tag"],
            ])
    }

    @Test("after so many tokens the rest is words, and of so many emoji the tags are read")
    func bounded() {
        let text = (0..<1000).map { "#t\($0) é" }.joined(separator: " ")
        let tokens = ContentToken.split(text, most: 10)
        #expect(tokens.count { $0.meaning != .text } == 10)
        #expect(tokens.last?.source.hasPrefix(" é #t10 é") == true)
        #expect(tokens.map(\.source).joined() == text)
        let tags = (0..<20).map { Tag(["emoji", "e\($0)", "https://example.com/\($0).png"]) }
        let emoji = ContentToken.split(":e0: :e19:", tags: tags, most: 10)
        #expect(emoji.count { $0.meaning != .text } == 1)
    }

    @Test(
        "letters of every script stand before, in and after links and topics",
        arguments: [
            ("日本https://example.com/é)", "link https://example.com/é"), ("日#本", ""), ("。#本", "#本"), ("👩‍🚀#x", "#x"),
            ("https://日本.example/[a]]", "link https://日本.example/[a]"), ("https://👩.example", ""),
            ("https://example.com/\u{2028}x", "link https://example.com/"),
            ("#" + String(repeating: "é", count: 101), "#" + String(repeating: "é", count: 100)),
        ])
    func scripts(text: String, expected: String) {
        #expect(meanings(text) == (expected.isEmpty ? [] : [expected]))
    }

    @Test("beginnings of links that lead nowhere are not read to the end of the text each", .timeLimit(.minutes(1)))
    func manyBeginnings() {
        let text = String(repeating: "http://!", count: 100_000)
        #expect(ContentToken.split(text).map(\.source) == [text])
        #expect(meanings("http://! https://[::1]/ http://") == ["link https://[::1]/"])
    }

    @Test("the sources joined are the text, whatever it is")
    func lossless() {
        let npub = Self.npub
        let tags: [Tag] = [["emoji", "wave", "https://example.com/w.png"]]
        let text = "é\u{301}👩‍👩‍👧 #tag https://example.com/a.png?x=(1) nostr:\(npub) :wave:\r\n@\(npub)\u{0}end"
        Noise.run(Array(text.utf8), rounds: 3_000) { bytes in
            let damaged = String(decoding: bytes, as: UTF8.self)
            let joined = ContentToken.split(damaged, tags: tags).map(\.source).joined()
            #expect(Array(joined.utf8) == Array(damaged.utf8))
        }
    }
}
