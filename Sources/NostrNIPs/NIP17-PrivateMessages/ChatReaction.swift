public import NostrCore

/// A reaction to a private message: kind 7, within the same room.
///
/// Source: NIP-17, NIP-25.
public struct ChatReaction: Hashable, Sendable, Identifiable {
    /// The rumor it was read from.
    public let rumor: Rumor
    /// The message it is about.
    public let target: EventID
    /// What it means.
    public let meaning: Reaction.Meaning

    /// Reads a rumor; `nil` unless it is of kind 7 and names a message.
    public init?(_ rumor: Rumor) {
        guard rumor.kind == Reaction.kind,
            let target = rumor.tags.named("e").last(where: { $0.eventID(at: 1) != nil })?.eventID(at: 1)
        else { return nil }
        self.rumor = rumor
        self.target = target
        meaning = Reaction.meaning(of: rumor.content, tags: rumor.tags)
    }

    /// The rumor's id.
    public var id: EventID { rumor.id }
    /// Who reacts.
    public var author: PublicKey { rumor.pubkey }
    /// The room it belongs to.
    public var room: ChatRoom { ChatRoom(of: rumor) }

    /// A reaction to a message, for everybody in its room.
    ///
    /// - Parameters:
    ///   - content: `+`, `-`, an emoji, or `:shortcode:` with its `emoji`.
    ///   - author: who reacts.
    public static func draft(
        _ content: String, to message: ChatMessage, by author: PublicKey, emoji: CustomEmoji? = nil,
        expiration: Timestamp? = nil, createdAt: Timestamp
    ) -> EventDraft {
        // The last `p` tag is the author of what is reacted to, as NIP-25 has it.
        let people = message.room.participants.filter { $0 != author && $0 != message.author } + [message.author]
        var tags: [Tag] = [["e", message.id.hex]] + people.map { Tag(["p", $0.hex]) }
        tags.append(["k", String(message.rumor.kind.rawValue)])
        if let emoji { tags.append(emoji.tag) }
        if let expiration { tags.append(.expiration(expiration)) }
        return EventDraft(kind: Reaction.kind, tags: tags, content: content, createdAt: createdAt)
    }
}
