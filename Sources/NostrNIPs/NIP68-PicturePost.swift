public import NostrCore

/// A post of pictures: kind 20.
///
/// Source: NIP-68.
public struct PicturePost: Hashable, Sendable {
    /// The kind of a post of pictures.
    public static let kind: Kind = 20
    /// The types of picture that such a post may have.
    public static let types: Set<String> = [
        "image/apng", "image/avif", "image/gif", "image/jpeg", "image/png", "image/webp",
    ]

    /// The title.
    public let title: String?
    /// What is said about the pictures.
    public let text: String
    /// The pictures, in order.
    public let pictures: [MediaAttachment]
    /// Where they were made, in words.
    public let location: String?

    /// Reads an event; `nil` for another kind.
    ///
    /// A picture of a type that is not allowed is left out; one of no type is judged by the ending of its address.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        title = event.tags.first { $0.name == "title" }?.text(at: 1)
        text = event.content
        pictures = event.tags.attachments(in: nil).filter(Self.takes)
        location = event.tags.first { $0.name == "location" }?.text(at: 1)
    }

    /// Whether a file may stand in such a post.
    public static func takes(_ file: MediaAttachment) -> Bool {
        guard let type = file.type else { return file.medium == .image || file.medium == nil }
        return types.contains(type)
    }

    /// A post to be published.
    ///
    /// - Parameter further: what the text asks for, such as topics, and a content warning.
    public static func draft(
        title: String, text: String, pictures: [MediaAttachment], further: [Tag] = [], createdAt: Timestamp
    ) -> EventDraft {
        var tags: [Tag] = title.isEmpty ? [] : [["title", title]]
        tags += pictures.map(\.tag)
        // So that relays can be asked for a type, and for a file.
        tags += pictures.compactMap(\.type).withoutDuplicates().map { ["m", $0] }
        tags += pictures.compactMap(\.hash).withoutDuplicates().map { ["x", $0] }
        return EventDraft(kind: kind, tags: tags + further, content: text, createdAt: createdAt)
    }
}
