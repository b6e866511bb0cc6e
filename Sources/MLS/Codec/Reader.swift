/// How much a decoder accepts, and which proposal types beyond RFC 9420 it can read.
public struct CodecOptions: Sendable {
    /// The longest single vector, in bytes.
    public var maximumVectorLength = 1 << 24
    /// How many vectors may contain each other.
    public var maximumDepth = 16
    /// How many nodes a ratchet tree may have; a blank one is a single byte on the wire.
    public var maximumTreeNodes = 1 << 17
    /// Proposal types outside RFC 9420, and what is to be known of them; any other is refused, as its end is unknown.
    public var customProposals: [ProposalType: CustomProposal] = [.selfRemove: .selfRemove]

    /// The options most callers want.
    public init() {}
}

/// Reads structures from bytes; never reads past the end.
///
/// Source: RFC 9420 §2.1.
public struct Reader {
    private let bytes: [UInt8]
    private var position = 0
    private var end: Int
    private var depth = 0
    let options: CodecOptions

    package init(_ bytes: [UInt8], options: CodecOptions = CodecOptions()) {
        self.bytes = bytes
        end = bytes.count
        self.options = options
    }

    package var isAtEnd: Bool { position == end }

    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _: Value.Type = Value.self
    ) throws(MLSError) -> Value {
        let size = Value.bitWidth / 8
        guard end - position >= size else { throw MLSError(.malformed, "bytes end inside an integer") }
        var value: Value = 0
        for _ in 0..<size {
            value = Value(truncatingIfNeeded: UInt64(value) << 8 | UInt64(bytes[position]))
            position += 1
        }
        return value
    }

    /// The length of a vector: 1, 2 or 4 bytes, in the shortest form.
    ///
    /// Source: RFC 9420 §2.1.2.
    mutating func length() throws(MLSError) -> Int {
        let first: UInt8 = try integer()
        let prefix = first >> 6
        guard prefix < 3 else { throw MLSError(.malformed, "a length prefix of 3 is reserved") }
        var value = Int(first & 0x3f)
        for _ in 1..<(1 << prefix) { value = value << 8 | Int(try integer(UInt8.self)) }
        guard prefix == 0 || value >= 1 << (8 * (1 << (prefix - 1)) - 2) else {
            throw MLSError(.malformed, "a length is not in its shortest form")
        }
        return value
    }

    package mutating func fixed(_ count: Int) throws(MLSError) -> [UInt8] {
        guard count >= 0, end - position >= count else { throw MLSError(.malformed, "bytes end inside a vector") }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// `opaque value<V>`.
    package mutating func opaque() throws(MLSError) -> [UInt8] { try fixed(boundedLength()) }

    /// `T values<V>`.
    package mutating func vector<Value>(
        _ one: (inout Reader) throws(MLSError) -> Value
    ) throws(MLSError) -> [Value] {
        let count = try boundedLength()
        guard end - position >= count else { throw MLSError(.malformed, "bytes end inside a vector") }
        guard depth < options.maximumDepth else { throw MLSError(.limitExceeded, "vectors are nested too deeply") }
        let outerEnd = end
        end = position + count
        depth += 1
        var values: [Value] = []
        while !isAtEnd { values.append(try one(&self)) }
        end = outerEnd
        depth -= 1
        return values
    }

    package mutating func vector<Value: MLSCodable>(of _: Value.Type = Value.self) throws(MLSError) -> [Value] {
        try vector { (reader) throws(MLSError) in try Value(from: &reader) }
    }

    /// `optional<T>`.
    mutating func optional<Value: MLSCodable>(_: Value.Type = Value.self) throws(MLSError) -> Value? {
        switch try integer(UInt8.self) {
        case 0: nil
        case 1: try Value(from: &self)
        default: throw MLSError(.malformed, "an optional is neither absent nor present")
        }
    }

    /// Every byte that is left.
    package mutating func rest() throws(MLSError) -> [UInt8] { try fixed(end - position) }

    private mutating func boundedLength() throws(MLSError) -> Int {
        let count = try length()
        guard count <= options.maximumVectorLength else { throw MLSError(.limitExceeded, "a vector is too long") }
        return count
    }
}
