public import NostrCore

/// What a person is doing now.
///
/// Source: NIP-38.
public struct UserStatus: Hashable, Sendable {
    /// The kind of a status.
    public static let kind: Kind = 30_315
    /// The type for working, hiking and the like.
    public static let general = "general"
    /// The type for what one listens to.
    public static let music = "music"

    /// Which of a person's statuses (`d`).
    public let type: String
    /// The text; empty for one that was cleared.
    public let text: String
    /// What it links to (`r`), as written.
    public let link: String?
    /// When it stops being true.
    public let expires: Timestamp?
    /// The emoji its text names.
    public let emoji: [CustomEmoji]

    /// Reads an event; `nil` unless it is of kind 30315.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        type = event.tags.firstValue("d") ?? ""
        text = event.content
        link = event.tags.first { $0.name == "r" }?.text(at: 1)
        expires = event.tags.expiration
        emoji = event.tags.customEmoji
    }

    /// A status; an empty text clears it.
    ///
    /// - Parameters:
    ///   - emoji: pictures that `:shortcode:` may stand for; those the text names get their tags.
    ///   - previous: when the version it replaces was made.
    public static func draft(
        _ text: String, type: String = general, link: String? = nil, expires: Timestamp? = nil,
        emoji: [CustomEmoji] = [], replacing previous: Timestamp?, now: Timestamp
    ) -> EventDraft {
        var tags: [Tag] = [["d", type]]
        if let link, !link.isEmpty { tags.append(["r", link]) }
        if let expires { tags.append(.expiration(expires)) }
        tags += emoji.tags(namedIn: text)
        return EventDraft(
            kind: kind, tags: tags, content: text, createdAt: momentReplacing(previous, now: now))
    }
}
