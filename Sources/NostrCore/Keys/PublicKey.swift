/// A person's or an app's public key: the x coordinate of a point on secp256k1.
///
/// Shape: 32 bytes; on the wire 64 lowercase hex characters. Any 32 bytes parse; whether they lie on the curve shows
/// when a signature is checked. Source: NIP-01, BIP-340.
public struct PublicKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The x coordinate, big endian.
    public let bytes: Bytes32

    /// The x coordinate as it stands; nothing is checked.
    public init(_ bytes: Bytes32) {
        self.bytes = bytes
    }

    /// Parses the wire form.
    ///
    /// - Throws: ``HexError`` unless the text is exactly 64 characters of `0-9a-f`.
    public init(hex: String) throws(HexError) {
        let decoded = try decodeHex(hex, byteCount: 32)
        bytes = try Bytes32(decoded.span)
    }

    /// 64 lowercase hex characters.
    public var hex: String { bytes.hex }

    public var description: String { hex }

    public static func < (a: PublicKey, b: PublicKey) -> Bool { a.bytes < b.bytes }
}
