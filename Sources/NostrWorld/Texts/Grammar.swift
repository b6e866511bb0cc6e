/// A small grammar: names with alternatives, which may name others in braces.
///
/// Written as lines `name = one | another with {name}`; a line that begins with `|` goes on with the one above.
struct Grammar: Sendable {
    private enum Piece {
        case text(String)
        case rule(String)
    }

    private let rules: [String: [[Piece]]]

    /// Reads the lines; what names no rule stays in the text as it is, which the tests look for.
    init(_ source: String) {
        var rules: [String: [[Piece]]] = [:]
        var current = ""
        for line in source.split(separator: "\n") {
            let line = line.trimmingSpaces()
            guard !line.isEmpty else { continue }
            var alternatives = line
            if line.first != "|", let equals = line.firstIndex(of: "=") {
                current = String(line[..<equals].trimmingSpaces())
                alternatives = line[line.index(after: equals)...]
            }
            for alternative in alternatives.split(separator: "|") {
                let text = alternative.trimmingSpaces()
                if !text.isEmpty { rules[current, default: []].append(Self.pieces(of: text)) }
            }
        }
        self.rules = rules
    }

    /// The names that have alternatives.
    var names: Set<String> { Set(rules.keys) }

    /// Writes one text.
    func expand(_ name: String, using dice: inout Dice) -> String {
        var text = ""
        expand(name, into: &text, depth: 0, using: &dice)
        return text
    }

    private func expand(_ name: String, into text: inout String, depth: Int, using dice: inout Dice) {
        guard depth < 12, let alternative = dice.pick(rules[name] ?? []) else {
            text += "{\(name)}"
            return
        }
        for piece in alternative {
            switch piece {
            case .text(let words): text += words
            case .rule(let inner): expand(inner, into: &text, depth: depth + 1, using: &dice)
            }
        }
    }

    private static func pieces(of text: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { pieces.append(.text(unescaped(rest[..<open]))) }
            pieces.append(.rule(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(unescaped(rest))) }
        return pieces
    }

    /// `¶` is a new line.
    private static func unescaped(_ text: Substring) -> String {
        String(text.map { $0 == "¶" ? "\n" : $0 })
    }
}

extension Substring {
    /// Without spaces at both ends.
    fileprivate func trimmingSpaces() -> Substring {
        let tail = drop { $0 == " " }
        guard let last = tail.lastIndex(where: { $0 != " " }) else { return tail.prefix(0) }
        return tail[...last]
    }
}

extension String {
    fileprivate func trimmingSpaces() -> Substring { self[...].trimmingSpaces() }
}
