/// 32 bytes held inline: an id, a key, a digest.
///
/// Shape: exactly 32 bytes; no allocation. Ordered as unsigned bytes, which is also the order of its lowercase hex.
public struct Bytes32: Hashable, Comparable, Sendable {
    // Four big-endian words: comparing and hashing words is several times faster than comparing and hashing bytes.
    private var words: InlineArray<4, UInt64>

    /// 32 zero bytes.
    public init() {
        words = InlineArray(repeating: 0)
    }

    /// Copies exactly 32 bytes.
    ///
    /// - Throws: ``HexError/wrongLength(expected:got:)`` in bytes.
    public init(_ bytes: Span<UInt8>) throws(HexError) {
        guard bytes.count == 32 else { throw .wrongLength(expected: 32, got: bytes.count) }
        words = InlineArray { wordOfEight(of: bytes, at: 8 * $0) }
    }

    /// Takes the bytes as big-endian words.
    @inline(__always)
    init(bigEndianWords a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        words = [a, b, c, d]
    }

    /// Eight of the bytes as a big-endian number; the index is 0..<4.
    @inline(__always)
    package func bigEndianWord(_ index: Int) -> UInt64 {
        words[index]
    }

    /// The bytes as an array of 32.
    public var array: [UInt8] {
        (0..<32).map { self[$0] }
    }

    /// 64 lowercase hex characters.
    public var hex: String {
        hexText(ofWords: 4) { words[$0] }
    }

    /// The byte at an offset of 0..<32.
    public subscript(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: words[index >> 3] >> (56 - 8 * UInt64(index & 7)))
    }

    /// Lends the bytes without allocating.
    public func withSpan<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        let bytes = InlineArray<32, UInt8> { self[$0] }
        return try body(bytes.span)
    }

    public static func == (a: Bytes32, b: Bytes32) -> Bool {
        (a.words[0] ^ b.words[0]) | (a.words[1] ^ b.words[1]) | (a.words[2] ^ b.words[2])
            | (a.words[3] ^ b.words[3]) == 0
    }

    public static func < (a: Bytes32, b: Bytes32) -> Bool {
        for i in 0..<4 where a.words[i] != b.words[i] { return a.words[i] < b.words[i] }
        return false
    }

    // All four words: claimed ids and keys are free to share any part, so hashing a part would let a relay slow us.
    public func hash(into hasher: inout Hasher) {
        for i in 0..<4 { hasher.combine(words[i]) }
    }
}

/// Eight bytes as a big-endian number.
@inline(__always)
func wordOfEight(of bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for i in 0..<8 { word = word << 8 | UInt64(bytes[offset + i]) }
    return word
}

/// Lowercase hex of big-endian words.
@inline(__always)
func hexText(ofWords count: Int, _ word: (Int) -> UInt64) -> String {
    unsafe String(unsafeUninitializedCapacity: 16 * count) { out in
        let text = UnsafeMutableRawBufferPointer(out)
        for i in 0..<count {
            let high = hexDigits(of: UInt32(truncatingIfNeeded: word(i) >> 32)).bigEndian
            let low = hexDigits(of: UInt32(truncatingIfNeeded: word(i))).bigEndian
            unsafe text.storeBytes(of: high, toByteOffset: 16 * i, as: UInt64.self)
            unsafe text.storeBytes(of: low, toByteOffset: 16 * i + 8, as: UInt64.self)
        }
        return 16 * count
    }
}
