internal import NostrCore

/// A circle: the id of its group for MLS, which relays never see.
///
/// Shape: 1 to 64 bytes.
public struct CircleID: Hashable, Sendable {
    /// The id.
    public let bytes: [UInt8]

    /// An id as MLS has it; nil unless it has 1 to 64 bytes.
    public init?(_ bytes: [UInt8]) {
        guard (1...64).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads hex digits, in either case; nil for anything else.
    public init?(hex text: String) {
        // What is no hex is no id; callers have no use for the place of the wrong digit.
        guard text.utf8.count <= 128, let bytes = try? decodeHex(text.lowercased(), byteCount: text.utf8.count / 2)
        else { return nil }
        self.init(bytes)
    }

    /// The id in hex digits.
    public var hex: String { encodeHex(bytes) }
}
