public import NostrCore

/// A reaction to an event: kind 7.
///
/// Source: NIP-25.
public struct Reaction: Hashable, Sendable {
    /// The kind of a reaction to an event.
    public static let kind: Kind = 7

    /// What a person means by it.
    public enum Meaning: Hashable, Sendable {
        /// `+` or nothing.
        case like
        /// `-`.
        case dislike
        /// An emoji, or whatever short text stands in its place.
        case emoji(String)
        /// A picture with a name (NIP-30).
        case customEmoji(CustomEmoji)
    }

    /// What is reacted to.
    public let target: EventPointer
    /// The address of what is reacted to, where it has one.
    public let address: EventAddress?
    /// What it means.
    public let meaning: Meaning

    /// Reads an event; `nil` unless it is of kind 7 and names an event.
    ///
    /// Where several `e` or `p` tags stand, the last is the target.
    public init?(_ event: Event) {
        guard event.kind == Self.kind,
            let tag = event.tags.last(where: { $0.name == "e" && $0.eventID(at: 1) != nil }),
            var pointer = EventPointer(tag: tag)
        else { return nil }
        pointer.author = event.tags.last { $0.name == "p" }?.publicKey(at: 1) ?? pointer.author
        pointer.kind = event.tags.first { $0.name == "k" }?.kind(at: 1)
        target = pointer
        address = event.tags.last { $0.name == "a" }?.address(at: 1)
        meaning = Self.meaning(of: event.content, tags: event.tags)
    }

    /// Reads a reaction to what has this id now, or stands at this address whatever its id was; `nil` for all else.
    ///
    /// NIP-25 asks for an `e` tag always; some name an article by its `a` tag alone, or by the id of an older version.
    /// A `k` tag of another kind says that the address is only where it happened, and so does, where there is none, an
    /// event of somebody else. The target has the id of now.
    public init?(_ event: Event, to id: EventID, at address: EventAddress?) {
        let named = Reaction(event)
        if let named, named.target.id == id {
            self = named
            return
        }
        guard event.kind == Self.kind, let address,
            event.tags.prefix(64).contains(where: { $0.name == "a" && $0.address(at: 1) == address }),
            event.tags.first(where: { $0.name == "k" })?.kind(at: 1) ?? address.kind == address.kind,
            named?.isOfSomebodyElse(than: address) != true
        else { return nil }
        target = EventPointer(id: id, author: address.author, kind: address.kind)
        self.address = address
        meaning = Self.meaning(of: event.content, tags: event.tags)
    }

    /// Whether it names an event that cannot be a version of what stands at an address, since somebody else wrote it;
    /// a `k` tag of that kind is believed.
    ///
    /// The chat of a live stream is the case: some programs name the line and the stream, and no kind.
    package func isOfSomebodyElse(than address: EventAddress) -> Bool {
        guard target.kind == nil, let author = target.author else { return false }
        return author != address.author
    }

    /// A reaction to an event.
    ///
    /// - Parameters:
    ///   - content: `+`, `-`, an emoji, or `:shortcode:` with its `emoji`.
    ///   - relay: where the event can be found.
    public static func draft(
        to event: Event, content: String = "+", emoji: CustomEmoji? = nil, relay: RelayURL? = nil,
        createdAt: Timestamp
    ) -> EventDraft {
        let relays = relay.map { [$0] } ?? []
        var tags = [EventPointer(event, relays: relays).tag("e")]
        if let address = event.address { tags.append(AddressPointer(address: address, relays: relays).tag("a")) }
        tags.append(Tag(trimming: ["p", event.pubkey.hex, relay?.text ?? ""]))
        tags.append(["k", String(event.kind.rawValue)])
        if let emoji { tags.append(emoji.tag) }
        return EventDraft(kind: kind, tags: tags, content: content, createdAt: createdAt)
    }

    static func meaning(of content: String, tags: [Tag]) -> Meaning {
        switch content {
        case "+", "": return .like
        case "-": return .dislike
        default:
            if let emoji = tags.customEmoji.first(where: { ":\($0.shortcode):" == content }) {
                return .customEmoji(emoji)
            }
            return .emoji(content)
        }
    }
}
