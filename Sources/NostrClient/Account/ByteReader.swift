internal import NostrCore

/// Reads plain fields one after another; `nil` when there is nothing left.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What was not read yet.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// 8 bytes, big endian.
    mutating func integer() -> Int64? {
        guard bytes.count - position >= 8 else { return nil }
        defer { position += 8 }
        return bytes[position..<position + 8].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Bytes behind one that says how many.
    mutating func short() -> [UInt8]? {
        guard let count = byte(), bytes.count - position >= Int(count) else { return nil }
        defer { position += Int(count) }
        return Array(bytes[position..<position + Int(count)])
    }

    mutating func bytes32() -> Bytes32? {
        guard bytes.count - position >= 32 else { return nil }
        defer { position += 32 }
        let part = Array(bytes[position..<position + 32])
        // 32 bytes always make one.
        return try? Bytes32(part.span)
    }
}

extension [UInt8] {
    /// Adds 8 bytes, big endian.
    mutating func append(bigEndian value: Int64) {
        for shift in stride(from: Int64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
