public import NostrCore

/// A file with what its author says of it, as an event of its own: kind 1063.
///
/// Nothing in it is proven. Torrents (`magnet`, `i`) and `service` are not read. Source: NIP-94.
public struct FileMetadata: Hashable, Sendable {
    /// The kind of such an event.
    public static let kind: Kind = 1063
    /// The type of moving pictures that are looked for by it.
    public static let gifType = "image/gif"
    private static let fields: Set<String> = [
        "url", "m", "x", "ox", "size", "dim", "blurhash", "thumb", "image", "alt", "fallback", "duration",
    ]
    private static let mostTopics = 32

    /// Where the file lies, and what it is.
    public let file: MediaAttachment
    /// What is said about it; may be empty.
    public let text: String
    /// An excerpt, or a few words.
    public let summary: String?
    /// The topics it is filed under (`t`), lowercase.
    public let topics: [String]

    /// Reads an event; `nil` for another kind, and for one without an address.
    ///
    /// Of a tag that can be there once the first that makes sense stands, as in an `imeta` tag, whose fields these are.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        var elements = [MediaAttachment.tagName]
        for tag in event.tags.prefix(256) {
            guard let name = tag.name, Self.fields.contains(name), let value = tag.text(at: 1) else { continue }
            elements.append("\(name) \(value)")
        }
        guard let file = MediaAttachment(Tag(elements)) else { return nil }
        self.file = file
        text = event.content
        summary = event.tags.first { $0.name == "summary" && $0.text(at: 1) != nil }?.text(at: 1)
        topics = Array(
            event.tags.lazy.filter { $0.name == "t" }.compactMap { $0.text(at: 1)?.lowercased() }
                .prefix(Self.mostTopics)
        ).withoutDuplicates()
    }

    /// Whether it is a moving picture of the old sort: by its type, else by the ending of its address.
    public var isGIF: Bool {
        guard let type = file.type else { return MediaAttachment.type(ofEnding: file.url) == Self.gifType }
        return String(type.prefix { $0 != ";" && !$0.isWhitespace }) == Self.gifType
    }

    /// An event to be published.
    ///
    /// - Parameter topics: what it is filed under.
    public static func draft(
        _ file: MediaAttachment, text: String, summary: String? = nil, topics: [String] = [], createdAt: Timestamp
    ) -> EventDraft {
        var tags: [Tag] = [["url", file.url]]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { tags.append([name, value]) }
        }
        add("m", file.type)
        add("x", file.hash)
        add("ox", file.originalHash ?? file.hash)
        add("size", file.byteCount.map { "\($0)" })
        add("dim", file.dimensions?.text)
        add("blurhash", file.blurhash)
        for thumbnail in file.thumbnails { add("thumb", thumbnail) }
        for preview in file.previews { add("image", preview) }
        add("summary", summary)
        add("alt", file.description)
        for fallback in file.fallbacks { add("fallback", fallback) }
        for topic in topics { add("t", topic) }
        return EventDraft(kind: kind, tags: tags, content: text, createdAt: createdAt)
    }
}
