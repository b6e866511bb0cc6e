public import NostrCore

/// One thing on a list.
///
/// Source: NIP-51.
public enum ListItem: Hashable, Sendable {
    /// A person (`p`), with the list author's own name for them.
    case person(ProfilePointer, petname: String?)
    /// An event (`e`).
    case event(EventPointer)
    /// An address (`a`).
    case address(AddressPointer)
    /// A topic (`t`), lowercase.
    case hashtag(String)
    /// A word (`word`), lowercase.
    case word(String)
    /// A relay (`relay`, and `r` on lists of groups).
    case relay(RelayURL)
    /// A server for files (`server`), as written.
    case server(String)
    /// A custom emoji (`emoji`).
    case emoji(CustomEmoji)
    /// A group (`group`): its id, its relay, its name.
    case group(String, relay: RelayURL?, name: String?)
    /// A web address (`url`), as written.
    case url(String)

    /// Reads a tag; `nil` for tags that are no item or are malformed.
    public init?(tag: Tag) {
        let item: ListItem? =
            switch tag.name {
            case "p": ProfilePointer(tag: tag).map { .person($0, petname: tag.text(at: 3)) }
            case "e": EventPointer(tag: tag).map { .event($0) }
            case "a": AddressPointer(tag: tag).map { .address($0) }
            case "t": tag.text(at: 1).map { .hashtag($0.lowercased()) }
            case "word": tag.text(at: 1).map { .word($0.lowercased()) }
            case "relay", "r": tag.relay(at: 1).map { .relay($0) }
            case "server": tag.text(at: 1).flatMap { isWebURL($0) ? .server($0) : nil }
            case "emoji": CustomEmoji(tag: tag).map { .emoji($0) }
            case "group": tag.text(at: 1).map { .group($0, relay: tag.relay(at: 2), name: tag.text(at: 3)) }
            case "url": tag.text(at: 1).flatMap { isWebURL($0) ? .url($0) : nil }
            default: nil
            }
        guard let item else { return nil }
        self = item
    }

    /// The tag.
    public var tag: Tag {
        switch self {
        case .person(let pointer, let petname):
            Tag(trimming: ["p", pointer.key.hex, pointer.relays.first?.text ?? "", petname ?? ""])
        case .event(let pointer): pointer.tag("e")
        case .address(let pointer): pointer.tag("a")
        case .hashtag(let topic): ["t", topic.lowercased()]
        case .word(let word): ["word", word.lowercased()]
        case .relay(let relay): ["relay", relay.text]
        case .server(let url): ["server", url]
        case .emoji(let emoji): emoji.tag
        case .group(let id, let relay, let name): Tag(trimming: ["group", id, relay?.text ?? "", name ?? ""])
        case .url(let url): ["url", url]
        }
    }

    /// Whether two items name the same thing, whatever hints and names they carry.
    public func isSameThing(as other: ListItem) -> Bool {
        switch (self, other) {
        case (.person(let a, _), .person(let b, _)): a.key == b.key
        case (.event(let a), .event(let b)): a.id == b.id
        case (.address(let a), .address(let b)): a.address == b.address
        case (.hashtag(let a), .hashtag(let b)), (.word(let a), .word(let b)): a.lowercased() == b.lowercased()
        case (.emoji(let a), .emoji(let b)): a.shortcode == b.shortcode
        case (.group(let a, let aRelay, _), .group(let b, let bRelay, _)): a == b && aRelay == bRelay
        default: self == other
        }
    }
}
