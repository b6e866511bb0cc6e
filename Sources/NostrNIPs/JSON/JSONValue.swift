/// Any JSON value, for the few documents of Nostr that are not events: profiles, NIP-05 and NIP-11 documents.
///
/// Numbers keep their text, so that nothing is lost by reading them.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Parses one value of strict JSON, with white space around it allowed.
    package init(_ bytes: [UInt8], depth: Int = 32) throws(JSONProblem) {
        var reader = JSONParser(bytes, depth: depth)
        self = try reader.document()
    }

    /// The text of a string.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The truth of a boolean.
    package var bool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// A number that is whole, also when written with a fraction of zeros.
    package var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        if let exact = Int64(text) { return exact }
        guard let real = Double(text), real == real.rounded(), abs(real) < 9e15 else { return nil }
        return Int64(real)
    }

    /// The values of an array; empty for everything else.
    package var elements: [JSONValue] {
        if case .array(let values) = self { values } else { [] }
    }

    /// The members of an object; empty for everything else.
    package var members: [JSONMember] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The value of the last member with a name, as most parsers choose among duplicates.
    package subscript(_ name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }

    /// ``text`` as bytes.
    package var json: [UInt8] { Array(text.utf8) }

    /// The value as JSON without white space.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let truth): truth ? "true" : "false"
        case .number(let text): text
        case .string(let text): quotedJSON(text)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { quotedJSON($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }
}

/// One member of a JSON object, and where its parts stand in the text it was read from.
package struct JSONMember: Hashable, Sendable {
    package let name: String
    package let value: JSONValue
    /// From the first quote of the name to the end of the value.
    package let whole: Range<Int>
    /// The value alone.
    package let valueRange: Range<Int>

    /// Takes a name and a value; the ranges are for members that were read.
    package init(_ name: String, _ value: JSONValue, whole: Range<Int> = 0..<0, valueRange: Range<Int> = 0..<0) {
        self.name = name
        self.value = value
        self.whole = whole
        self.valueRange = valueRange
    }

    /// Equal names and values; where they were read does not count.
    package static func == (a: JSONMember, b: JSONMember) -> Bool { a.name == b.name && a.value == b.value }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}

/// Why bytes are not JSON, and where.
package enum JSONProblem: Error, Hashable, Sendable {
    case unexpectedEnd
    case unexpectedByte(at: Int)
    case invalidString(at: Int)
    case tooDeep(at: Int)
}

/// A string as JSON, with its quotes.
package func quotedJSON(_ text: String) -> String {
    var out: [UInt8] = [0x22]
    for byte in text.utf8 {
        switch byte {
        case 0x22: out += [0x5C, 0x22]
        case 0x5C: out += [0x5C, 0x5C]
        case 0x0A: out += [0x5C, 0x6E]
        case 0x0D: out += [0x5C, 0x72]
        case 0x09: out += [0x5C, 0x74]
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            out += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: out.append(byte)
        }
    }
    out.append(0x22)
    return String(decoding: out, as: UTF8.self)
}
