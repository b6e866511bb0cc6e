import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("text from strangers")
struct PlainTextTests {
    @Test(
        "becomes one short line without tricks",
        arguments: [
            ("Ada", "Ada"), ("  Ada \n Lovelace\t", "Ada Lovelace"), ("A\u{202E}dA", "AdA"), ("\u{0}\u{7}x", "x"),
            ("\u{200B}", ""), ("\u{200E}\u{200F}", ""), ("", ""), ("👩‍🚀 Ada", "👩‍🚀 Ada"),
            (String(repeating: "a", count: 60), String(repeating: "a", count: 50) + "…"),
        ])
    func lines(text: String, expected: String) {
        #expect(oneLine(text, limit: 50) == expected)
    }

    @Test("does not stack marks without end")
    func stacked() {
        let zalgo = "a" + String(repeating: "\u{0301}", count: 500)
        #expect(oneLine(zalgo, limit: 50).unicodeScalars.count <= 12)
    }

    @Test("of a text far longer than the line the beginning is looked at")
    func longLines() {
        #expect(oneLine(String(repeating: "\u{200B}", count: 100_000) + "x", limit: 50) == "")
        #expect(oneLine(String(repeating: "é", count: 100_000), limit: 3) == "ééé…")
    }

    @Test(
        "an address keeps its letters, in any script, and loses line breaks",
        arguments: [
            ("HTTPS://A.example/B", "https://A.example/B"), ("https://a.exa\nmple/\r\nb", "https://a.example/b"),
            ("https://日本.example/é", "https://日本.example/é"), ("https://\u{301}a.example", nil), ("https://👩", nil),
            ("https://a.example/\u{7F}", nil), ("https://-a.example", nil), ("http:/a.example", nil),
        ] as [(String, String?)])
    func kept(text: String, expected: String?) {
        #expect(webAddress(text) == expected)
    }

    @Test(
        "a host is what a browser opens, whatever stands before it",
        arguments: [
            ("https://A.example:8080/p", "a.example:8080"), ("https://paypal.com@evil.example", "evil.example"),
            ("https://paypal.com:x@y@evil.example/@paypal.com", "evil.example"), ("https://a.example/@b", "a.example"),
            ("https://a.example?@b.example", "a.example"), ("https://a.example#@b.example", "a.example"), ("", ""),
        ])
    func hosts(address: String, expected: String) {
        #expect(webHost(of: address) == expected)
    }

    @Test(
        "is an address only with http or https and a host",
        arguments: [
            ("https://a.example/p?q=1#f", true), ("HTTP://a.example", true), ("https://[::1]/", true),
            ("javascript:alert(1)", false), ("data:text/html,x", false), ("https://", false), ("https:///a", false),
            ("https://a b", false), ("https://a\"onx=", false), ("https://a.example/'", false), ("//a.example", false),
            (" https://a.example", false), ("ftp://a.example", false), ("https://<script>", false),
        ])
    func addresses(text: String, isAddress: Bool) {
        #expect((webAddress(text) != nil) == isAddress)
    }

    @Test("never traps, whatever it holds")
    func noise() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = oneLine(text, limit: 20)
            _ = webAddress("https://" + text)
            _ = contentParts(written: text, mentions: [:])
            _ = resolveMentions("@" + text, [text: FakeAuthor(1).key])
            _ = TimelineCursor(mark: text)
        }
    }
}

@Suite("a note's text")
struct ContentPartTests {
    @Test("is split into what it means")
    func split() {
        let ben = FakeAuthor(2)
        let text = "Hi nostr:\(ben.key.npub), see https://a.example/x.png and https://b.example #Birds\n"
        let event = FakeAuthor(1).event(text, at: Timestamp(seconds: 1))
        let parts = contentParts(of: event) { $0 == ben.key ? "Ben" : nil }
        #expect(
            parts == [
                .text("Hi "), .mention(ben.key, name: "Ben"), .text(", see "), .image("https://a.example/x.png"),
                .text(" and "), .link("https://b.example"), .text(" "), .hashtag(shown: "#Birds", tag: "birds"),
                .text(""),
            ])
    }

    @Test(
        "a file by its hash is shown from the first server that its address names",
        arguments: [
            ("blossom:\(String(repeating: "ab", count: 32)).png?xs=a.example&xs=b.example", "png"),
            ("blob:\(String(repeating: "ab", count: 32)).mp4?xs=a.example", "mp4"),
            ("blossom:\(String(repeating: "ab", count: 32)).pdf?xs=a.example", "pdf"),
            ("blossom:\(String(repeating: "ab", count: 32)).png", ""),
        ])
    func blob(text: String, ending: String) {
        let event = FakeAuthor(1).event(text, at: Timestamp(seconds: 1))
        let address = "https://a.example/" + String(repeating: "ab", count: 32) + "." + ending
        let expected: ContentPart =
            switch ending {
            case "png": .image(address)
            case "mp4": .video(address)
            case "pdf": .link(address)
            default: .text(text)
            }
        #expect(contentParts(of: event) { _ in nil } == [expected])
    }

    @Test("a hostile text is cut, and so many of its links are links")
    func hostile() {
        let link = "https://a.example/" + String(repeating: "x", count: 80)
        let text = Array(repeating: link, count: 10_000).joined(separator: " ")
        let event = FakeAuthor(1).event(text, at: Timestamp(seconds: 1))
        for isCard in [false, true] {
            let parts = contentParts(of: event, isCard: isCard) { _ in nil }
            #expect(parts.count { $0 == .link(link) } == (isCard ? 121 : Note.mostReferences))
            #expect(parts.reduce(0) { $0 + $1.length } < Note.longestText)
            guard case .text(let end) = parts.last else {
                Issue.record("it does not say that it goes on")
                continue
            }
            #expect(end.hasSuffix(isCard ? "…" : NoteWords.cut))
        }
    }

    @Test(
        "white space at the end goes, and nothing else",
        arguments: [("a \r\n\u{3000}", "a"), ("é", "é"), (" \n", "")])
    func trimmed(text: String, expected: String) {
        let event = FakeAuthor(1).event(text, at: Timestamp(seconds: 1))
        #expect(contentParts(of: event) { _ in nil } == [.text(expected)])
    }

    @Test("names people by their key when they have no name")
    func nameless() {
        let ben = FakeAuthor(2).key
        let event = FakeAuthor(1).event("nostr:" + ben.npub, at: Timestamp(seconds: 1))
        #expect(contentParts(of: event) { _ in nil } == [.mention(ben, name: shortened(ben))])
    }

    @Test(
        "tells which note it answers",
        arguments: [(Kind(1), ["root"], 0), (1, ["root", "reply"], 1), (1, ["mention"], nil), (30_023, ["root"], nil)]
            as [(Kind, [String], Int?)])
    func answers(kind: Kind, markers: [String], answered: Int?) {
        let ids = FakeWorld.plain(notes: 2).notes.map(\.id)
        let tags = zip(ids, markers).map { Tag(["e", $0.hex, "", $1]) }
        let event = FakeAuthor(1).event("x", kind: kind, tags: tags, at: Timestamp(seconds: 1))
        #expect(repliedNote(event) == answered.map { ids[$0] })
    }
}

@Suite("trouble")
struct TroubleTests {
    private struct Spoken: SpokenError {
        let sentence = "The disk is full."
    }
    private struct Silent: Error {
        let secret = "nsec1secret"
    }

    @Test(
        "is told in the words of what failed",
        arguments: [
            (SigningFailure.locked, "passphrase"), (SigningFailure.readOnly, "only read"),
            (AccountError(.empty), "There is nothing to publish yet."),
            (Spoken(), "The disk is full."), (Trouble("Plain."), "Plain."), (CancellationError(), "too long"),
        ] as [(any Error, String)])
    func words(error: any Error, words: String) {
        #expect(Trouble(error).sentence.contains(words))
    }

    @Test("never tells what an unknown error holds")
    func unknown() {
        #expect(!Trouble(Silent()).sentence.contains("nsec1"))
    }
}
