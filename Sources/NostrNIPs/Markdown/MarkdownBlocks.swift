/// Reads lines of Markdown into blocks.
enum MarkdownBlocks {
    typealias Block = MarkdownDocument.Block

    /// Quotes and lists inside each other; what is deeper is words.
    private static let deepest = 12

    /// Reads lines; each is read once at every depth.
    static func read(_ lines: ArraySlice<MarkdownLine>, depth: Int) -> [Block] {
        var blocks: [Block] = []
        var rest = lines
        while let line = rest.first {
            if line.isBlank {
                rest.removeFirst()
            } else if let block = block(line, &rest, depth: depth) {
                blocks.append(block)
            } else {
                blocks.append(paragraph(&rest))
            }
        }
        return blocks
    }

    private static func block(_ line: MarkdownLine, _ rest: inout ArraySlice<MarkdownLine>, depth: Int) -> Block? {
        if line.isIndentedCode { return indentedCode(&rest) }
        if let fence = line.fence { return fencedCode(fence, line.indent, &rest) }
        if let heading = line.heading {
            rest.removeFirst()
            return .heading(level: heading.level, MarkdownSpans.read(heading.words))
        }
        if line.isRule {
            rest.removeFirst()
            return .rule
        }
        guard depth < deepest else { return nil }
        if line.quoted != nil { return quote(&rest, depth: depth) }
        if line.item != nil { return list(&rest, depth: depth) }
        return nil
    }

    private static func indentedCode(_ rest: inout ArraySlice<MarkdownLine>) -> Block {
        var lines: [String] = []
        while let line = rest.first, line.isIndentedCode || line.isBlank {
            lines.append(line.outdented(4).whole)
            rest.removeFirst()
        }
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        return .code(lines.joined(separator: "\n"), language: "")
    }

    // A fence without an end holds whatever follows.
    private static func fencedCode(
        _ fence: (mark: Character, count: Int, language: String), _ indent: Int, _ rest: inout ArraySlice<MarkdownLine>
    ) -> Block {
        rest.removeFirst()
        var lines: [String] = []
        while let line = rest.first {
            rest.removeFirst()
            if let end = line.fence, end.mark == fence.mark, end.count >= fence.count, end.language.isEmpty { break }
            lines.append(line.outdented(indent).whole)
        }
        return .code(lines.joined(separator: "\n"), language: fence.language)
    }

    private static func quote(_ rest: inout ArraySlice<MarkdownLine>, depth: Int) -> Block {
        var inside: [MarkdownLine] = []
        while let line = rest.first {
            if let quoted = line.quoted {
                inside.append(quoted)
            } else if line.isBlank || inside.last?.isBlank != false || beginsBlock(line) {
                break
            } else {
                // A paragraph goes on without the mark.
                inside.append(line)
            }
            rest.removeFirst()
        }
        return .quote(read(inside[...], depth: depth + 1))
    }

    private static func list(_ rest: inout ArraySlice<MarkdownLine>, depth: Int) -> Block {
        let start = rest.first?.item?.number
        let mark = rest.first?.item?.mark
        var items: [[Block]] = []
        while let item = rest.first?.item, item.mark == mark {
            items.append(read(lines(of: item.width, &rest)[...], depth: depth + 1))
        }
        return .list(items, start: start)
    }

    /// The lines of one thing on a list: what is indented as far as its first words, and what goes on its paragraph.
    private static func lines(of width: Int, _ rest: inout ArraySlice<MarkdownLine>) -> [MarkdownLine] {
        guard let first = rest.popFirst() else { return [] }
        var lines = [first.withoutMark(width)]
        while let line = rest.first {
            if line.isBlank {
                // Empty lines belong to the thing when more of it follows.
                let empty = rest.prefix(while: \.isBlank).count
                guard let next = rest.dropFirst(empty).first,
                    next.indent >= width || next.item?.mark == first.item?.mark
                else { break }
                rest.removeFirst(empty - 1)
                if next.indent >= width { lines.append(line) }
            } else if line.indent >= width {
                lines.append(line.outdented(width))
            } else if lines.last?.isBlank != false || line.item != nil || beginsBlock(line) {
                break
            } else {
                lines.append(line)
            }
            rest.removeFirst()
        }
        return lines
    }

    private static func paragraph(_ rest: inout ArraySlice<MarkdownLine>) -> Block {
        var words: [Substring] = []
        while let line = rest.first, !line.isBlank {
            if !words.isEmpty {
                if let level = line.underline {
                    rest.removeFirst()
                    return .heading(level: level, MarkdownSpans.read(words.joined(separator: "\n")[...]))
                }
                if beginsBlock(line) || line.item.map({ $0.number ?? 1 == 1 }) ?? false { break }
            }
            words.append(line.text)
            rest.removeFirst()
        }
        return .paragraph(MarkdownSpans.read(words.joined(separator: "\n")[...]))
    }

    /// Whether a line ends the paragraph above it.
    private static func beginsBlock(_ line: MarkdownLine) -> Bool {
        line.heading != nil || line.isRule || line.fence != nil || line.quoted != nil
    }
}
