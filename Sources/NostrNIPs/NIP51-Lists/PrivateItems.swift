public import NostrCore

/// The private part of a list: tags that only its owner sees.
///
/// Every entry stays byte for byte and in order as it was written, also entries of unknown meaning; only what is added
/// is written anew. Shape of the text: a JSON array of arrays, as tags are. Source: NIP-51, "Encryption process".
public struct PrivateItems: Hashable, Sendable {
    /// One entry: its text, and the tag it is, unless it holds anything but strings.
    private struct Entry: Hashable, Sendable {
        let text: [UInt8]
        let tag: Tag?

        init(_ tag: Tag) {
            self.tag = tag
            text = JSONValue.array(tag.elements.map { .string($0) }).json
        }

        init(_ text: [UInt8], _ tag: Tag?) {
            self.text = text
            self.tag = tag
        }
    }

    private var entries: [Entry]
    private let base: [Entry]
    private let baseText: String

    /// No private part.
    public init() {
        entries = []
        base = []
        baseText = ""
    }

    /// Reads the decrypted text; `nil` unless it is a JSON array of arrays.
    public init?(json text: String) {
        let bytes = Array(text.utf8)
        // What is not JSON is no list; the caller has no use for the reason.
        guard case .array(let values)? = try? JSONValue(bytes) else { return nil }
        let texts = elementTexts(of: bytes)
        guard texts.count == values.count else { return nil }
        var entries: [Entry] = []
        for (value, text) in zip(values, texts) {
            guard case .array(let elements) = value else { return nil }
            let strings = elements.compactMap(\.string)
            entries.append(Entry(Array(text), strings.count == elements.count ? Tag(strings) : nil))
        }
        self.entries = entries
        base = entries
        baseText = text
    }

    /// All entries that are tags, in order.
    public var tags: [Tag] { entries.compactMap(\.tag) }

    /// What is on the list, in order; tags of other meaning and malformed ones are left out.
    public var items: [ListItem] { tags.compactMap(ListItem.init(tag:)) }

    /// How many entries are no item this program knows.
    public var unknownEntries: Int { entries.count { $0.tag.flatMap(ListItem.init(tag:)) == nil } }

    /// Whether there is no entry.
    public var isEmpty: Bool { entries.isEmpty }

    /// Whether something was added or taken out.
    public var isChanged: Bool { entries != base }

    /// The text to encrypt: as it was read while nothing changed, else every entry as it was, without white space between.
    public var json: String {
        guard isChanged || baseText.isEmpty else { return baseText }
        var out = [UInt8(ascii: "[")]
        for (index, entry) in entries.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out += entry.text
        }
        return String(decoding: out + [UInt8(ascii: "]")], as: UTF8.self)
    }

    /// Whether a thing is on the list.
    public func contains(_ item: ListItem) -> Bool {
        items.contains { $0.isSameThing(as: item) }
    }

    /// Adds tags at the end.
    public mutating func append(_ tags: [Tag]) {
        entries += tags.map { Entry($0) }
    }

    /// Takes out every entry that names a thing, and gives back the tags.
    @discardableResult
    public mutating func remove(_ item: ListItem) -> [Tag] {
        func names(_ entry: Entry) -> Bool {
            entry.tag.flatMap(ListItem.init(tag:))?.isSameThing(as: item) ?? false
        }
        let removed = entries.filter(names).compactMap(\.tag)
        entries.removeAll(where: names)
        return removed
    }

    /// What changed since the text was read.
    public var difference: ListDifference {
        ListDifference(from: base.compactMap(\.tag), to: tags)
    }
}

/// The texts of the elements of a JSON array that is known to be well formed.
private func elementTexts(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var texts: [ArraySlice<UInt8>] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    var start: Int?
    for (index, byte) in bytes.enumerated() {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            continue
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            if depth == 1, start == nil { start = index }
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if depth == 1, start == nil { start = index }
            depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            if depth == 1, let from = start {
                texts.append(bytes[from...index])
                start = nil
            }
        default: break
        }
    }
    return texts
}
