public import NostrCore

/// An article: kind 30023.
///
/// Source: NIP-23; read only.
public struct Article: Hashable, Sendable {
    /// The kind of an article.
    public static let kind: Kind = 30_023

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

    /// Reads an event; `nil` unless it is of kind 30023.
    public init?(_ event: Event) {
        guard event.kind == Self.kind, let address = event.address else { return nil }
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
