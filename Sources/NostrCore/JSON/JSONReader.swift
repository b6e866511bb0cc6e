/// Reads strict JSON (RFC 8259) and strict UTF-8 from borrowed bytes, one token at a time, without copying.
///
/// Only ``read(_:limits:_:)`` makes one, so that the bytes outlive it. Every access to `bytes` stands behind a
/// comparison with `count`, which is what makes the type safe; a debug build checks each of them again.
/// What is read of one structure (an event, a filter, a message) is an extension beside that structure.
@safe struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let count: Int
    let limits: ParseLimits
    var position = 0
    private(set) var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ParseLimits) {
        unsafe self.bytes = bytes
        count = bytes.count
        self.limits = limits
    }

    /// Reads one value that takes up the whole text, with white space around it.
    static func read<R>(
        _ json: Span<UInt8>, limits: ParseLimits, _ body: (inout JSONReader) throws(ParseError) -> R
    ) throws(ParseError) -> R {
        try scan(json, limits: limits) { (reader) throws(ParseError) -> R in
            let value = try body(&reader)
            reader.skipWhitespace()
            guard reader.position == reader.count else { throw reader.error(.trailingBytes) }
            return value
        }
    }

    /// Reads from the start of the text and stops where `body` stops.
    static func scan<R>(
        _ json: Span<UInt8>, limits: ParseLimits, _ body: (inout JSONReader) throws(ParseError) -> R
    ) throws(ParseError) -> R {
        guard json.count <= limits.bytes else { throw ParseError(.tooLong(limit: limits.bytes), at: limits.bytes) }
        return try unsafe json.withUnsafeBufferPointer { (pointer) throws(ParseError) -> R in
            var reader = unsafe JSONReader(pointer, limits: limits)
            reader.skipWhitespace()
            return try body(&reader)
        }
    }

    /// An error here.
    func error(_ problem: ParseError.Problem) -> ParseError {
        ParseError(problem, at: position)
    }

    /// The error for a byte that does not fit, or for the end.
    func unexpected() -> ParseError {
        peek().map { error(.unexpectedByte($0)) } ?? error(.unexpectedEnd)
    }

    /// The next byte, not taken.
    @inline(__always)
    func peek() -> UInt8? {
        position < count ? unsafe bytes[position] : nil
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < count {
            let byte = unsafe bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    /// Takes one byte if it is next.
    @inline(__always)
    mutating func consume(_ byte: UInt8) -> Bool {
        guard position < count, unsafe bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Takes one byte that must be next.
    @inline(__always)
    mutating func expect(_ byte: UInt8) throws(ParseError) {
        guard consume(byte) else { throw unexpected() }
    }

    // MARK: arrays and objects

    /// Enters an array or object whose opening byte was taken.
    @inline(__always)
    mutating func descend() throws(ParseError) {
        guard depth < limits.depth else { throw ParseError(.tooDeep(limit: limits.depth), at: position - 1) }
        depth += 1
    }

    /// Leaves an array or object.
    @inline(__always)
    mutating func ascend() {
        depth -= 1
    }

    /// Whether another element follows in an array or object that `close` ends.
    ///
    /// Call before each element, with `isFirst` before the first; stands on the element afterwards.
    @inline(__always)
    mutating func hasNext(isFirst: Bool, close: UInt8) throws(ParseError) -> Bool {
        skipWhitespace()
        if consume(close) {
            ascend()
            return false
        }
        if !isFirst {
            try expect(UInt8(ascii: ","))
            skipWhitespace()
        }
        return true
    }

    /// Takes the colon between a key and its value; stands on the value afterwards.
    @inline(__always)
    mutating func colon() throws(ParseError) {
        skipWhitespace()
        try expect(UInt8(ascii: ":"))
        skipWhitespace()
    }

    /// Reads an array, or refuses another type.
    @inline(__always)
    mutating func array(
        _ key: StaticString, element: (inout JSONReader, Int) throws(ParseError) -> Void
    ) throws(ParseError) {
        guard consume(UInt8(ascii: "[")) else { throw wrongType(key) }
        try descend()
        var index = 0
        while try hasNext(isFirst: index == 0, close: UInt8(ascii: "]")) {
            try element(&self, index)
            index += 1
        }
    }

    /// The error for a value of another JSON type than the key asks.
    func wrongType(_ key: StaticString) -> ParseError {
        guard let byte = peek() else { return error(.unexpectedEnd) }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "-"), UInt8(ascii: "t"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return error(.wrongType(key: "\(key)"))
        default:
            return error(.unexpectedByte(byte))
        }
    }
}
