internal import Crypto
public import NostrCore

/// The name of a blob: the SHA-256 of its bytes.
///
/// Shape: 32 bytes; on the wire 64 lowercase hex characters. Source: BUD-00, BUD-01.
public struct BlobHash: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The digest.
    public let bytes: Bytes32

    /// A digest that was computed elsewhere; nothing shows that a blob has it.
    public init(_ bytes: Bytes32) {
        self.bytes = bytes
    }

    /// Parses the wire form; `nil` for anything but 64 characters of `0-9a-f`.
    public init?(hex: some StringProtocol) {
        // Why it is no hash matters to nobody: it then names no blob.
        guard let decoded = try? decodeHex(String(hex), byteCount: 32) else { return nil }
        self.init(digest: decoded)
    }

    /// The same as bytes; `nil` unless there are 32.
    public init?(digest: [UInt8]) {
        guard let bytes = try? Bytes32(digest.span) else { return nil }
        self.init(bytes)
    }

    /// The name of some bytes.
    public init(of content: [UInt8]) {
        guard let hash = BlobHash(digest: Array(SHA256.hash(data: content))) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        self = hash
    }

    /// 64 lowercase hex characters.
    public var hex: String { bytes.hex }

    public var description: String { hex }

    public static func < (a: BlobHash, b: BlobHash) -> Bool { a.bytes < b.bytes }
}
