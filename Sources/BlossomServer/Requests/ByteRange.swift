/// Which part of a blob a request is for.
///
/// Source: RFC 9110, 14.1.2 and 14.2; BUD-01.
enum ByteRange: Equatable {
    /// All of it.
    case whole
    /// These bytes.
    case part(Range<Int>)
    /// Bytes that it does not have, or that nobody could mean.
    case notThere

    /// Reads a `Range` header.
    ///
    /// Another unit than bytes, and several ranges at once, count as no range: both may be answered with the whole.
    /// - Parameter size: of the blob, in bytes.
    init(header: String?, size: Int) {
        guard let header, let (unit, text) = Self.split(header, at: "="), unit.lowercased() == "bytes",
            !text.contains(",")
        else {
            self = .whole
            return
        }
        self = Self.read(text, size: size).map(ByteRange.part) ?? .notThere
    }

    private static func read(_ text: Substring, size: Int) -> Range<Int>? {
        guard let (first, last) = split(text, at: "-") else { return nil }
        if first.isEmpty {
            guard let count = number(last), count > 0, size > 0 else { return nil }
            return max(0, size - count)..<size
        }
        guard let start = number(first), start < size else { return nil }
        if last.isEmpty { return start..<size }
        guard let end = number(last), end >= start else { return nil }
        return start..<min(end, size - 1) + 1
    }

    /// Plain digits; what is larger than any file counts as the largest number.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }

    private static func split(_ text: some StringProtocol, at mark: Character) -> (Substring, Substring)? {
        let text = Substring(text)
        guard let place = text.firstIndex(of: mark) else { return nil }
        return (trimmed(text[..<place]), trimmed(text[text.index(after: place)...]))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
