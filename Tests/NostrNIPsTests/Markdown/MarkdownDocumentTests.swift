import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("Markdown")
struct MarkdownDocumentTests {
    typealias Block = MarkdownDocument.Block
    typealias Span = MarkdownDocument.Span

    static let blocks: [(String, [Block])] = [
        ("# One", [.heading(level: 1, [.text("One")])]),
        ("###### Six ##", [.heading(level: 6, [.text("Six")])]),
        ("####### seven", [.paragraph([.text("####### seven")])]),
        ("#tag", [.paragraph([.text("#tag")])]),
        ("Title\n===", [.heading(level: 1, [.text("Title")])]),
        ("Title\n---\nx", [.heading(level: 2, [.text("Title")]), .paragraph([.text("x")])]),
        ("a\nb\n\nc", [.paragraph([.text("a\nb")]), .paragraph([.text("c")])]),
        ("---", [.rule]), ("* * *", [.rule]), ("--", [.paragraph([.text("--")])]),
        (
            "```swift\nlet a = 1\n\n  b\n```\nx",
            [.code("let a = 1\n\n  b", language: "swift"), .paragraph([.text("x")])]
        ),
        ("~~~\n<b>\n", [.code("<b>\n", language: "")]),
        ("    code\n    more", [.code("code\nmore", language: "")]),
        ("> a\n> b\n\nc", [.quote([.paragraph([.text("a\nb")])]), .paragraph([.text("c")])]),
        ("> > deep", [.quote([.quote([.paragraph([.text("deep")])])])]),
        (
            "- a\n- b\n  - c",
            [
                .list(
                    [
                        [.paragraph([.text("a")])],
                        [.paragraph([.text("b")]), .list([[.paragraph([.text("c")])]], start: nil)],
                    ], start: nil)
            ]
        ),
        ("3. x\n4) y", [.list([[.paragraph([.text("x")])]], start: 3), .list([[.paragraph([.text("y")])]], start: 4)]),
        ("- a\n\n  b", [.list([[.paragraph([.text("a")]), .paragraph([.text("b")])]], start: nil)]),
        ("in 1986. A year", [.paragraph([.text("in 1986. A year")])]),
        ("", []), ("\n\n \n", []),
    ]

    @Test("reads blocks", arguments: blocks)
    func reads(text: String, blocks: [Block]) {
        #expect(MarkdownDocument(text).blocks == blocks)
    }

    static let spans: [(String, [Span])] = [
        ("*a* and **b**", [.emphasis([.text("a")]), .text(" and "), .strong([.text("b")])]),
        ("**a *b***", [.strong([.text("a "), .emphasis([.text("b")])])]),
        ("***x***", [.strong([.emphasis([.text("x")])])]),
        ("snake_case_name", [.text("snake_case_name")]),
        ("2 * 3 * 4", [.text("2 * 3 * 4")]), ("**open", [.text("**open")]),
        ("~~gone~~ ~not~", [.struck([.text("gone")]), .text(" ~not~")]),
        ("`a*b*` ``x`y``", [.code("a*b*"), .text(" "), .code("x`y")]),
        ("[a](https://a.example)", [.link([.text("a")], address: "https://a.example")]),
        ("[a](<https://a.example/x> \"t\")!", [.link([.text("a")], address: "https://a.example/x"), .text("!")]),
        ("[a](x(y)z)", [.link([.text("a")], address: "x(y)z")]),
        ("![a *b*](p.png)", [.image(alt: "a *b*", address: "p.png")]),
        ("[x] and [y]", [.text("[x] and [y]")]),
        ("<https://a.example>", [.link([.text("https://a.example")], address: "https://a.example")]),
        ("<script>alert(1)</script>", [.text("<script>alert(1)</script>")]),
        ("a  \nb\\\nc", [.text("a"), .lineBreak, .text("b"), .lineBreak, .text("c")]),
        (#"\*no\* \a"#, [.text(#"*no* \a"#)]),
    ]

    @Test("reads what stands in a line", arguments: spans)
    func readsLine(text: String, spans: [Span]) {
        #expect(MarkdownDocument(text).blocks == [.paragraph(spans)])
    }

    @Test("the first heading of the first level gives a title")
    func title() {
        #expect(MarkdownDocument("x\n\n## Two\n\n# The *one*").firstHeading == "The one")
        #expect(MarkdownDocument("## Two").firstHeading == nil)
    }

    @Test(
        "reads any text, however it is made, and no deeper than so far",
        arguments: ["*a ", "[", "[a](", "`", "** _", "> ", "- ", "\n", "- a\n\n\n", "<a ", "1. ", "    ", "```\n"])
    func bounded(pattern: String) {
        let text = String(repeating: pattern, count: 20_000 / pattern.utf8.count)
        _ = MarkdownDocument(text).blocks
    }

    @Test("never traps on noise")
    func noise() {
        Noise.run(Array("# a\n- *b* **c**\n> [d](e) ![f](g)\n```\nh\n```\n1. `i` <j> \\k  \n".utf8), rounds: 4000) {
            bytes in
            _ = MarkdownDocument(String(decoding: bytes, as: UTF8.self)).blocks
        }
    }
}
