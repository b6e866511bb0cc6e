/// Reads values out of the bytes of a message, which anybody may have made.
///
/// Every length is checked against what is there before anything is made of it. Source: D-Bus Specification,
/// "Marshaling (Wire Format)".
struct DBusReader {
    /// How deep values may stand inside each other, variants counted ("Message depth" of the reference implementation).
    static let deepest = 64

    private let bytes: [UInt8]
    private let isLittleEndian: Bool
    private var position: Int

    /// Reads from a place on; alignment is counted from the beginning of the bytes.
    init(_ bytes: [UInt8], from position: Int = 0, isLittleEndian: Bool = true) {
        self.bytes = bytes
        self.position = position
        self.isLittleEndian = isLittleEndian
    }

    /// Whether all was read.
    var isAtEnd: Bool { position >= bytes.count }

    /// A value of a type.
    ///
    /// - Throws: ``DBusProblem/malformed``.
    mutating func value(_ type: DBusType, depth: Int = 0) throws(DBusProblem) -> DBusValue {
        guard depth <= Self.deepest else { throw .malformed }
        try align(type.alignment)
        switch type {
        case .byte: return .byte(UInt8(truncatingIfNeeded: try number(1)))
        case .boolean:
            let number = try number(4)
            guard number <= 1 else { throw .malformed }
            return .boolean(number == 1)
        case .int16: return .int16(Int16(truncatingIfNeeded: try number(2)))
        case .uint16: return .uint16(UInt16(truncatingIfNeeded: try number(2)))
        case .int32: return .int32(Int32(truncatingIfNeeded: try number(4)))
        case .uint32: return .uint32(UInt32(truncatingIfNeeded: try number(4)))
        case .int64: return .int64(Int64(truncatingIfNeeded: try number(8)))
        case .uint64: return .uint64(try number(8))
        case .double: return .double(Double(bitPattern: try number(8)))
        case .string: return .string(try text(lengthBytes: 4))
        case .objectPath:
            let path = try text(lengthBytes: 4)
            guard isObjectPath(path) else { throw .malformed }
            return .objectPath(path)
        case .signature: return .signature(try text(lengthBytes: 1))
        case .unixFD: return .unixFD(UInt32(truncatingIfNeeded: try number(4)))
        case .variant: return .variant(try variant(depth: depth + 1))
        case .array(let element): return .array(element, try elements(element, depth: depth + 1))
        case .structure(let members):
            var values: [DBusValue] = []
            for member in members { values.append(try value(member, depth: depth + 1)) }
            return .structure(values)
        case .entry(let key, let value):
            let first = try self.value(key, depth: depth + 1)
            return .entry(first, try self.value(value, depth: depth + 1))
        }
    }

    private mutating func variant(depth: Int) throws(DBusProblem) -> DBusValue {
        var signature = DBusSignatureReader(try text(lengthBytes: 1).utf8)
        let types = try signature.types()
        guard types.count == 1, let type = types.first else { throw .malformed }
        return try value(type, depth: depth)
    }

    private mutating func elements(_ type: DBusType, depth: Int) throws(DBusProblem) -> [DBusValue] {
        let length = try length(4)
        // The padding before the first element is there without one too, and is not of the length.
        try align(type.alignment)
        guard length <= bytes.count - position else { throw .malformed }
        let end = position + length
        var values: [DBusValue] = []
        while position < end { values.append(try value(type, depth: depth)) }
        guard position == end else { throw .malformed }
        return values
    }

    /// Text in UTF-8 behind its length, with a NUL after it and none in it.
    private mutating func text(lengthBytes: Int) throws(DBusProblem) -> String {
        let length = try length(lengthBytes)
        guard length < bytes.count - position, bytes[position + length] == 0 else { throw .malformed }
        let read = bytes[position..<position + length]
        guard !read.contains(0), let text = String(validating: read, as: UTF8.self) else { throw .malformed }
        position += length + 1
        return text
    }

    private mutating func length(_ count: Int) throws(DBusProblem) -> Int {
        guard let length = Int(exactly: try number(count)) else { throw .malformed }
        return length
    }

    private mutating func number(_ count: Int) throws(DBusProblem) -> UInt64 {
        guard count <= bytes.count - position else { throw .malformed }
        var number: UInt64 = 0
        for offset in 0..<count {
            let byte = bytes[position + (isLittleEndian ? count - 1 - offset : offset)]
            number = number << 8 | UInt64(byte)
        }
        position += count
        return number
    }

    /// Goes to the next multiple; what is passed over is zero.
    mutating func align(_ boundary: Int) throws(DBusProblem) {
        while !position.isMultiple(of: boundary) {
            guard position < bytes.count, bytes[position] == 0 else { throw .malformed }
            position += 1
        }
    }
}
