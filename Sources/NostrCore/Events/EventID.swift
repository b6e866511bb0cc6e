/// The identity of an event: SHA-256 of its canonical serialisation.
///
/// Shape: 32 bytes; on the wire 64 lowercase hex characters. Source: NIP-01.
public struct EventID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The digest.
    public let bytes: Bytes32

    /// Any 32 bytes are an id; only verifying an event shows whether it is the hash of that event.
    public init(_ bytes: Bytes32) {
        self.bytes = bytes
    }

    /// Parses the wire form.
    ///
    /// - Parameter hex: exactly 64 characters of `0-9a-f`; uppercase is refused, as NIP-01 asks.
    /// - Throws: ``HexError``.
    public init(hex: String) throws(HexError) {
        let decoded = try decodeHex(hex, byteCount: 32)
        bytes = try Bytes32(decoded.span)
    }

    /// 64 lowercase hex characters.
    public var hex: String { bytes.hex }

    public var description: String { hex }

    public static func < (a: EventID, b: EventID) -> Bool { a.bytes < b.bytes }
}
