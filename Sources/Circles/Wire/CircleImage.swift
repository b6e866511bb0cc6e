internal import NostrClient
internal import NostrNIPs

/// The small picture of a member or of a circle: a JPEG that travels inside a message.
///
/// Shape: at most 16 KiB as Base64, which is 12 288 bytes; 1 to 512 pixels each way. What is not the picture
/// itself, such as the place where a photo was taken, is not in it. Source: Whistle, "AvatarPayload".
public struct CircleImage: Hashable, Sendable {
    /// The most characters of Base64.
    static let longest = 16 * 1024
    /// The most bytes of a file.
    public static let most = longest / 4 * 3
    /// The most pixels each way of what others send: a small file may say that it is enormous.
    static let widest = 512
    /// The most pixels each way of what we send, as Whistle does.
    public static let side = 128
    /// The largest file that is looked at before it is made plain.
    public static let mostUnread = 256 * 1024

    /// The file.
    public let jpeg: [UInt8]
    /// Unit: pixels.
    public let width: Int
    /// Unit: pixels.
    public let height: Int

    /// Reads a file as it came, without its notes; nil for one that is no JPEG or too large.
    public init?(jpeg: [UInt8]) {
        // What is wrong with the picture of another is of no use to anybody.
        guard jpeg.count <= Self.mostUnread, let plain = try? PlainJPEG(jpeg),
            plain.bytes.count <= Self.most, max(plain.width, plain.height) <= Self.widest
        else { return nil }
        (self.jpeg, width, height) = (plain.bytes, plain.width, plain.height)
    }

    /// Takes a file that a person chose for others to see.
    ///
    /// - Throws: ``CircleImageError`` that says what is wrong with it.
    public init(chosen file: [UInt8]) throws(CircleImageError) {
        guard file.count <= Self.mostUnread else { throw .tooLarge }
        let plain: PlainJPEG
        do { plain = try PlainJPEG(file) } catch { throw error == .notJPEG ? .notJPEG : .damaged }
        guard plain.bytes.count <= Self.most, max(plain.width, plain.height) <= Self.side else { throw .tooLarge }
        (jpeg, width, height) = (plain.bytes, plain.width, plain.height)
    }

    /// Reads what a message holds; line breaks, which some encoders make, are passed over.
    init?(base64 text: String) {
        guard text.utf8.count <= Self.longest + Self.longest / 32 else { return nil }
        let letters = text.filter { !$0.isNewline }
        guard letters.utf8.count <= Self.longest, let bytes = Base64.decode(letters) else { return nil }
        self.init(jpeg: bytes)
    }

    /// The file as a message holds it.
    var base64: String { Base64.encode(jpeg.span) }
}

/// Why a file is no picture for a circle.
public enum CircleImageError: Error, Equatable, Sendable {
    /// It is no JPEG.
    case notJPEG
    /// It cannot be read.
    case damaged
    /// It has too many bytes or pixels.
    case tooLarge
}
