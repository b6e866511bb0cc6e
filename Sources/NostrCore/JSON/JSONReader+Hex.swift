extension JSONReader {
    /// Reads a string of 64 lowercase hex characters.
    @inline(__always)
    mutating func hex32(_ key: StaticString) throws(ParseError) -> Bytes32 {
        if let words = hexWords(4) {
            return Bytes32(bigEndianWords: words[0], words[1], words[2], words[3])
        }
        return try slowHex(key) { (text) throws(HexError) in
            let decoded = try decodeHex(text, byteCount: 32)
            return try Bytes32(decoded.span)
        }
    }

    /// Reads a string of 128 lowercase hex characters.
    @inline(__always)
    mutating func hex64(_ key: StaticString) throws(ParseError) -> Bytes64 {
        if let words = hexWords(8) {
            return Bytes64(bigEndianWords: words)
        }
        return try slowHex(key) { (text) throws(HexError) in
            let decoded = try decodeHex(text, byteCount: 64)
            return try Bytes64(decoded.span)
        }
    }

    /// Takes a string of exactly `16 * wordCount` hex characters, or nothing at all.
    @inline(__always)
    private mutating func hexWords(_ wordCount: Int) -> InlineArray<8, UInt64>? {
        let close = position + 16 * wordCount + 1
        guard close < count, unsafe bytes[position] == UInt8(ascii: "\""), unsafe bytes[close] == UInt8(ascii: "\""),
            let base = unsafe UnsafeRawPointer(bytes.baseAddress)
        else { return nil }
        var words = InlineArray<8, UInt64>(repeating: 0)
        for i in 0..<wordCount {
            let at = position + 1 + 16 * i
            guard
                let high = hexValue(
                    ofEight: UInt64(bigEndian: unsafe base.loadUnaligned(fromByteOffset: at, as: UInt64.self))),
                let low = hexValue(
                    ofEight: UInt64(bigEndian: unsafe base.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)))
            else { return nil }
            words[i] = UInt64(high) << 32 | UInt64(low)
        }
        position = close + 1
        return words
    }

    /// Reads any string and says what is wrong with it as hex; escapes are hex too if they stand for hex digits.
    private mutating func slowHex<R>(
        _ key: StaticString, decode: (String) throws(HexError) -> R
    ) throws(ParseError) -> R {
        let start = position
        let text = try string(key)
        do {
            return try decode(text)
        } catch {
            throw ParseError(.hex(error), at: start)
        }
    }
}
