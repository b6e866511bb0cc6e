/// Writes values as little-endian bytes.
///
/// Source: D-Bus Specification, "Marshaling (Wire Format)".
struct DBusWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a value where its type may begin.
    mutating func append(_ value: DBusValue) {
        align(value.type.alignment)
        switch value {
        case .byte(let number): little(number)
        case .boolean(let flag): little(UInt32(flag ? 1 : 0))
        case .int16(let number): little(number)
        case .uint16(let number): little(number)
        case .int32(let number): little(number)
        case .uint32(let number), .unixFD(let number): little(number)
        case .int64(let number): little(number)
        case .uint64(let number): little(number)
        case .double(let number): little(number.bitPattern)
        case .string(let text), .objectPath(let text):
            little(UInt32(truncatingIfNeeded: text.utf8.count))
            bytes += Array(text.utf8) + [0]
        case .signature(let text): signature(text)
        case .variant(let value):
            signature(value.type.code)
            append(value)
        case .array(let type, let values): array(type, values)
        case .structure(let members): members.forEach { append($0) }
        case .entry(let key, let value):
            append(key)
            append(value)
        }
    }

    /// Writes zeroes up to the next multiple.
    mutating func align(_ boundary: Int) {
        while !bytes.count.isMultiple(of: boundary) { bytes.append(0) }
    }

    private mutating func array(_ type: DBusType, _ values: [DBusValue]) {
        let place = bytes.count
        little(UInt32(0))
        align(type.alignment)
        let start = bytes.count
        values.forEach { append($0) }
        let length = UInt32(truncatingIfNeeded: bytes.count - start)
        for offset in 0..<4 { bytes[place + offset] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(offset))) }
    }

    private mutating func signature(_ text: String) {
        bytes.append(UInt8(truncatingIfNeeded: text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    private mutating func little<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(truncatingIfNeeded: shift)))
        }
    }
}
