/// 32 bytes held inline: an id, a key, a digest.
///
/// Shape: exactly 32 bytes; no allocation. Ordered as unsigned bytes, which is also the order of its lowercase hex.
public struct Bytes32: Hashable, Comparable, Sendable {
    private var storage: InlineArray<32, UInt8>

    /// 32 zero bytes.
    public init() {
        storage = InlineArray(repeating: 0)
    }

    /// Copies exactly 32 bytes.
    ///
    /// - Throws: ``HexError/wrongLength(expected:got:)`` in bytes.
    public init(_ bytes: Span<UInt8>) throws(HexError) {
        guard bytes.count == 32 else { throw .wrongLength(expected: 32, got: bytes.count) }
        storage = InlineArray { bytes[$0] }
    }

    /// The bytes as an array of 32.
    public var array: [UInt8] {
        (0..<32).map { storage[$0] }
    }

    /// 64 lowercase hex characters.
    public var hex: String {
        withSpan { encodeHex($0) }
    }

    /// The byte at an offset of 0..<32.
    public subscript(_ index: Int) -> UInt8 {
        storage[index]
    }

    /// Lends the bytes without copying.
    public func withSpan<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(storage.span)
    }

    public static func == (a: Bytes32, b: Bytes32) -> Bool {
        for i in 0..<32 where a.storage[i] != b.storage[i] { return false }
        return true
    }

    public static func < (a: Bytes32, b: Bytes32) -> Bool {
        for i in 0..<32 where a.storage[i] != b.storage[i] { return a.storage[i] < b.storage[i] }
        return false
    }

    public func hash(into hasher: inout Hasher) {
        for i in 0..<32 { hasher.combine(storage[i]) }
    }
}
