public import NostrCore

/// A message of a private conversation: text (kind 14) or an encrypted file (kind 15).
///
/// Source: NIP-17, "Chat Message" and "File Message".
public struct ChatMessage: Hashable, Sendable, Identifiable {
    /// The kind of a text message.
    public static let kind: Kind = 14
    /// The kind of a file message.
    public static let fileKind: Kind = 15

    /// What it says.
    public enum Body: Hashable, Sendable {
        /// Plain text; empty where only the subject changes.
        case text(String)
        /// A file somewhere.
        case file(EncryptedFile)
    }

    /// The rumor it was read from.
    public let rumor: Rumor
    /// What it says; a file that cannot be decrypted with what stands there counts as the text that names it.
    public let body: Body
    /// The message it answers.
    public let replyTo: EventID?

    /// Reads a rumor; `nil` unless it is of kind 14 or 15.
    public init?(_ rumor: Rumor) {
        switch rumor.kind {
        case Self.kind: body = .text(rumor.content)
        case Self.fileKind: body = EncryptedFile(rumor).map(Body.file) ?? .text(rumor.content)
        default: return nil
        }
        self.rumor = rumor
        replyTo = Self.parent(in: rumor.tags)
    }

    /// The rumor's id, the same for everybody in the room.
    public var id: EventID { rumor.id }
    /// Who wrote it.
    public var author: PublicKey { rumor.pubkey }
    /// When its author says.
    public var createdAt: Timestamp { rumor.createdAt }
    /// Its room.
    public var room: ChatRoom { ChatRoom(of: rumor) }
    /// The subject it gives the conversation.
    public var subject: String? { rumor.tags.first { $0.name == "subject" }?.text(at: 1) }
    /// What it cites.
    public var quotes: [Quote] { rumor.tags.quotes }
    /// The custom emoji it brings along.
    public var emoji: [CustomEmoji] { rumor.tags.customEmoji }
    /// When it disappears, as its author wrote inside; the wrap may name an earlier moment.
    public var expiration: Timestamp? { rumor.tags.expiration }

    /// A text message to everybody in a room; the same rumor goes to all of them and to the author.
    ///
    /// - Parameters:
    ///   - author: who writes.
    ///   - replyTo: the message it answers.
    ///   - subject: a new subject for the conversation; with an empty text it changes only that.
    ///   - relays: where people read, written beside their names.
    ///   - tags: further tags, such as emoji and quotes.
    public static func draft(
        _ text: String, to room: ChatRoom, by author: PublicKey, replyTo: EventPointer? = nil, subject: String? = nil,
        relays: [PublicKey: RelayURL] = [:], expiration: Timestamp? = nil, tags further: [Tag] = [],
        createdAt: Timestamp
    ) -> EventDraft {
        var tags = room.tags(by: author, relays: relays)
        // No author beside it: the text has only the address of a relay there.
        if let replyTo { tags.append(Tag(trimming: ["e", replyTo.id.hex, replyTo.relays.first?.text ?? ""])) }
        if let subject { tags.append(["subject", subject]) }
        if let expiration { tags.append(.expiration(expiration)) }
        return EventDraft(kind: kind, tags: tags + further, content: text, createdAt: createdAt)
    }

    /// The message marked as answered, else the first that is not marked otherwise.
    private static func parent(in tags: [Tag]) -> EventID? {
        let references = tags.named("e").filter { $0.eventID(at: 1) != nil && $0[3] != "mention" }
        let chosen = references.last { $0[3] == "reply" } ?? references.first { $0[3] != "root" } ?? references.first
        return chosen?.eventID(at: 1)
    }
}

extension ChatRoom {
    /// The `p` tags of a rumor for this room: everybody but its author, or the author alone for notes to themselves.
    public func tags(by author: PublicKey, relays: [PublicKey: RelayURL] = [:]) -> [Tag] {
        let others = others(than: author)
        return (others.isEmpty ? [author] : others).map { Tag(trimming: ["p", $0.hex, relays[$0]?.text ?? ""]) }
    }
}
