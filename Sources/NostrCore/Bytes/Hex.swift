/// Why text is not the hex of a fixed-size value.
public enum HexError: Error, Hashable, Sendable {
    /// Another length than asked; characters for text, bytes for bytes.
    case wrongLength(expected: Int, got: Int)
    /// A character outside `0-9a-f`, with its offset in bytes.
    case notLowercaseHex(at: Int)
}

/// Lowercase hex of bytes.
public func encodeHex(_ bytes: Span<UInt8>) -> String {
    let digits: [UInt8] = Array("0123456789abcdef".utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 2)
    for i in bytes.indices {
        out.append(digits[Int(bytes[i] >> 4)])
        out.append(digits[Int(bytes[i] & 15)])
    }
    return String(decoding: out, as: UTF8.self)
}

/// Lowercase hex of an array of bytes.
public func encodeHex(_ bytes: [UInt8]) -> String {
    encodeHex(bytes.span)
}

/// Decodes exactly `byteCount` bytes of lowercase hex.
///
/// - Throws: ``HexError``; uppercase is refused, as NIP-01 asks for lowercase everywhere.
public func decodeHex(_ text: String, byteCount: Int) throws(HexError) -> [UInt8] {
    let characters = Array(text.utf8)
    guard characters.count == byteCount * 2 else {
        throw .wrongLength(expected: byteCount * 2, got: characters.count)
    }
    var out = [UInt8](repeating: 0, count: byteCount)
    for i in 0..<byteCount {
        guard let high = hexValue(characters[2 * i]) else { throw .notLowercaseHex(at: 2 * i) }
        guard let low = hexValue(characters[2 * i + 1]) else { throw .notLowercaseHex(at: 2 * i + 1) }
        out[i] = high << 4 | low
    }
    return out
}

/// The value of one lowercase hex digit.
@inline(__always)
func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x61...0x66: character - 0x57
    default: nil
    }
}
