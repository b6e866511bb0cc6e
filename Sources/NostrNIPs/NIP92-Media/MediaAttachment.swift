public import NostrCore

/// What an author says of a file that an event shows: an `imeta` tag.
///
/// Nothing in it is proven: a size may be wrong, and an address may lead nowhere. Source: NIP-92, with the fields of NIP-94,
/// and of NIP-71 for films and sounds: one property for each field.
public struct MediaAttachment: Hashable, Sendable {
    /// The name of the tag.
    public static let tagName = "imeta"
    /// How many files of an event are read.
    public static let most = 64
    /// How many tags of an event are looked at for files.
    public static let mostTags = 256

    /// Where the file lies (`url`).
    public var url: String
    /// What sort of file it is (`m`), lowercase.
    public var type: String?
    /// How large it is on a screen (`dim`).
    public var dimensions: PixelSize?
    /// What it looks like from far away (`blurhash`); see ``BlurHash``.
    public var blurhash: String?
    /// The same in another code (`thumbhash`), Base64; see ``ThumbHash``.
    public var thumbhash: String?
    /// What can be seen or heard, for those who cannot (`alt`).
    public var description: String?
    /// The SHA-256 of the file (`x`): 64 lowercase hex characters.
    public var hash: String?
    /// The SHA-256 of the file before a server changed it (`ox`), likewise.
    public var originalHash: String?
    /// How long the file is (`size`), in bytes.
    public var byteCount: Int64?
    /// Pictures that stand for it (`image`), the first that is there.
    public var previews: [String] = []
    /// Small pictures that stand for it (`thumb`), likewise.
    public var thumbnails: [String] = []
    /// Where else the file lies (`fallback`); as good as ``url``.
    public var fallbacks: [String] = []
    /// How long it plays (`duration`).
    public var duration: Duration?
    /// How many bits a second of it takes (`bitrate`).
    public var bitrate: Int64?
    /// How loud a sound is over time (`waveform`), 0 to 100.
    public var waveform: [Int] = []
    /// The language of a sound (`l`), such as `en`.
    public var language: String?
    /// Whether that is the language it was made in (`ov`).
    public var isOriginalLanguage = false
    /// People in the picture (`annotate-user`).
    public var people: [PersonInPicture] = []
    /// Fields that are not read here, as they were written.
    public var otherFields: [String] = []

    /// Somebody in a picture, and where.
    public struct PersonInPicture: Hashable, Sendable {
        /// Who.
        public var person: PublicKey
        /// Dots from the left.
        public var x: Int
        /// Dots from the top.
        public var y: Int

        /// Somebody at a place of a picture.
        public init(person: PublicKey, x: Int, y: Int) {
            self.person = person
            self.x = x
            self.y = y
        }
    }

    /// A file of which only the address is known.
    public init(url: String) {
        self.url = url
    }

    /// The type of a file whose address ends as those of a type do; `nil` where that says nothing.
    public static func type(ofEnding url: String) -> String? {
        guard ContentToken.MediaType(url: url) != nil else { return nil }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.lastIndex(of: ".").flatMap { types[path[path.index(after: $0)...].lowercased()] }
    }

    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "bmp": "image/bmp", "svg": "image/svg+xml", "mp4": "video/mp4", "m4v": "video/mp4",
        "webm": "video/webm", "mov": "video/quicktime", "m3u8": "application/vnd.apple.mpegurl", "mp3": "audio/mpeg",
        "m4a": "audio/mp4", "aac": "audio/aac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
        "wav": "audio/wav", "flac": "audio/flac",
    ]

    /// What it most likely is: by its type, else by the ending of its address.
    public var medium: ContentToken.MediaType? {
        switch type.map({ String($0.prefix { $0 != "/" }) }) ?? "" {
        case "image": .image
        case "video": .video
        case "audio": .audio
        // Lists of pieces of a film have types of applications.
        case "application" where type?.contains("mpegurl") == true: .video
        default: ContentToken.MediaType(url: url)
        }
    }

    /// The addresses it may be loaded from, each once.
    public var addresses: [String] { ([url] + fallbacks).withoutDuplicates() }

    /// The tag; line breaks in a description become spaces, since programs differ in what they make of them.
    public var tag: Tag {
        var elements = [Self.tagName, "url \(url)"]
        func add(_ key: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            elements.append(key + " " + value.split(whereSeparator: \.isNewline).joined(separator: " "))
        }
        add("m", type)
        add("dim", dimensions?.text)
        add("blurhash", blurhash)
        add("thumbhash", thumbhash)
        add("alt", description)
        add("x", hash)
        add("ox", originalHash)
        add("size", byteCount.map { "\($0)" })
        for preview in previews { add("image", preview) }
        for thumbnail in thumbnails { add("thumb", thumbnail) }
        for fallback in fallbacks { add("fallback", fallback) }
        add("duration", duration.map { "\($0 / Duration.seconds(1))" })
        add("bitrate", bitrate.map { "\($0)" })
        add("waveform", waveform.map { "\($0)" }.joined(separator: " "))
        add("l", language.map { "\($0) ISO-639-1" + (isOriginalLanguage ? " ov" : "") })
        for person in people { add("annotate-user", "\(person.person.hex):\(person.x):\(person.y)") }
        return Tag(elements + otherFields)
    }
}

extension [Tag] {
    /// The files that tags tell of, in order, each address once, the first tag stands; ``MediaAttachment/most`` at most.
    ///
    /// - Parameter text: the text that must name them, as that of a note must; `nil` where the tags are the content.
    public func attachments(in text: String?) -> [MediaAttachment] {
        attachments { text?.contains($0) != false }
    }

    /// The files that tags tell of, likewise, whose address is wanted; ``MediaAttachment/mostTags`` tags are looked at.
    public func attachments(where isWanted: (String) -> Bool) -> [MediaAttachment] {
        var seen: Set<String> = []
        var found: [MediaAttachment] = []
        var left = MediaAttachment.mostTags
        for tag in self where tag.name == MediaAttachment.tagName {
            guard left > 0, found.count < MediaAttachment.most else { break }
            left -= 1
            // The address alone first: reading the rest of a tag costs far more.
            guard let address = MediaAttachment.address(in: tag), !seen.contains(address), isWanted(address),
                let attachment = MediaAttachment(tag)
            else { continue }
            seen.insert(address)
            found.append(attachment)
        }
        return found
    }
}
