public import NostrCore

/// A line of a live stream's chat: kind 1311.
///
/// Source: NIP-53, "Live Chat Message".
public struct LiveChatMessage: Hashable, Sendable {
    /// The kind of a line.
    public static let kind: Kind = 1311

    /// The stream it was said in.
    public let activity: AddressPointer
    /// The line it answers.
    public let replyTo: EventID?
    /// The words.
    public let text: String

    /// Reads an event; `nil` unless it is of kind 1311 and names a stream.
    ///
    /// Where several addresses of streams stand, the one that is marked as root counts, else the first. Others write the
    /// line it answers as the last `e` tag, marked or not; one marked as a mention is none.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        let addresses = event.tags.filter { $0.name == "a" && $0.address(at: 1)?.kind == LiveActivity.kind }
        guard let tag = addresses.first(where: { $0[3] == "root" }) ?? addresses.first,
            let pointer = AddressPointer(tag: tag)
        else { return nil }
        activity = pointer
        let answered = event.tags.filter { $0.name == "e" && $0[3] != "mention" && $0.eventID(at: 1) != nil }
        replyTo = (answered.first { $0[3] == "reply" } ?? answered.last)?.eventID(at: 1)
        text = event.content
    }

    /// A line to be said.
    ///
    /// - Parameters:
    ///   - activity: the stream, with a relay of its chat.
    ///   - parent: the line it answers, whose author is told.
    ///   - text: the words; people, notes, topics and emoji in them get their tags.
    ///   - emoji: pictures that `:shortcode:` may stand for.
    public static func draft(
        in activity: AddressPointer, replyTo parent: Event? = nil, text: String, emoji: [CustomEmoji] = [],
        createdAt: Timestamp
    ) -> EventDraft {
        var tags: [Tag] = [["a", activity.address.description, activity.relays.first?.text ?? "", "root"]]
        if let parent {
            tags.append(["e", parent.id.hex, activity.relays.first?.text ?? "", "reply"])
            tags.append(["p", parent.pubkey.hex])
        }
        for tag in ContentToken.split(text, tags: emoji.map(\.tag)).referenceTags {
            // Who is answered is named already.
            if tag.name == "p", tag.value == parent?.pubkey.hex { continue }
            tags.append(tag)
        }
        return EventDraft(kind: kind, tags: tags, content: text, createdAt: createdAt)
    }
}
