/// Walks through the head of a page, tag by tag, whatever is wrong with it.
///
/// It goes forward only, so that a page costs what its length costs, and it stops where the body begins. Source: WHATWG
/// HTML, "Tokenization", of which it knows comments, raw text, and attributes with and without quotes.
struct MarkupScanner {
    /// The beginning of an element.
    struct Tag {
        /// In lowercase letters.
        var name: String
        /// The first of each name, in lowercase letters, entities as they are written.
        var attributes: [String: String]
    }

    private static let mostAttributes = 32
    private static let longestName = 64
    private static let longestValue = 4096

    private static let commentBegins = Array("<!--".utf8)
    private static let commentEnds = Array("-->".utf8)

    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next element; `nil` where the head has ended.
    mutating func next() -> Tag? {
        while skip(to: UInt8(ascii: "<")) {
            if matches(Self.commentBegins) {
                guard skipComment() else { return nil }
                continue
            }
            place += 1
            guard let first = current else { return nil }
            if first == UInt8(ascii: "/") {
                place += 1
                if name() == "head" { return nil }
                _ = attributes()
            } else if first.isLetter {
                let name = name()
                if name == "body" { return nil }
                return Tag(name: name, attributes: attributes())
            }
        }
        return nil
    }

    /// What stands until an element ends, of which the first so many bytes are given; for elements that hold text alone.
    mutating func text(until name: String, longest: Int) -> String {
        let start = place
        let end = Array(("</" + name).utf8)
        while skip(to: UInt8(ascii: "<")) {
            if matches(end) { break }
            place += 1
        }
        return String(decoding: bytes[start..<min(place, start + longest)], as: UTF8.self)
    }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skip(to byte: UInt8) -> Bool {
        while place < bytes.count, bytes[place] != byte { place += 1 }
        return place < bytes.count
    }

    private mutating func skipComment() -> Bool {
        while skip(to: UInt8(ascii: "-")) {
            if matches(Self.commentEnds) {
                place += Self.commentEnds.count
                return true
            }
            place += 1
        }
        return false
    }

    /// Whether a mark in lowercase letters stands here.
    private func matches(_ mark: [UInt8]) -> Bool {
        guard place + mark.count <= bytes.count else { return false }
        return zip(bytes[place...], mark).allSatisfy { $0.lowercase == $1 }
    }

    private mutating func name() -> String {
        let start = place
        while let byte = current, byte.isName { place += 1 }
        return String(decoding: bytes[start..<min(place, start + Self.longestName)].map(\.lowercase), as: UTF8.self)
    }

    /// The attributes up to the end of the tag, and past it.
    private mutating func attributes() -> [String: String] {
        var found: [String: String] = [:]
        while let byte = current {
            if byte == UInt8(ascii: ">") {
                place += 1
                break
            }
            guard byte.isName else {
                place += 1
                continue
            }
            let name = name()
            let value = value()
            if found.count < Self.mostAttributes, found[name] == nil { found[name] = value }
        }
        return found
    }

    private mutating func value() -> String {
        skipSpace()
        guard current == UInt8(ascii: "=") else { return "" }
        place += 1
        skipSpace()
        guard let first = current else { return "" }
        let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
        if isQuoted { place += 1 }
        let start = place
        while let byte = current {
            if isQuoted ? byte == first : byte.isSpace || byte == UInt8(ascii: ">") { break }
            place += 1
        }
        let value = bytes[start..<min(place, start + Self.longestValue)]
        if isQuoted, current != nil { place += 1 }
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func skipSpace() {
        while let byte = current, byte.isSpace { place += 1 }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(lowercase) }

    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether it may stand in the name of an element or of an attribute.
    fileprivate var isName: Bool {
        isLetter || (0x30...0x39).contains(self) || self == UInt8(ascii: "-") || self == UInt8(ascii: ":")
            || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
    }

    fileprivate var lowercase: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
