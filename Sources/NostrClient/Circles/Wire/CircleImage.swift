internal import NostrNIPs

/// The small picture of a member or of a circle: a JPEG that travels inside a message.
///
/// Shape: at most 16 KiB as Base64, which is 12 288 bytes. Source: Whistle, "AvatarPayload".
public struct CircleImage: Hashable, Sendable {
    /// The most characters of Base64.
    static let longest = 16 * 1024

    /// The file.
    public let jpeg: [UInt8]

    /// Takes a file; nil for one that is no JPEG or too large.
    public init?(jpeg: [UInt8]) {
        guard jpeg.starts(with: [0xFF, 0xD8, 0xFF]), Base64.length(ofBytes: jpeg.count) <= Self.longest else {
            return nil
        }
        self.jpeg = jpeg
    }

    /// Reads what a message holds; line breaks, which some encoders make, are passed over.
    init?(base64 text: String) {
        guard text.utf8.count <= Self.longest + Self.longest / 32 else { return nil }
        guard let bytes = Base64.decode(text.filter { !$0.isNewline }) else { return nil }
        self.init(jpeg: bytes)
    }

    /// The file as a message holds it.
    var base64: String { Base64.encode(jpeg.span) }
}
