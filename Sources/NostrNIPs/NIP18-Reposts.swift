public import NostrCore

/// A repost: kind 6 for notes, kind 16 for every other kind.
///
/// Source: NIP-18.
public struct Repost: Hashable, Sendable {
    /// The kind of a repost of a note.
    public static let noteKind: Kind = 6
    /// The kind of a repost of anything else.
    public static let genericKind: Kind = 16

    /// What is reposted.
    public let target: EventPointer
    /// The address of what is reposted, where it has one.
    public let address: EventAddress?
    /// The event inside, as the reposting person claims: not checked, its id equal to the target's.
    public let embedded: UnverifiedEvent?

    /// Reads an event; `nil` unless it is of kind 6 or 16 and names what it reposts.
    ///
    /// A protected event (NIP-70) inside is not taken from a repost.
    public init?(_ event: Event) {
        guard event.kind == Self.noteKind || event.kind == Self.genericKind else { return nil }
        let tag = event.tags.last { $0.name == "e" && $0.eventID(at: 1) != nil }
        var inside = Self.parse(event.content)
        if inside?.tags.isProtected == true { inside = nil }
        guard var pointer = tag.flatMap(EventPointer.init(tag:)) ?? inside.map({ EventPointer(id: $0.id) }) else {
            return nil
        }
        if inside?.id != pointer.id { inside = nil }
        pointer.author = inside?.pubkey ?? pointer.author ?? event.tags.last { $0.name == "p" }?.publicKey(at: 1)
        pointer.kind = inside?.kind ?? event.tags.first { $0.name == "k" }?.kind(at: 1)
        if event.kind == Self.noteKind { pointer.kind = pointer.kind ?? 1 }
        target = pointer
        address = event.tags.first { $0.name == "a" }?.address(at: 1)
        embedded = inside
    }

    /// A repost of an event.
    ///
    /// - Parameter relay: where the event can be found; NIP-18 asks for one.
    public static func draft(of event: Event, relay: RelayURL?, createdAt: Timestamp) -> EventDraft {
        var tags: [Tag] = [["e", event.id.hex, relay?.text ?? "", event.pubkey.hex], ["p", event.pubkey.hex]]
        if event.kind != 1 { tags.append(["k", String(event.kind.rawValue)]) }
        if let address = event.address {
            tags.append(AddressPointer(address: address, relays: relay.map { [$0] } ?? []).tag("a"))
        }
        let content = event.tags.isProtected ? "" : String(decoding: event.unverified.json, as: UTF8.self)
        return EventDraft(
            kind: event.kind == 1 ? noteKind : genericKind, tags: tags, content: content, createdAt: createdAt)
    }

    private static func parse(_ content: String) -> UnverifiedEvent? {
        guard content.utf8.first == UInt8(ascii: "{") else { return nil }
        // What is not an event is treated as an empty content: the tags say what is reposted.
        return try? UnverifiedEvent(json: Array(content.utf8))
    }
}

/// A repost that names what it reposts by its address alone: kind 16 with an `a` tag and no event.
///
/// It stands for the version in force when it is read. Source: NIP-18.
public struct AddressRepost: Hashable, Sendable {
    /// So many tags are looked at.
    private static let mostTags = 64

    /// What is reposted.
    public let target: AddressPointer

    /// Reads an event; `nil` for one that names an event, too, and for an address of another kind than its `k` says.
    public init?(_ event: Event) {
        guard event.kind == Repost.genericKind, Repost(event) == nil else { return nil }
        let tags = event.tags.prefix(Self.mostTags)
        let kind = tags.first { $0.name == "k" }?.kind(at: 1)
        let pointers = tags.lazy.filter { $0.name == "a" }.compactMap(AddressPointer.init(tag:))
        let named = pointers.first { pointer in
            let about = pointer.address.kind
            return (kind == nil || about == kind) && [.replaceable, .addressable].contains(about.retention)
        }
        guard let named else { return nil }
        target = named
    }
}

/// What an event quotes: an event or an address.
///
/// Source: NIP-18, "Quote Reposts" (`q` tags).
public enum Quote: Hashable, Sendable {
    /// An event.
    case event(EventPointer)
    /// The newest version of an address.
    case address(AddressPointer)

    /// So many quotes of one event are read; nobody follows more.
    public static let most = 256

    /// Reads a `q` tag, or is `nil`.
    public init?(tag: Tag) {
        guard tag.name == "q" else { return nil }
        if let pointer = EventPointer(tag: tag) {
            self = .event(pointer)
        } else if let pointer = AddressPointer(tag: tag) {
            self = .address(pointer)
        } else {
            return nil
        }
    }

    /// The `q` tag.
    public var tag: Tag {
        switch self {
        case .event(let pointer): pointer.tag("q")
        case .address(let pointer): pointer.tag("q")
        }
    }
}

extension [Tag] {
    /// The quotes of an event, in order; of more than ``Quote/most`` tags the first.
    public var quotes: [Quote] {
        var found: [Quote] = []
        var left = Quote.most
        for tag in self where tag.name == "q" {
            guard left > 0 else { break }
            left -= 1
            if let quote = Quote(tag: tag) { found.append(quote) }
        }
        return found
    }
}
