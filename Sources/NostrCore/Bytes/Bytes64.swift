/// 64 bytes held inline: a signature.
///
/// Shape: exactly 64 bytes; no allocation.
public struct Bytes64: Hashable, Sendable {
    private var storage: InlineArray<64, UInt8>

    /// Copies exactly 64 bytes.
    ///
    /// - Throws: ``HexError/wrongLength(expected:got:)`` in bytes.
    public init(_ bytes: Span<UInt8>) throws(HexError) {
        guard bytes.count == 64 else { throw .wrongLength(expected: 64, got: bytes.count) }
        storage = InlineArray { bytes[$0] }
    }

    /// The bytes as an array of 64.
    public var array: [UInt8] {
        (0..<64).map { storage[$0] }
    }

    /// 128 lowercase hex characters.
    public var hex: String {
        withSpan { encodeHex($0) }
    }

    /// Lends the bytes without copying.
    public func withSpan<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(storage.span)
    }

    public static func == (a: Bytes64, b: Bytes64) -> Bool {
        for i in 0..<64 where a.storage[i] != b.storage[i] { return false }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        for i in 0..<64 { hasher.combine(storage[i]) }
    }
}
