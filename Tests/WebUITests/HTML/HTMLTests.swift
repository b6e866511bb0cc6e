import Hummingbird
import NostrTesting
import Testing

@testable import WebUI

@Suite("HTML values")
struct HTMLTests {
    @Test("escape text, and take markup, numbers and addresses as they are")
    func interpolation() {
        let text = "<b>\"it's\" & more</b>\0"
        let inner: HTML = "<i>\(1)</i>"
        let path: Path = "/tags/\("a/b&c")?x=\("\"")"
        let html: HTML =
            "<p title=\"\(text)\" \(path)>\(text)\(inner)\(inner as HTML?)\(nil as HTML?)\([inner, inner])</p>"
        let escaped = "&lt;b&gt;&quot;it&#39;s&quot; &amp; more&lt;/b&gt;\u{FFFD}"
        #expect(
            html.text
                == "<p title=\"\(escaped)\" /tags/a%2Fb%26c?x=%22>\(escaped)"
                + "<i>1</i><i>1</i><i>1</i><i>1</i></p>")
    }

    @Test("draw what a condition, an optional or a sequence asks for")
    func control() {
        let html: HTML = """
            <a\(flag: "hidden", if: true)\(flag: "open", if: false)\(attribute: "title", "<>")\(attribute: "alt", nil)>\
            \(if: true, "1")\(if: false, "2")\(if: false, "3", else: "4")\(some: 5 as Int?, { "\($0)" })\
            \(some: nil as Int?, { "\($0)" })\(each: ["<", "x"], { "[\($0)]" })</a>
            """
        #expect(html.text == "<a hidden title=\"&lt;&gt;\">145[&lt;][x]</a>")
    }

    @Test("let no text end an element or an attribute, whatever it is", arguments: 0..<40)
    func escapingProperty(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parts = ["<", ">", "\"", "'", "&", "\0", "<script>", "</", "]]>", "-->", "é", "\u{2028}", "🐦", "&lt;", "x"]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            let html: HTML = "\(text)"
            #expect(!html.text.contains(/[<>"'\0]/))
            #expect(!html.text.contains(/&(?!(amp|lt|gt|quot|#39);)/))
            #expect(unescaped(html.text) == text.replacing("\0", with: "\u{FFFD}"))
            #expect(("\(text.dropFirst())" as HTML).text == ("\(String(text.dropFirst()))" as HTML).text)
        }
    }

    @Test(
        "copy what stands between two escaped characters as it is",
        arguments: [
            ("", ""), ("plain", "plain"), ("<", "&lt;"), ("<<", "&lt;&lt;"), ("<a", "&lt;a"), ("a<", "a&lt;"),
            ("a&b'c", "a&amp;b&#39;c"), ("👩‍👩‍👧‍👦>e\u{301}\"", "👩‍👩‍👧‍👦&gt;e\u{301}&quot;"), ("\0é\0", "\u{FFFD}é\u{FFFD}"),
        ])
    func stretches(text: String, escaped: String) {
        let long = String(repeating: text, count: 500)
        #expect(("\(text)|" as HTML).text == escaped + "|")
        #expect(("\(long)" as HTML).text == String(repeating: escaped, count: 500))
        let within = String("x" + text + "y").dropFirst().dropLast()
        #expect(("\(within)" as HTML).text == escaped)
    }

    @Test("take no plain text where an address begins, whatever it says")
    func addresses() {
        for attribute: HTML in ["href", "src", "formaction", "data-src", "action", "poster"] {
            let begun: HTML = "<a class=\"b\" \(attribute)=\""
            #expect(!begun.takesText("/home") && !begun.takesText("javascript:alert(1)") && !begun.takesText(""))
            let inside: HTML = "\(begun)/people/"
            #expect(inside.takesText("0a1b-c.svg") && !inside.takesText("../x") && !inside.takesText("a?b=c"))
            let closed: HTML = "\(inside)\(7)\" title=\""
            #expect(closed.takesText("javascript:alert(1)"))
            #expect(("\(closed)\">" as HTML).takesText("href=\""))
        }
        #expect(("" as HTML).takesText("x") && ("href=" as HTML).takesText("x"))
    }

    private func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}

@Suite("addresses in pages")
struct AddressTests {
    @Test("of this program encode what is put in, so that no part ends another", arguments: 0..<20)
    func encoding(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let value = String(
                String.UnicodeScalarView(
                    (0..<8).map { _ in
                        Unicode.Scalar(UInt32.random(in: 0..<0x300, using: &random)) ?? "x"
                    }))
            let path: Path = "/a/\(value)"
            #expect(path.text.dropFirst(3).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#&\"<>'".utf8.contains($0) })
            #expect(decodePercent(String(path.text.dropFirst(3))) == value)
        }
    }

    @Test("gain a value of a query, whether or not there is one")
    func query() {
        #expect(("/a" as Path).with("b", "c d").text == "/a?b=c%20d")
        #expect(("/a?b=c" as Path).with("d", "&").text == "/a?b=c&d=%26")
    }

    @Test(
        "of this program are told from others",
        arguments: [
            ("/home", true), ("/people/abc?with=answers", true), ("//evil.example", false), ("/\\evil.example", false),
            ("https://evil.example", false), ("", false), ("/a\nb", false), ("/a b", false),
            ("javascript:alert(1)", false),
        ])
    func ours(text: String, isOurs: Bool) {
        #expect((Path(ours: text) != nil) == isOurs)
    }

    @Test(
        "outside it must have a scheme that was asked for",
        arguments: [
            ("https://a.example", true), ("HTTP://a.example/ä", true), ("javascript:alert(1)", false),
            ("java\nscript:alert(1)", false), (" javascript:alert(1)", false), ("data:text/html,x", false),
            ("//a.example", false), ("a.example", false), ("https://a.example/\u{1}", false), ("", false),
            ("nostrconnect://abc", false), (":", false),
        ])
    func foreign(text: String, isAllowed: Bool) {
        #expect((ForeignURL(text) != nil) == isAllowed)
        #expect(ForeignURL("nostrconnect://abc", schemes: .signer) != nil)
    }
}

@Suite("icons")
struct IconTests {
    @Test("are all in the picture that pages name", arguments: Icon.allCases)
    func exist(icon: Icon) throws {
        let file = try #require(try Assets.installed.get()["icons.svg"])
        #expect(String(buffer: file.body).contains("id=\"\(icon.rawValue)\""))
    }
}
