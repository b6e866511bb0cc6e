public import NostrCore

/// An article: kind 30023, or 30024 while it is a draft.
///
/// Source: NIP-23.
public struct Article: Hashable, Sendable {
    /// The kind of an article.
    public static let kind: Kind = 30_023
    /// The kind of an article that is not finished.
    public static let draftKind: Kind = 30_024

    /// Where its newest version is found.
    public let address: EventAddress
    /// The title.
    public let title: String?
    /// What it is about, in a few sentences.
    public let summary: String?
    /// The address of a picture to show beside the title.
    public let image: String?
    /// When it was first published, as its author says.
    public let publishedAt: Timestamp?
    /// When this version was made.
    public let updatedAt: Timestamp
    /// The topics, lowercase, each once.
    public let hashtags: [String]
    /// The text, in Markdown.
    public let markdown: String

    /// Whether its author says that it is not finished.
    public var isDraft: Bool { address.kind == Self.draftKind }

    /// Reads an event; `nil` unless it is of kind 30023 or 30024.
    public init?(_ event: Event) {
        guard event.kind == Self.kind || event.kind == Self.draftKind, let address = event.address else { return nil }
        self.address = address
        title = event.tags.first { $0.name == "title" }?.text(at: 1)
        summary = event.tags.first { $0.name == "summary" }?.text(at: 1)
        image = event.tags.first { $0.name == "image" }?.text(at: 1)
        publishedAt = event.tags.firstValue("published_at").flatMap { Int64(decimal: $0) }
            .map(Timestamp.init(seconds:))
        updatedAt = event.createdAt
        hashtags = event.tags.hashtags
        markdown = event.content
    }
}

/// An article as its author means to publish it.
///
/// Source: NIP-23.
public struct ArticleDraft: Hashable, Sendable {
    /// Which of the author's articles (`d`): the same again replaces what was published under it.
    public var identifier: String
    /// The title.
    public var title: String
    /// What it is about; empty for nothing.
    public var summary: String
    /// The address of a picture beside the title; empty for none.
    public var image: String
    /// The topics, without `#`.
    public var hashtags: [String]
    /// The text, in Markdown.
    public var markdown: String

    /// An article; without an identifier, one is made of its title.
    public init(
        identifier: String = "", title: String, summary: String = "", image: String = "", hashtags: [String] = [],
        markdown: String
    ) {
        self.identifier = identifier.isEmpty ? Self.identifier(of: title) : identifier
        self.title = title
        self.summary = summary
        self.image = image
        self.hashtags = hashtags
        self.markdown = markdown
    }

    /// The event, later than the version it replaces; what that says and this does not know stays.
    ///
    /// - Parameter previous: the version in force, of the same address.
    public func draft(replacing previous: Event?, now: Timestamp) -> EventDraft {
        var tags: [Tag] = [["d", identifier]]
        if !title.isEmpty { tags.append(["title", title]) }
        if !summary.isEmpty { tags.append(["summary", summary]) }
        if !image.isEmpty { tags.append(["image", image]) }
        let first = previous?.tags.firstValue("published_at") ?? String(now.seconds)
        tags.append(["published_at", first])
        let topics = hashtags.map { $0.lowercased() }.filter { !$0.isEmpty }
        // References in the text are said in tags too, so that who is named hears of it.
        let references = ContentToken.split(markdown).referenceTags.filter { ["p", "q"].contains($0.name ?? "") }
        tags += topics.withoutDuplicates().map { Tag(["t", $0]) } + references
        let written: Set = ["d", "title", "summary", "image", "published_at", "t", "p", "q", "a", "e"]
        tags += (previous?.tags ?? []).filter { !written.contains($0.name ?? "") }
        return EventDraft(
            kind: Article.kind, tags: tags, content: markdown,
            createdAt: momentReplacing(previous?.createdAt, now: now))
    }

    /// A title as part of an address: lowercase letters and digits of any script, joined by hyphens.
    public static func identifier(of title: String) -> String {
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        var identifier = ""
        // A code that leads to it takes 255 bytes at most (NIP-19).
        for character in words where identifier.utf8.count + character.utf8.count <= 80 { identifier.append(character) }
        return identifier
    }
}
