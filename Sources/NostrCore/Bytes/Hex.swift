/// Why text is not the hex of a fixed-size value.
public enum HexError: Error, Hashable, Sendable {
    /// Another length than asked; characters for text, bytes for bytes.
    case wrongLength(expected: Int, got: Int)
    /// A character outside `0-9a-f`, with its offset in bytes.
    case notLowercaseHex(at: Int)
}

/// Lowercase hex of bytes.
public func encodeHex(_ bytes: Span<UInt8>) -> String {
    // Written where the text keeps it: ten thousand ids are in the tags of one note.
    unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { out in
        for i in bytes.indices {
            unsafe out[i * 2] = hexDigit(bytes[i] >> 4)
            unsafe out[i * 2 + 1] = hexDigit(bytes[i] & 15)
        }
        return bytes.count * 2
    }
}

/// Lowercase hex of an array of bytes.
public func encodeHex(_ bytes: [UInt8]) -> String {
    encodeHex(bytes.span)
}

/// Decodes exactly `byteCount` bytes of lowercase hex.
///
/// - Throws: ``HexError``; uppercase is refused, as NIP-01 asks for lowercase everywhere.
public func decodeHex(_ text: String, byteCount: Int) throws(HexError) -> [UInt8] {
    let digits = text.utf8.span
    guard digits.count == byteCount * 2 else { throw .wrongLength(expected: byteCount * 2, got: digits.count) }
    var out: [UInt8] = []
    out.reserveCapacity(byteCount)
    for offset in stride(from: 0, to: digits.count, by: 2) {
        guard let high = hexValue(digits[offset]) else { throw .notLowercaseHex(at: offset) }
        guard let low = hexValue(digits[offset + 1]) else { throw .notLowercaseHex(at: offset + 1) }
        out.append(high << 4 | low)
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

/// The lowercase hex digit of a value below 16.
@inline(__always)
func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x57 + (value & 15)
}

/// The value of eight lowercase hex digits at once, the first in the highest byte.
///
/// Each comparison adds what lifts the bound to 0x80 and looks at the high bits; none carries into the next byte
/// because no byte is above 0x7F.
@inline(__always)
func hexValue(ofEight word: UInt64) -> UInt32? {
    guard word & everyByte(0x80) == 0 else { return nil }
    let isDigit = (word &+ everyByte(0x80 - 0x30)) & ~(word &+ everyByte(0x80 - 0x3A))
    let isLetter = (word &+ everyByte(0x80 - 0x61)) & ~(word &+ everyByte(0x80 - 0x67))
    guard (isDigit | isLetter) & everyByte(0x80) == everyByte(0x80) else { return nil }
    // A letter is nine above its low four bits, and only a letter has bit 6.
    var packed = (word & everyByte(0x0F)) &+ ((word >> 6) & everyByte(1)) &* 9
    packed = (packed | packed >> 4) & 0x00FF_00FF_00FF_00FF
    packed = (packed | packed >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: packed | packed >> 16)
}

/// Eight lowercase hex digits of four bytes, the first in the highest byte.
@inline(__always)
func hexDigits(of value: UInt32) -> UInt64 {
    var spread = UInt64(value)
    spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
    spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
    spread = (spread | spread << 4) & everyByte(0x0F)
    let letters = ((spread &+ everyByte(6)) >> 4) & everyByte(1)
    return spread &+ everyByte(0x30) &+ letters &* 0x27
}
