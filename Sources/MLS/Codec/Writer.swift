/// Writes structures as bytes.
///
/// Source: RFC 9420 §2.1.
public struct Writer {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }

    /// The length of a vector in its shortest form.
    ///
    /// Source: RFC 9420 §2.1.2. The largest is 2^30 - 1; longer vectors are our own bug.
    mutating func length(_ count: Int) {
        switch count {
        case 0..<0x40: integer(UInt8(count))
        case 0x40..<0x4000: integer(UInt16(count) | 0x4000)
        default:
            precondition(count < 1 << 30, "a vector of 2^30 bytes or more has no encoding")
            integer(UInt32(count) | 0x8000_0000)
        }
    }

    package mutating func fixed(_ value: [UInt8]) { bytes += value }

    /// `opaque value<V>`.
    package mutating func opaque(_ value: [UInt8]) {
        length(value.count)
        bytes += value
    }

    /// `T values<V>`.
    package mutating func vector<Value>(_ values: [Value], _ one: (inout Writer, Value) -> Void) {
        var inner = Writer()
        for value in values { one(&inner, value) }
        opaque(inner.bytes)
    }

    mutating func vector<Value: MLSCodable>(_ values: [Value]) {
        vector(values) { $1.write(to: &$0) }
    }

    /// `optional<T>`.
    mutating func optional<Value: MLSCodable>(_ value: Value?) {
        integer(UInt8(value == nil ? 0 : 1))
        value?.write(to: &self)
    }
}
