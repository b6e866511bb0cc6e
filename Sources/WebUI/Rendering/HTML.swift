internal import Mustache

/// Text that is HTML already; the one thing templates may print with triple braces.
///
/// Names of such values end in `HTML`; a test holds templates to it.
struct HTML: Sendable, MustacheCustomRenderable {
    private(set) var text = ""

    var renderText: String { text }
    var isNull: Bool { text.isEmpty }

    init() {}

    /// Takes markup written in this program, never anything from outside.
    init(markup: String) {
        text = markup
    }

    /// Adds markup written in this program.
    mutating func add(markup: StaticString) {
        text += markup.description
    }

    /// Adds text from anywhere, escaped for element content and quoted attributes.
    mutating func add(text foreign: some StringProtocol) {
        text += escaped(foreign)
    }

    /// Adds text from anywhere, escaped, between two pieces of markup written in this program.
    mutating func add(_ before: StaticString, _ foreign: String, _ after: StaticString) {
        add(markup: before)
        add(text: foreign)
        add(markup: after)
    }

    /// Adds HTML.
    mutating func add(_ other: HTML) {
        text += other.text
    }
}

/// Text with `& < > " '` as entities.
func escaped(_ text: some StringProtocol) -> String {
    let special: (UInt8) -> Bool = { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 || $0 == 0x27 || $0 == 0 }
    guard text.utf8.contains(where: special) else { return String(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 32)
    for byte in text.utf8 {
        switch byte {
        case 0x26: bytes += "&amp;".utf8
        case 0x3C: bytes += "&lt;".utf8
        case 0x3E: bytes += "&gt;".utf8
        case 0x22: bytes += "&quot;".utf8
        case 0x27: bytes += "&#39;".utf8
        case 0: bytes += "\u{FFFD}".utf8
        default: bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
