/// A text in Markdown as values: what articles use of it, and nothing that could run.
///
/// Headings, paragraphs, emphasis, links, pictures, lists, quotes, code and lines across the page. HTML is text, as NIP-23
/// forbids it, and so is whatever has no end: everything a stranger writes is a document. Bounded in depth, so that no
/// text takes more than a moment. Source: CommonMark 0.31, as far as it is named here; NIP-23.
public struct MarkdownDocument: Hashable, Sendable {
    /// A part of the page.
    public indirect enum Block: Hashable, Sendable {
        /// A heading, from 1 to 6.
        case heading(level: Int, [Span])
        /// Words.
        case paragraph([Span])
        /// Text as it is, with the name of its language; empty for none.
        case code(String, language: String)
        /// What somebody else said.
        case quote([Block])
        /// Things one after the other; `start` is the number of the first where they are numbered.
        case list([[Block]], start: Int?)
        /// A line across the page.
        case rule
    }

    /// A part of a line.
    public indirect enum Span: Hashable, Sendable {
        /// Plain words.
        case text(String)
        /// Text as it is.
        case code(String)
        /// Emphasis.
        case emphasis([Span])
        /// Strong emphasis.
        case strong([Span])
        /// What was struck out.
        case struck([Span])
        /// Words that lead somewhere, to an address as written.
        case link([Span], address: String)
        /// A picture at an address as written, and what it shows in words.
        case image(alt: String, address: String)
        /// A new line that is meant.
        case lineBreak
    }

    /// The parts of the page.
    public let blocks: [Block]

    /// The longest text that is read, in bytes; what is beyond is left out.
    public static let longest = 400_000

    /// Reads a text.
    public init(_ text: String) {
        let bounded = text.utf8.count <= Self.longest ? text : String(text.prefix(Self.longest / 4))
        let lines = bounded.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(MarkdownLine.init)
        blocks = MarkdownBlocks.read(lines[...], depth: 0)
    }

    /// The words of the first heading of the first level, which many writers use for a title; `nil` without one.
    public var firstHeading: String? {
        for case .heading(level: 1, let spans) in blocks { return spans.map(\.plainText).joined() }
        return nil
    }
}

extension MarkdownDocument.Span {
    /// Its words alone.
    public var plainText: String {
        switch self {
        case .text(let text), .code(let text), .image(let text, _): text
        case .emphasis(let inner), .strong(let inner), .struck(let inner), .link(let inner, _):
            inner.map(\.plainText).joined()
        case .lineBreak: " "
        }
    }
}
