import NostrTesting
import Testing

@testable import NostrClient

/// What pages say of themselves, read from whatever they send.
@Suite("the head of a page")
struct PageHeadTests {
    private func preview(
        _ html: String, type: String = "text/html; charset=utf-8", at address: String = "https://a.example/dir/page"
    ) -> LinkPreview? {
        LinkPreview(page: FetchedPage(address: address, type: type, bytes: Array(html.utf8)))
    }

    @Test(
        "a title is found in every way that pages write one",
        arguments: [
            ("<title>One</title>", "One"), ("<TITLE lang=en>\n One \n</TITLE>", "One"), ("<title>One", "One"),
            ("<meta property=\"og:title\" content=\"Two\"><title>One</title>", "Two"),
            ("<title>One</title><meta content='Two' property='og:title'>", "Two"),
            ("<meta name=twitter:title content=Three><title>One</title>", "Three"),
            ("<META NAME=\"OG:Title\" CONTENT = \"Two\" />", "Two"),
            ("<meta property=og:title content=\"\"><title>One</title>", "One"),
            ("<title>A &amp; B &#8211; C &#x2014; D &eacute; &nope; &</title>", "A & B – C — D é &nope; &"),
            ("<title>&#0;&#1114112;&#xD800;&#150;</title>", "&#0;&#1114112;&#xD800;–"),
            ("<!-- <title>No</title> --><title>One</title>", "One"),
            ("<script>'<title>No</title>'</script><title>One</title>", "One"),
            ("<style><title>No</title></style><title>One</title>", "One"),
            ("<title>One</title><title>Two</title>", "One"), ("<svg><title/><title>One</title>", "<title>One"),
            ("<a href='>'><title>One</title>", "One"), ("<meta content=\"x><title>No</title>", nil),
            ("</head><title>No</title>", nil), ("<body><title>No</title>", nil),
            ("<bodyguard><title>One</title>", "One"),
            ("<title></title>", nil), ("", nil), ("<", nil), ("<!--", nil), ("<title", nil),
            ("< title>No</title>", nil),
        ] as [(String, String?)])
    func titles(html: String, expected: String?) {
        #expect(preview(html)?.title == expected)
    }

    @Test("everything a page says is read, and a picture's address is made whole")
    func whole() {
        let found = preview(
            """
            <!doctype html><html><head><meta charset=utf-8>
            <meta property="og:title" content="Tides"><meta name="description" content="plain">
            <meta property="og:description" content="When the sea comes."><meta property="og:site_name" content="Shore">
            <meta property="og:image" content="../img/tide.png"></head><body></body></html>
            """)
        #expect(
            found
                == LinkPreview(
                    title: "Tides", summary: "When the sea comes.", site: "Shore",
                    picture: "https://a.example/dir/../img/tide.png"))
    }

    @Test(
        "pictures are addresses of the web",
        arguments: [
            ("https://b.example/x.png", "https://b.example/x.png"), ("//b.example/x", "https://b.example/x"),
            ("/x.png", "https://a.example/x.png"), ("javascript:alert(1)", nil), ("data:image/png;base64,AA", nil),
            ("", nil),
            (String(repeating: "a", count: 5000), "https://a.example/dir/" + String(repeating: "a", count: 2048)),
        ] as [(String, String?)])
    func pictures(written: String, expected: String?) {
        let found = preview("<title>T</title><meta property='og:image' content='\(written)'>")
        #expect(found?.picture == expected)
    }

    /// A title of some bytes.
    private static func title(_ bytes: [UInt8]) -> [UInt8] {
        let (start, end) = (Array("<title>".utf8), Array("</title>".utf8))
        return start + bytes + end
    }

    private static let wide: [UInt16] = Array("<title>Ä</title>".utf16)

    /// Bytes, what their server says of them, and the title they hold.
    private static let encoded: [([UInt8], String, String?)] = {
        let plain = Array("<title>Ä</title>".utf8)
        let little = wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let own = Array("<meta charset='latin1'>".utf8)
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF]
        return [
            (marked + plain, "text/html; charset=iso-8859-1", "Ä"),
            (title([0xC4, 0x80, 0x93]), "text/html; charset=windows-1252", "Ä€“"),
            (title([0xC4]), "text/html", "Ä"), (own + title([0xFC]), "text/html", "ü"),
            (title([0xCF, 0xF0, 0xE8]), "text/html; charset=windows-1251", "При"),
            (plain, "text/html; charset=x-klingon", "Ä"),
            (title([0x82, 0xA0]), "text/html; charset=shift_jis", nil),
            ([0xFF, 0xFE] + little, "text/html", "Ä"), ([0xFE, 0xFF] + big, "text/html", "Ä"),
            ([0xFF, 0xFE, 0x3C], "text/html", nil), (Array(plain.dropLast(1)), "text/html", "Ä"),
        ]
    }()

    @Test("encodings are read as pages, servers and marks say", arguments: encoded)
    func encodings(bytes: [UInt8], type: String, expected: String?) {
        let page = FetchedPage(address: "https://a.example/", type: type, bytes: bytes)
        #expect(LinkPreview(page: page)?.title == expected)
    }

    @Test("ten megabytes of title, marks or attributes are cut to a line")
    func long() throws {
        let letters = String(repeating: "x", count: 10_000_000)
        #expect(try #require(preview("<title>\(letters)</title>")).title.count == 300)
        let value = String(repeating: "x", count: 1_000_000)
        #expect(try #require(preview("<meta property=og:title content=\"\(value)\">")).title.count == 300)
        let marks = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(try #require(preview("<title>\(marks)</title>")).title.unicodeScalars.count == 300)
        let attributes = (0..<20_000).map { " a\($0)=b" }.joined()
        #expect(preview("<meta\(attributes) property=og:title content=No><title>One</title>")?.title == "One")
    }

    @Test("what a film's site says is read, and what is no answer of it is nothing")
    func films() {
        let json =
            #"{"title":"Swifts","author_name":"Ada","provider_name":"Tube","thumbnail_url":"https://i.example/1.jpg"}"#
        #expect(
            LinkPreview(film: Array(json.utf8))
                == LinkPreview(title: "Swifts", summary: "Ada", site: "Tube", picture: "https://i.example/1.jpg"))
        for wrong in ["", "[]", "{}", #"{"title":7}"#, #"{"title":""}"#, "<html>"] {
            #expect(LinkPreview(film: Array(wrong.utf8)) == nil)
        }
    }

    @Test("never traps on noise, nor on a page with a piece torn out")
    func noise() {
        var random = SeededRandom(seed: 7)
        let page = Array(
            "<!doctype html><head><!-- x --><meta property='og:title' content=\"a &amp; b\"><script>1</script><title>T"
                .utf8)
        let letters = Array("<>!-/=\"'&;# metailc\u{0}".utf8) + [0xC3, 0xFF, 0x80]
        for round in 0..<3000 {
            var bytes = page
            if round % 2 == 0 {
                bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &random)]
                }
            } else {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                bytes.removeSubrange(start..<min(bytes.count, start + Int.random(in: 1...20, using: &random)))
            }
            _ = LinkPreview(page: FetchedPage(address: "https://a.example/", type: "text/html", bytes: bytes))
        }
    }

    @Test(
        "addresses that are asked for, and as what",
        arguments: [
            ("https://A.Example", "https://a.example/"), ("HTTPS://a.example/B?c#d", "https://a.example/B?c"),
            ("https://a.example/ü", "https://a.example/%C3%BC"), ("https://a.example?x", "https://a.example?x"),
            ("http://a.example/", nil), ("https://a.example:8443/", nil), ("https://me:pw@a.example/", nil),
            ("https://localhost/", nil), ("https://[::1]/", nil), ("https://ä.example/", nil), ("https://", nil),
            ("https://a.example/ b", nil), ("https://a.example/" + String(repeating: "x", count: 3000), nil),
        ] as [(String, String?)])
    func addresses(text: String, expected: String?) {
        #expect(PreviewAddress(text)?.text == expected)
    }

    @Test(
        "films of one site are asked for by its own way",
        arguments: [
            ("https://www.youtube.com/watch?v=abc", true), ("https://m.youtube.com/shorts/abc", true),
            ("https://youtu.be/abc", true), ("https://youtu.be/", false), ("https://youtube.com/about", false),
            ("https://youtube.com.evil.example/watch?v=abc", false),
            ("https://evil.example/youtube.com/watch?v=1", false),
        ])
    func filmAddresses(text: String, isFilm: Bool) throws {
        let address = try #require(PreviewAddress(text))
        #expect((address.film != nil) == isFilm)
        if let film = address.film {
            #expect(film.text.hasPrefix("https://www.youtube.com/oembed?format=json&url=https%3A%2F%2F"))
        }
    }
}
