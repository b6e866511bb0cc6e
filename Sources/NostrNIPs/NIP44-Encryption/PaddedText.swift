/// How NIP-44 hides the length of a text.
///
/// Shape: the length (two bytes; from 65 536 on two zero bytes and four bytes), the text, zeros. All arithmetic is on
/// 64 bits, since padded lengths reach 2^32.
enum PaddedText {
    /// The first length that takes the extended form.
    static let extendedThreshold = 65_536

    /// How long a text of `length` bytes is with its zeros, without the prefix.
    ///
    /// - Parameter length: 1...2^32 - 1.
    static func paddedLength(_ length: Int) -> Int {
        guard length > 32 else { return 32 }
        let nextPower = 1 << (Int.bitWidth - (length - 1).leadingZeroBitCount)
        let chunk = max(32, nextPower / 8)
        return chunk * ((length - 1) / chunk + 1)
    }

    /// How long the prefix of a text of `length` bytes is.
    static func prefixLength(_ length: Int) -> Int { length < extendedThreshold ? 2 : 6 }

    /// The text with prefix and zeros.
    ///
    /// - Parameter text: 1...2^32 - 1 bytes, as the caller has checked.
    static func pad(_ text: String.UTF8View) -> [UInt8] {
        let length = text.count
        let total = prefixLength(length) + paddedLength(length)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(total)
        if length < extendedThreshold {
            bytes += [UInt8(length >> 8), UInt8(length & 255)]
        } else {
            bytes += [0, 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        }
        bytes += text
        bytes += repeatElement(0, count: total - bytes.count)
        return bytes
    }

    /// Where the text stands in padded bytes.
    ///
    /// The value of the zeros is not looked at, as no reader of the format does: the code vouches for them.
    ///
    /// - Throws: ``PayloadError/invalidPadding`` unless the length fits the whole exactly.
    static func text(in padded: [UInt8]) throws(PayloadError) -> Range<Int> {
        guard padded.count >= 34 else { throw .invalidPadding }
        var length = Int(padded[0]) << 8 | Int(padded[1])
        var start = 2
        if length == 0 {
            length = padded[2..<6].reduce(0) { $0 << 8 | Int($1) }
            guard length >= extendedThreshold else { throw .invalidPadding }
            start = 6
        }
        guard length <= padded.count - start, padded.count == start + paddedLength(length) else {
            throw .invalidPadding
        }
        return start..<start + length
    }
}
