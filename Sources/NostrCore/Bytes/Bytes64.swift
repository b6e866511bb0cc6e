/// 64 bytes held inline: a signature.
///
/// Shape: exactly 64 bytes; no allocation.
public struct Bytes64: Hashable, Sendable {
    private var words: InlineArray<8, UInt64>

    /// Copies exactly 64 bytes.
    ///
    /// - Throws: ``HexError/wrongLength(expected:got:)`` in bytes.
    public init(_ bytes: Span<UInt8>) throws(HexError) {
        guard bytes.count == 64 else { throw .wrongLength(expected: 64, got: bytes.count) }
        words = InlineArray { wordOfEight(of: bytes, at: 8 * $0) }
    }

    /// Takes the bytes as big-endian words.
    @inline(__always)
    init(bigEndianWords: InlineArray<8, UInt64>) {
        words = bigEndianWords
    }

    /// Eight of the bytes as a big-endian number; the index is 0..<8.
    @inline(__always)
    func bigEndianWord(_ index: Int) -> UInt64 {
        words[index]
    }

    /// The bytes as an array of 64.
    public var array: [UInt8] {
        (0..<64).map { self[$0] }
    }

    /// 128 lowercase hex characters.
    public var hex: String {
        hexText(ofWords: 8) { words[$0] }
    }

    /// The byte at an offset of 0..<64.
    public subscript(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: words[index >> 3] >> (56 - 8 * UInt64(index & 7)))
    }

    /// Lends the bytes without allocating.
    public func withSpan<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        let bytes = InlineArray<64, UInt8> { self[$0] }
        return try body(bytes.span)
    }

    public static func == (a: Bytes64, b: Bytes64) -> Bool {
        for i in 0..<8 where a.words[i] != b.words[i] { return false }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        for i in 0..<8 { hasher.combine(words[i]) }
    }
}
