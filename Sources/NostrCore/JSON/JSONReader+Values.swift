extension JSONReader {
    /// Reads a whole number of a range, or refuses another type, a fraction or an exponent.
    mutating func integer(_ key: StaticString, max limit: Int64 = .max) throws(ParseError) -> Int64 {
        let start = position
        guard let first = peek(), isDigit(first) else {
            if peek() == UInt8(ascii: "-") {
                try skipNumber()
                throw ParseError(.numberOutOfRange, at: start)
            }
            throw wrongType(key)
        }
        var value: Int64 = 0
        while position < count, isDigit(unsafe bytes[position]) {
            let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, over) = tens.addingReportingOverflow(Int64(unsafe bytes[position] & 15))
            guard !tooLarge, !over, sum <= limit else { throw ParseError(.numberOutOfRange, at: start) }
            value = sum
            position += 1
        }
        if first == UInt8(ascii: "0"), position > start + 1 {
            throw ParseError(.unexpectedByte(unsafe bytes[start + 1]), at: start + 1)
        }
        if let next = peek(), next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
            throw ParseError(.wrongType(key: "\(key)"), at: start)
        }
        return value
    }

    /// Reads `true` or `false`, or refuses another type.
    mutating func boolean(_ key: StaticString) throws(ParseError) -> Bool {
        switch peek() {
        case UInt8(ascii: "t"):
            try literal("true")
            return true
        case UInt8(ascii: "f"):
            try literal("false")
            return false
        default: throw wrongType(key)
        }
    }

    /// Moves over one value of any type, checking it.
    mutating func skipValue() throws(ParseError) {
        switch peek() {
        case UInt8(ascii: "\""): _ = try rawString()
        case UInt8(ascii: "["), UInt8(ascii: "{"): try skipNested()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        case .some(let byte) where byte == UInt8(ascii: "-") || isDigit(byte): try skipNumber()
        default: throw unexpected()
        }
    }

    /// Moves over an array or object; as deep as ``ParseLimits/depth`` allows.
    private mutating func skipNested() throws(ParseError) {
        let isObject = peek() == UInt8(ascii: "{")
        position += 1
        try descend()
        var isFirst = true
        while try hasNext(isFirst: isFirst, close: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            isFirst = false
            if isObject {
                _ = try rawString()
                try colon()
            }
            try skipValue()
        }
    }

    private mutating func literal(_ word: StaticString) throws(ParseError) {
        for i in 0..<word.utf8CodeUnitCount { try expect(unsafe word.utf8Start[i]) }
    }

    /// Moves over a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    private mutating func skipNumber() throws(ParseError) {
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try skipDigits() }
        if let byte = peek(), isDigit(byte) { throw unexpected() }
        if consume(UInt8(ascii: ".")) { try skipDigits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            _ = consume(UInt8(ascii: "+")) || consume(UInt8(ascii: "-"))
            try skipDigits()
        }
    }

    /// At least one digit.
    private mutating func skipDigits() throws(ParseError) {
        guard let byte = peek(), isDigit(byte) else { throw unexpected() }
        while position < count, isDigit(unsafe bytes[position]) { position += 1 }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }
}
