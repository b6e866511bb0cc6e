/// Reads the words of a paragraph or heading into spans.
struct MarkdownSpans {
    typealias Span = MarkdownDocument.Span

    /// Emphasis and links inside each other, and brackets inside brackets; what is deeper is words.
    private static let deepest = 8
    /// How far the end of a link is looked for, so that a text of nothing but marks is read in a moment.
    private static let farthest = 2_000
    private static let longestRun = 16

    /// A run of marks that ends something.
    private struct Closer: Hashable {
        let mark: Character
        let count: Int
    }

    private var rest: Substring
    private let depth: Int
    private var spans: [Span] = []
    private var words = ""
    /// What ends nothing from here on: it is looked for once.
    private var missing: Set<Closer> = []

    /// Reads words.
    static func read(_ text: Substring) -> [Span] { read(text, depth: 0) }

    private static func read(_ text: Substring, depth: Int) -> [Span] {
        var reader = MarkdownSpans(rest: text, depth: depth)
        return reader.read()
    }

    private init(rest: Substring, depth: Int) {
        self.rest = rest
        self.depth = depth
    }

    private mutating func read() -> [Span] {
        while let first = rest.first {
            if depth < Self.deepest, let span = span(first) {
                endWords()
                spans.append(span)
            } else {
                readPlain(first)
            }
        }
        endWords()
        return spans
    }

    private mutating func endWords() {
        if !words.isEmpty { spans.append(.text(words)) }
        words = ""
    }

    private mutating func readPlain(_ first: Character) {
        rest.removeFirst()
        if first == "\\", let next = rest.first {
            if next.isNewline {
                breakLine()
            } else if next.isASCII, next.isPunctuation || next.isSymbol {
                words.append(next)
                rest.removeFirst()
            } else {
                words.append(first)
            }
        } else if first.isNewline, words.hasSuffix("  ") {
            words = String(trimmedEnd(words))
            endWords()
            spans.append(.lineBreak)
        } else {
            words.append(first)
            // A run of one mark that opened nothing opens nothing further in.
            if "*_~`".contains(first) {
                while rest.first == first { words.append(rest.removeFirst()) }
            }
        }
    }

    private mutating func breakLine() {
        rest.removeFirst()
        endWords()
        spans.append(.lineBreak)
    }

    private mutating func span(_ first: Character) -> Span? {
        switch first {
        case "`": code()
        case "*", "_": emphasis(first)
        case "~": struck()
        case "!": image()
        case "[": link()
        case "<": bracketedAddress()
        default: nil
        }
    }

    private mutating func code() -> Span? {
        let count = rest.prefix { $0 == "`" }.count
        let inside = rest.dropFirst(count)
        guard count <= Self.longestRun, let end = endOfCode(count, in: inside) else { return nil }
        rest = inside[end...].dropFirst(count)
        var text = inside[..<end].map { $0.isNewline ? " " : String($0) }.joined()
        if text.count > 2, text.hasPrefix(" "), text.hasSuffix(" "), text.contains(where: { $0 != " " }) {
            text = String(text.dropFirst().dropLast())
        }
        return .code(text)
    }

    private mutating func emphasis(_ mark: Character) -> Span? {
        let run = rest.prefix { $0 == mark }.count
        // Underscores inside a word are letters of it.
        if mark == "_", words.last.map({ $0.isLetter || $0.isNumber }) ?? false { return nil }
        let count = min(run, 3)
        let inside = rest.dropFirst(run)
        guard run <= 3, inside.first?.isWhitespace == false,
            let end = closing(of: mark, count, in: inside)
        else { return nil }
        let inner = Self.read(inside[..<end], depth: depth + 1)
        rest = inside[end...].dropFirst(count)
        return switch count {
        case 1: .emphasis(inner)
        case 2: .strong(inner)
        default: .strong([.emphasis(inner)])
        }
    }

    private mutating func struck() -> Span? {
        let run = rest.prefix { $0 == "~" }.count
        let inside = rest.dropFirst(run)
        guard run == 2, let end = closing(of: "~", 2, in: inside) else { return nil }
        rest = inside[end...].dropFirst(2)
        return .struck(Self.read(inside[..<end], depth: depth + 1))
    }

    private mutating func image() -> Span? {
        guard rest.dropFirst().first == "[", let (label, address, after) = target(rest.dropFirst()) else { return nil }
        rest = after
        let alt = Self.read(label, depth: Self.deepest).map(\.plainText).joined()
        return .image(alt: alt, address: address)
    }

    private mutating func link() -> Span? {
        guard let (label, address, after) = target(rest) else { return nil }
        rest = after
        return .link(Self.read(label, depth: depth + 1), address: address)
    }

    /// An address in angle brackets; anything else in them is text, HTML too.
    private mutating func bracketedAddress() -> Span? {
        let inside = rest.dropFirst()
        let start = inside.prefix(8).lowercased()
        guard ["https://", "http://", "nostr:"].contains(where: { start.hasPrefix($0) }) else { return nil }
        let address = inside.prefix { !$0.isWhitespace && $0 != "<" && $0 != ">" }
        guard inside[address.endIndex...].first == ">" else { return nil }
        rest = inside[address.endIndex...].dropFirst()
        return .link([.text(String(address))], address: String(address))
    }
}

// Where things end.
extension MarkdownSpans {
    /// The words in brackets, the address in parentheses behind them, and what follows.
    private func target(_ text: Substring) -> (label: Substring, address: String, rest: Substring)? {
        let inside = text.dropFirst()
        var open = 0
        var passed = 0
        var index = inside.startIndex
        while index < inside.endIndex, passed < Self.farthest {
            passed += 1
            switch inside[index] {
            case "\\": index = inside.index(after: index)
            case "[":
                open += 1
                if open > Self.deepest { return nil }
            case "]" where open > 0: open -= 1
            case "]":
                let label = inside[..<index]
                guard let (address, rest) = address(text[text.index(after: index)...]) else { return nil }
                return (label, address, rest)
            default: break
            }
            if index < inside.endIndex { index = inside.index(after: index) }
        }
        return nil
    }

    /// `(address "title")`, of which the title is dropped.
    private func address(_ text: Substring) -> (String, Substring)? {
        guard text.first == "(" else { return nil }
        var open = 0
        var passed = 0
        let inside = text.dropFirst()
        for index in inside.indices {
            passed += 1
            if passed > Self.farthest { return nil }
            switch inside[index] {
            case "(":
                open += 1
                if open > Self.deepest { return nil }
            case ")" where open > 0: open -= 1
            case ")":
                var address = inside[..<index].withoutOuterSpace
                if address.first == "<", let end = address.firstIndex(of: ">") {
                    address = address[..<end].dropFirst()
                } else {
                    address = address.prefix { !$0.isWhitespace }
                }
                return (String(address), text[text.index(after: index)...])
            default: break
            }
        }
        return nil
    }

    /// Where emphasis ends: a run of the mark behind a word, long enough, and not one that ends something else.
    private mutating func closing(of mark: Character, _ count: Int, in text: Substring) -> Substring.Index? {
        guard !missing.contains(Closer(mark: mark, count: count)) else { return nil }
        var index = text.startIndex
        var before: Character = " "
        while index < text.endIndex {
            let character = text[index]
            if character == "\\" {
                index = text.index(index, offsetBy: 2, limitedBy: text.endIndex) ?? text.endIndex
                before = character
                continue
            }
            guard character == mark else {
                before = character
                index = text.index(after: index)
                continue
            }
            let run = text[index...].prefix { $0 == mark }
            let next = run.endIndex < text.endIndex ? text[run.endIndex] : " "
            let isInsideWord = mark == "_" && (next.isLetter || next.isNumber)
            let fits = count == 1 ? run.count % 2 == 1 : run.count >= count
            if fits, run.count <= Self.longestRun, !before.isWhitespace, index > text.startIndex, !isInsideWord {
                return text.index(run.endIndex, offsetBy: -count)
            }
            before = mark
            index = run.endIndex
        }
        missing.insert(Closer(mark: mark, count: count))
        return nil
    }

    private mutating func endOfCode(_ count: Int, in text: Substring) -> Substring.Index? {
        guard !missing.contains(Closer(mark: "`", count: count)) else { return nil }
        var open = text
        while let index = open.firstIndex(of: "`") {
            let run = open[index...].prefix { $0 == "`" }
            if run.count == count { return index }
            open = open[run.endIndex...]
        }
        missing.insert(Closer(mark: "`", count: count))
        return nil
    }
}

private func trimmedEnd(_ text: String) -> Substring {
    var rest = text[...]
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return rest
}
