/// A line of Markdown and what it begins with.
struct MarkdownLine: Hashable, Sendable {
    /// The line without its indent.
    let text: Substring
    /// How far it is indented, a tab counted as four.
    let indent: Int

    init(_ line: Substring) {
        var indent = 0
        var rest = line
        while let first = rest.first, first == " " || first == "\t" {
            indent += first == "\t" ? 4 : 1
            rest = rest.dropFirst()
        }
        self.init(text: rest, indent: indent)
    }

    private init(text: Substring, indent: Int) {
        self.text = text
        self.indent = indent
    }

    var isBlank: Bool { text.isEmpty }
    /// Whether it is code by its indent alone.
    var isIndentedCode: Bool { indent >= 4 && !isBlank }

    /// The line less so much of its indent.
    func outdented(_ width: Int) -> MarkdownLine { MarkdownLine(text: text, indent: max(0, indent - width)) }

    /// As it was written.
    var whole: String { String(repeating: " ", count: indent) + text }

    /// A heading with `#`: its level and words.
    var heading: (level: Int, words: Substring)? {
        guard indent < 4 else { return nil }
        let marks = text.prefix { $0 == "#" }
        let rest = text.dropFirst(marks.count)
        guard (1...6).contains(marks.count), rest.isEmpty || rest.first == " " || rest.first == "\t" else { return nil }
        var words = rest.withoutOuterSpace
        let closing = words.reversed().prefix { $0 == "#" }.count
        let before = words.dropLast(closing)
        if closing > 0, before.isEmpty || before.last == " " { words = before.withoutOuterSpace }
        return (marks.count, words)
    }

    /// The level of the heading whose words stand above this line of `=` or `-`.
    var underline: Int? {
        guard indent < 4, text.first == "=" || text.first == "-" else { return nil }
        let line = text.withoutOuterSpace
        guard let mark = line.first, mark == "=" || mark == "-", line.allSatisfy({ $0 == mark }) else {
            return nil
        }
        return mark == "=" ? 1 : 2
    }

    /// Whether it is a line across the page.
    var isRule: Bool {
        guard indent < 4, let mark = text.first, "*-_".contains(mark) else { return false }
        let isOfMarks = text.allSatisfy { $0 == mark || $0 == " " || $0 == "\t" }
        return isOfMarks && text.count(where: { $0 == mark }) >= 3
    }

    /// The fence that begins code here: its mark, its length, what stands behind it.
    var fence: (mark: Character, count: Int, language: String)? {
        guard indent < 4, let mark = text.first, mark == "`" || mark == "~" else { return nil }
        let count = text.prefix { $0 == mark }.count
        let rest = text.dropFirst(count).withoutOuterSpace
        guard count >= 3, mark == "~" || !rest.contains("`") else { return nil }
        return (mark, count, String(rest.prefix { $0 != " " }))
    }

    /// What is quoted here, without the mark.
    var quoted: MarkdownLine? {
        guard indent < 4, text.first == ">" else { return nil }
        let rest = text.dropFirst()
        return MarkdownLine(rest.first == " " ? rest.dropFirst() : rest)
    }

    /// The mark of a thing on a list: how wide it is with its indent, its number, and the kind of mark.
    var item: (width: Int, number: Int?, mark: Character)? {
        guard indent < 4, !isRule, let first = text.first else { return nil }
        if "-*+".contains(first) {
            return behindMark(1).map { (width: $0, number: nil, mark: first) }
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...9).contains(digits.count), let number = Int(digits), let end = text.dropFirst(digits.count).first,
            end == "." || end == ")"
        else { return nil }
        return behindMark(digits.count + 1).map { (width: $0, number: number, mark: end) }
    }

    /// The line of a thing on a list without its mark.
    func withoutMark(_ width: Int) -> MarkdownLine {
        MarkdownLine(text.dropFirst(max(0, width - indent)))
    }

    private func behindMark(_ length: Int) -> Int? {
        let rest = text.dropFirst(length)
        if rest.isEmpty { return indent + length + 1 }
        let spaces = rest.prefix { $0 == " " || $0 == "\t" }.count
        guard spaces > 0 else { return nil }
        // More than four spaces are code on the list, of which one belongs to the mark.
        return indent + length + (spaces > 4 ? 1 : spaces)
    }
}

extension Substring {
    /// The text without white space at either end.
    var withoutOuterSpace: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return rest
    }
}
