public import NostrCore

/// A film: kinds 21 and 22, and 34235 and 34236, which can be changed later.
///
/// Source: NIP-71.
public struct VideoPost: Hashable, Sendable {
    /// A film.
    public static let kind: Kind = 21
    /// A short, mostly upright one.
    public static let shortKind: Kind = 22
    /// A film that can be changed later.
    public static let addressableKind: Kind = 34_235
    /// A short one that can be changed later.
    public static let addressableShortKind: Kind = 34_236
    /// All of them.
    public static let kinds: Set<Kind> = [kind, shortKind, addressableKind, addressableShortKind]

    /// Where its newest version is found; `nil` for one that never changes.
    public let address: EventAddress?
    /// Whether its author calls it short.
    public let isShort: Bool
    /// The title.
    public let title: String?
    /// What it is about.
    public let text: String
    /// What can be seen in it, for those who cannot.
    public let description: String?
    /// When it was first published, as its author says.
    public let publishedAt: Timestamp?
    /// The same film in several sizes and forms, as they were written.
    public let variants: [MediaAttachment]
    /// Sounds of their own, one for each language.
    public let sounds: [MediaAttachment]
    /// How long it plays.
    public let duration: Duration?
    /// Captions, and other texts that go along.
    public let textTracks: [TextTrack]
    /// The parts it has.
    public let segments: [Segment]
    /// Where it was shown first (`origin`).
    public let origin: Origin?
    /// Pages it refers to (`r`).
    public let references: [String]

    /// Where a film was shown before it came to Nostr.
    public struct Origin: Hashable, Sendable {
        /// The platform, as written, such as `youtube`.
        public let platform: String
        /// The address there; it is somebody's text.
        public let address: String?
    }

    /// A text that goes along with a film.
    public struct TextTrack: Hashable, Sendable {
        /// Where the WebVTT file lies, or an event that holds it.
        public let source: String
        /// What sort: captions, subtitles, chapters, metadata; as written.
        public let sort: String?
        /// The language, such as `en`.
        public let language: String?
    }

    /// A part of a film.
    public struct Segment: Hashable, Sendable {
        /// When it begins.
        public let start: Duration
        /// When it ends.
        public let end: Duration?
        /// What it is called.
        public let title: String
    }

    /// Reads an event; `nil` for another kind, and for an addressable one without an address.
    public init?(_ event: Event) {
        guard Self.kinds.contains(event.kind) else { return nil }
        let isAddressable = event.kind.rawValue >= 30_000
        address = isAddressable ? event.address : nil
        guard !isAddressable || address != nil else { return nil }
        isShort = event.kind == Self.shortKind || event.kind == Self.addressableShortKind
        func text(_ name: String) -> String? { event.tags.first { $0.name == name }?.text(at: 1) }
        title = text("title")
        self.text = event.content
        description = text("alt")
        publishedAt = text("published_at").flatMap { Int64(decimal: $0) }.map(Timestamp.init(seconds:))
        let files = event.tags.attachments(in: nil)
        // A film of no known type is still a film: that is what the event is about.
        variants = files.filter { $0.medium == .video || $0.medium == nil }
        sounds = files.filter { $0.medium == .audio }
        duration = variants.compactMap(\.duration).first ?? text("duration").flatMap { MediaAttachment.seconds($0) }
        textTracks = event.tags.named("text-track").prefix(32).compactMap { tag in
            tag.text(at: 1).map { TextTrack(source: $0, sort: tag.text(at: 2), language: tag.text(at: 3)) }
        }
        segments = event.tags.named("segment").prefix(200).compactMap(Segment.init)
        origin = event.tags.first { $0.name == "origin" }.flatMap { tag in
            tag.text(at: 1).map { Origin(platform: $0, address: tag.text(at: 3)) }
        }
        references = event.tags.named("r").prefix(16).compactMap { $0.text(at: 1) }
    }

    /// A film to be published.
    ///
    /// - Parameter further: what the text asks for, such as topics, and a content warning.
    public static func draft(
        title: String, text: String, isShort: Bool, variants: [MediaAttachment], further: [Tag] = [],
        createdAt: Timestamp
    ) -> EventDraft {
        var tags: [Tag] = [["title", title], ["published_at", "\(createdAt.seconds)"]]
        if let description = variants.compactMap(\.description).first { tags.append(["alt", description]) }
        tags += variants.map(\.tag)
        // So that relays can be asked for a type, and for a file.
        tags += variants.compactMap(\.type).withoutDuplicates().map { ["m", $0] }
        tags += variants.compactMap(\.hash).withoutDuplicates().map { ["x", $0] }
        return EventDraft(
            kind: isShort ? shortKind : kind, tags: tags + further, content: text, createdAt: createdAt)
    }
}

extension VideoPost.Segment {
    /// Reads a `segment` tag; `nil` without a beginning or a title.
    fileprivate init?(_ tag: Tag) {
        guard let start = tag.text(at: 1).flatMap(Self.moment), let title = tag.text(at: 3) else { return nil }
        self.start = start
        end = tag.text(at: 2).flatMap(Self.moment)
        self.title = title
    }

    /// Reads `HH:MM:SS.sss`; some programs leave the hours away, or write seconds alone.
    private static func moment(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), text.utf8.count <= 24 else { return nil }
        var seconds = 0.0
        for part in parts {
            guard let value = Double(part), value.isFinite, value >= 0, value < 1_000_000 else { return nil }
            seconds = seconds * 60 + value
        }
        return seconds < 10_000_000 ? .milliseconds(Int64((seconds * 1000).rounded())) : nil
    }
}
