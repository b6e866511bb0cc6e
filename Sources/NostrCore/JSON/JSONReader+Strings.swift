/// The extent of a string in the bytes, without its quotation marks; checked UTF-8 and checked escapes.
struct RawString {
    var start: Int
    var end: Int
    var hasEscapes: Bool
    var isASCII: Bool

    var count: Int { end - start }
}

/// One byte in all eight places.
@inline(__always)
func everyByte(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* 0x0101_0101_0101_0101
}

/// The high bit of each byte that is a quotation mark, a backslash or below 0x20; exact up to the lowest such byte.
@inline(__always)
func bytesNeedingCare(_ word: UInt64) -> UInt64 {
    let quote = word ^ everyByte(0x22)
    let slash = word ^ everyByte(0x5C)
    let found =
        ((quote &- everyByte(1)) & ~quote) | ((slash &- everyByte(1)) & ~slash)
        | ((word &- everyByte(0x20)) & ~word)
    return found & everyByte(0x80)
}

extension JSONReader {
    /// Reads a string value, or refuses another type.
    @inline(__always)
    mutating func string(_ key: StaticString) throws(ParseError) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw wrongType(key) }
        return text(of: try rawString())
    }

    /// Reads a string and keeps only where it is.
    mutating func rawString() throws(ParseError) -> RawString {
        try expect(UInt8(ascii: "\""))
        var raw = RawString(start: position, end: position, hasEscapes: false, isASCII: true)
        while true {
            skipPlainASCII()
            guard position < count else { throw error(.unexpectedEnd) }
            let byte = unsafe bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                raw.end = position
                position += 1
                return raw
            case UInt8(ascii: "\\"):
                raw.hasEscapes = true
                _ = try escapedScalar()
            case 0x80...:
                raw.isASCII = false
                try skipMultibyte()
            case 0x20...:
                position += 1
            default:
                throw error(.unexpectedByte(byte))
            }
        }
    }

    /// Moves over eight bytes at a time, to the first byte that is not plain ASCII or to the last few bytes.
    @inline(__always)
    private mutating func skipPlainASCII() {
        guard let base = unsafe UnsafeRawPointer(bytes.baseAddress) else { return }
        while position &+ 8 <= count {
            let word = UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let found = bytesNeedingCare(word) | (word & everyByte(0x80))
            guard found == 0 else {
                position &+= found.trailingZeroBitCount >> 3
                return
            }
            position &+= 8
        }
    }

    /// Moves over characters of two to four bytes; refuses what The Unicode Standard, table 3-7, does not list.
    private mutating func skipMultibyte() throws(ParseError) {
        while position < count {
            let lead = unsafe bytes[position]
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0..<0x80: return
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            case 0xF1...0xF3: length = 4
            default: throw error(.invalidUTF8)
            }
            guard position + length <= count else { throw error(.invalidUTF8) }
            guard second.contains(unsafe bytes[position + 1]) else { throw error(.invalidUTF8) }
            for offset in 2..<max(length, 2) {
                guard unsafe bytes[position + offset] & 0xC0 == 0x80 else { throw error(.invalidUTF8) }
            }
            position += length
        }
    }

    /// Reads one escape, with both halves of a surrogate pair; a half alone is refused.
    private mutating func escapedScalar() throws(ParseError) -> Unicode.Scalar {
        let start = position
        let first = try escapedUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, peek() == UInt8(ascii: "\\") else { throw ParseError(.invalidEscape, at: start) }
        let second = try escapedUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw ParseError(.invalidEscape, at: start) }
        return scalar
    }

    /// Reads one escape as a UTF-16 code unit.
    private mutating func escapedUnit() throws(ParseError) -> UInt32 {
        let start = position
        guard position + 1 < count else { throw ParseError(.unexpectedEnd, at: count) }
        let letter = unsafe bytes[position + 1]
        position += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(letter)
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"): break
        default: throw ParseError(.invalidEscape, at: start)
        }
        guard position + 4 <= count else { throw ParseError(.unexpectedEnd, at: count) }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            // JSON allows both cases here: 0x20 makes a letter lowercase and leaves a digit as it is.
            guard let digit = unsafe hexValue(bytes[position] | 0x20) else {
                throw ParseError(.invalidEscape, at: start)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    /// The text of a string that was read.
    @inline(__always)
    func text(of raw: RawString) -> String {
        if raw.hasEscapes { return unescapedText(of: raw) }
        let extent = unsafe UnsafeBufferPointer(rebasing: bytes[raw.start..<raw.end])
        // Unchecked: `rawString` has just checked exactly these bytes.
        return String(copying: unsafe UTF8Span(unchecked: extent.span, isKnownASCII: raw.isASCII))
    }

    private func unescapedText(of raw: RawString) -> String {
        // An escape is never shorter than what it stands for, so the text fits in its own length.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { out in
            var reader = self
            reader.position = raw.start
            var length = 0
            while reader.position < raw.end {
                let byte = unsafe bytes[reader.position]
                if byte != UInt8(ascii: "\\") {
                    unsafe out[length] = byte
                    length += 1
                    reader.position += 1
                } else {
                    // No reason to fail: `rawString` has read the same escapes before. The loop ends either way.
                    guard let scalar = try? reader.escapedScalar() else { break }
                    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                        unsafe out[length] = unit
                        length += 1
                    }
                }
            }
            // Unchecked: plain bytes were checked by `rawString`, the others come from scalars.
            return unsafe String(
                copying: UTF8Span(unchecked: Span(_unsafeElements: UnsafeBufferPointer(out)).extracting(..<length)))
        }
    }

    /// Whether a key is exactly this ASCII word; escapes in a key count as what they stand for.
    @inline(__always)
    func key(_ raw: RawString, is word: StaticString) -> Bool {
        if raw.hasEscapes { return text(of: raw) == "\(word)" }
        let length = word.utf8CodeUnitCount
        guard raw.count == length else { return false }
        for i in 0..<length where unsafe bytes[raw.start + i] != word.utf8Start[i] { return false }
        return true
    }
}
