/// A structure of RFC 9420 with its one encoding.
public protocol MLSCodable {
    /// Reads one value and leaves the reader behind it.
    init(from reader: inout Reader) throws(MLSError)
    /// Appends the value.
    func write(to writer: inout Writer)
}

extension MLSCodable {
    /// Parses bytes that hold exactly one value.
    ///
    /// - Throws: ``MLSError`` with the code `malformed`, `limitExceeded` or `trailingBytes`.
    public init(bytes: [UInt8], options: CodecOptions = CodecOptions()) throws(MLSError) {
        var reader = Reader(bytes, options: options)
        self = try Self(from: &reader)
        guard reader.isAtEnd else { throw MLSError(.trailingBytes, "\(Self.self)") }
    }

    /// The bytes of the value.
    public var encoded: [UInt8] {
        var writer = Writer()
        write(to: &writer)
        return writer.bytes
    }
}

/// A structure that is one `opaque value<V>` under a name.
public protocol OpaqueValue: MLSCodable, Hashable, Sendable {
    /// The content of the vector.
    var bytes: [UInt8] { get }
    /// Wraps bytes.
    init(_ bytes: [UInt8])
}

extension OpaqueValue {
    /// Reads the vector.
    public init(from reader: inout Reader) throws(MLSError) { self.init(try reader.opaque()) }
    /// Appends the vector.
    public func write(to writer: inout Writer) { writer.opaque(bytes) }
}

/// A number with names for some of its values.
public protocol NamedNumber: MLSCodable, RawRepresentable, Hashable, Sendable
where RawValue: FixedWidthInteger & UnsignedInteger {
    /// Every number is a value.
    init(rawValue: RawValue)
}

extension NamedNumber {
    /// Reads the number; unknown ones are kept.
    public init(from reader: inout Reader) throws(MLSError) { self.init(rawValue: try reader.integer()) }
    /// Appends the number.
    public func write(to writer: inout Writer) { writer.integer(rawValue) }
}
