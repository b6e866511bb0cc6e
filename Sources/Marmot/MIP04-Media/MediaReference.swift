public import NostrCore
internal import NostrNIPs

/// An encrypted file that a message of a group names: an `imeta` tag.
///
/// Source: MIP-04, version `mip04-v2`; NIP-92.
public struct MediaReference: Hashable, Sendable {
    /// Where the encrypted file is.
    public var url: String
    /// What it is, lowercase and without parameters.
    public let type: String
    /// What it is called.
    public let filename: String
    /// SHA-256 of the file before encryption.
    public let hash: Bytes32
    /// 12 bytes.
    public let nonce: [UInt8]
    /// Width and height, as `<width>x<height>`.
    public var dimensions: String?
    /// What to show while it loads.
    public var blurhash: String?
    /// What to show while it loads, in another form.
    public var thumbhash: String?

    /// The longest name of a file, in bytes.
    public static let longestFilename = 210
    /// The largest file, in bytes.
    public static let largestFile = 100 * 1024 * 1024
    static let version = "mip04-v2"

    init(url: String, type: String, filename: String, hash: Bytes32, nonce: [UInt8]) {
        (self.url, self.type, self.filename, self.hash, self.nonce) = (url, type, filename, hash, nonce)
    }

    /// Reads an `imeta` tag; nil if it names no file of a group at all.
    ///
    /// - Throws: `unsupported` for another version, `badTag` for a field that is missing or malformed.
    public init?(_ tag: Tag) throws(MarmotError) {
        guard tag.name == "imeta" else { return nil }
        var fields: [String: String] = [:]
        for element in tag.elements.dropFirst() {
            guard let space = element.firstIndex(of: " ") else { continue }
            let name = String(element[..<space])
            if fields[name] == nil { fields[name] = String(element[element.index(after: space)...]) }
        }
        guard let version = fields["v"], version.hasPrefix("mip04-") else { return nil }
        guard version == Self.version else { throw MarmotError(.unsupported, "The file is of another version.") }
        guard let url = fields["url"], let nonce = fields["n"].flatMap({ try? decodeHex($0, byteCount: 12) }),
            // A hash has the form of an id.
            let hash = fields["x"].flatMap({ try? EventID(hex: $0) })
        else { throw MarmotError(.badTag, "The file has no address, hash or nonce.") }
        self.init(
            url: url, type: try Self.canonical(type: fields["m"] ?? ""),
            filename: try Self.checked(filename: fields["filename"] ?? ""), hash: hash.bytes, nonce: nonce)
        (dimensions, blurhash, thumbhash) = (fields["dim"], fields["blurhash"], fields["thumbhash"])
    }

    /// The reference as a tag, for the message that names the file.
    public var tag: Tag {
        var elements = ["imeta", "url \(url)", "m \(type)", "filename \(filename)"]
        if let dimensions { elements.append("dim \(dimensions)") }
        if let blurhash { elements.append("blurhash \(blurhash)") }
        if let thumbhash { elements.append("thumbhash \(thumbhash)") }
        return Tag(elements + ["x \(hash.hex)", "n \(encodeHex(nonce))", "v \(Self.version)"])
    }

    /// A type in lowercase and without parameters, if MDK takes it.
    ///
    /// - Throws: `unsupported`; send such a file as `application/octet-stream`.
    static func canonical(type: String) throws(MarmotError) -> String {
        let bare = type.prefix { $0 != ";" }.lowercased()
        let canonical = String(bare.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        guard types.contains(canonical) else { throw MarmotError(.unsupported, "Files of this type are not taken.") }
        return canonical
    }

    /// A name that is bounded and cannot be taken for two fields.
    ///
    /// - Throws: `badTag` for an empty name or one with control characters, `tooLarge`.
    static func checked(filename: String) throws(MarmotError) -> String {
        guard !filename.isEmpty, filename.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw MarmotError(.badTag, "The name of the file is empty or has control characters.")
        }
        guard filename.utf8.count <= longestFilename else {
            throw MarmotError(.tooLarge, "The name of the file is too long.")
        }
        return filename
    }

    private static let types: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/x-icon", "image/tiff",
        "image/x-farbfeld", "image/avif", "image/qoi", "video/mp4", "video/quicktime", "video/x-matroska",
        "video/webm", "video/x-msvideo", "video/ogg", "audio/ogg", "audio/flac", "audio/x-flac", "audio/aac",
        "audio/mp4", "audio/webm", "audio/mpeg", "audio/wav", "audio/x-matroska", "application/pdf", "text/plain",
        "application/octet-stream",
    ]
}
