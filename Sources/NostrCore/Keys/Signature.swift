/// A Schnorr signature over an event id.
///
/// Shape: 64 bytes, `r ‖ s`; on the wire 128 lowercase hex characters. Source: NIP-01, BIP-340.
public struct Signature: Hashable, Sendable {
    /// The 64 bytes.
    public let bytes: Bytes64

    /// Any 64 bytes: whether they sign anything is said by verification alone.
    public init(_ bytes: Bytes64) {
        self.bytes = bytes
    }

    /// Parses the wire form.
    ///
    /// - Throws: ``HexError`` unless the text is exactly 128 characters of `0-9a-f`.
    public init(hex: String) throws(HexError) {
        let decoded = try decodeHex(hex, byteCount: 64)
        bytes = try Bytes64(decoded.span)
    }

    /// 128 lowercase hex characters.
    public var hex: String { bytes.hex }
}
