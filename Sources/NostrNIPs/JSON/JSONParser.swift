/// Reads strict JSON (RFC 8259) from bytes that anybody may have sent.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depthLeft: Int

    init(_ bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        depthLeft = depth
    }

    /// Reads the one value of a document.
    mutating func document() throws(JSONProblem) -> JSONValue {
        skipWhiteSpace()
        let value = try value()
        skipWhiteSpace()
        guard position == bytes.count else { throw .unexpectedByte(at: position) }
        return value
    }

    private mutating func value() throws(JSONProblem) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws(JSONProblem) -> [JSONMember] {
        try enter()
        var members: [JSONMember] = []
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "}") {
            leave()
            return members
        }
        while true {
            skipWhiteSpace()
            let start = position
            let name = try string()
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            skipWhiteSpace()
            let valueStart = position
            let value = try value()
            members.append(
                JSONMember(name, value, whole: start..<position, valueRange: valueStart..<position))
            skipWhiteSpace()
            if try peek() == UInt8(ascii: "}") { break }
            try expect(UInt8(ascii: ","))
        }
        leave()
        return members
    }

    private mutating func array() throws(JSONProblem) -> [JSONValue] {
        try enter()
        var values: [JSONValue] = []
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "]") {
            leave()
            return values
        }
        while true {
            skipWhiteSpace()
            values.append(try value())
            skipWhiteSpace()
            if try peek() == UInt8(ascii: "]") { break }
            try expect(UInt8(ascii: ","))
        }
        leave()
        return values
    }

    private mutating func number() throws(JSONProblem) -> String {
        let start = position
        if try peek() == UInt8(ascii: "-") { position += 1 }
        let whole = try digits()
        if whole.count > 1, bytes[whole.lowerBound] == UInt8(ascii: "0") { throw .unexpectedByte(at: start) }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            _ = try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = try peek()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            _ = try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONProblem) -> Range<Int> {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        guard position > start else {
            throw position < bytes.count ? .unexpectedByte(at: position) : .unexpectedEnd
        }
        return start..<position
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
        for byte in word.description.utf8 { try expect(byte) }
        return value
    }

    private mutating func enter() throws(JSONProblem) {
        guard depthLeft > 0 else { throw .tooDeep(at: position) }
        depthLeft -= 1
        position += 1
    }

    private mutating func leave() {
        depthLeft += 1
        position += 1
    }

    private func peek() throws(JSONProblem) -> UInt8 {
        guard position < bytes.count else { throw .unexpectedEnd }
        return bytes[position]
    }

    private mutating func expect(_ byte: UInt8) throws(JSONProblem) {
        guard try peek() == byte else { throw .unexpectedByte(at: position) }
        position += 1
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}

extension JSONParser {
    private mutating func string() throws(JSONProblem) -> String {
        let start = position
        try expect(UInt8(ascii: "\""))
        var out: [UInt8] = []
        while true {
            let byte = try peek()
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: out, as: UTF8.self) else { throw .invalidString(at: start) }
                return text
            case UInt8(ascii: "\\"): try escape(into: &out)
            case 0..<0x20: throw .invalidString(at: position - 1)
            default: out.append(byte)
            }
        }
    }

    private mutating func escape(into out: inout [UInt8]) throws(JSONProblem) {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try escapedScalar()
            out.append(contentsOf: String(Character(scalar)).utf8)
        default: throw .invalidString(at: position - 1)
        }
    }

    private mutating func escapedScalar() throws(JSONProblem) -> Unicode.Scalar {
        let at = position
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A high surrogate needs its low one; anything else has no scalar.
        guard (0xD800..<0xDC00).contains(first) else { throw .invalidString(at: at) }
        try expect(UInt8(ascii: "\\"))
        try expect(UInt8(ascii: "u"))
        let second = try hexUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw .invalidString(at: at) }
        return scalar
    }

    private mutating func hexUnit() throws(JSONProblem) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = try peek()
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: throw .invalidString(at: position)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
