public import NostrCore

/// A list of a person, such as mutes, bookmarks, relays: the public part.
///
/// Every tag and the content (which holds the encrypted private part) stay byte for byte and in order, also tags this
/// type does not understand. Follow lists are ``FollowList``, relay lists ``RelayList``. Source: NIP-51.
public struct PublicList: Hashable, Sendable {
    /// Which list.
    public let kind: Kind
    /// All tags, in order.
    public private(set) var tags: [Tag]
    /// The content, untouched: the encrypted private part, or words.
    public let content: String
    private let base: [Tag]
    private let baseMoment: Timestamp?

    /// An empty list.
    ///
    /// - Parameter identifier: the `d` tag, which sets (kinds 30000 and up) need.
    public init(kind: Kind, identifier: String? = nil) {
        self.kind = kind
        tags = identifier.map { [["d", $0]] } ?? []
        content = ""
        base = []
        baseMoment = nil
    }

    /// Reads an event; `nil` unless its kind is one of ``kinds``.
    public init?(_ event: Event) {
        guard Self.kinds.contains(event.kind) else { return nil }
        kind = event.kind
        tags = event.tags
        content = event.content
        base = event.tags
        baseMoment = event.createdAt
    }

    /// Which of a person's lists of this kind; empty for kinds of which a person has one.
    public var identifier: String { tags.firstValue("d") ?? "" }
    /// Its title.
    public var title: String? { tags.first { $0.name == "title" }?.text(at: 1) }
    /// What it is about.
    public var summary: String? { tags.first { $0.name == "description" }?.text(at: 1) }
    /// The address of a picture.
    public var image: String? { tags.first { $0.name == "image" }?.text(at: 1) }

    /// What is on the list, in order; tags of other meaning and malformed ones are left out.
    public var items: [ListItem] { tags.compactMap(ListItem.init(tag:)) }

    /// The relays on the list, in order, each once.
    public var relays: [RelayURL] {
        items.compactMap { if case .relay(let relay) = $0 { relay } else { nil } }.withoutDuplicates()
    }

    /// The people on the list, in order, each once.
    public var people: [PublicKey] {
        items.compactMap { if case .person(let pointer, _) = $0 { pointer.key } else { nil } }.withoutDuplicates()
    }

    /// Whether a thing is on the list.
    public func contains(_ item: ListItem) -> Bool {
        items.contains { $0.isSameThing(as: item) }
    }

    /// Adds an item at the end; does nothing if the thing is there.
    public mutating func append(_ item: ListItem) {
        guard !contains(item) else { return }
        tags.append(item.tag)
    }

    /// Takes out every tag that names a thing.
    public mutating func remove(_ item: ListItem) {
        tags.removeAll { ListItem(tag: $0)?.isSameThing(as: item) ?? false }
    }

    /// What changed since the list was read; look at `dropped` before publishing.
    public var difference: ListDifference { ListDifference(from: base, to: tags) }

    /// The list as a draft, later than the event it replaces.
    public func draft(now: Timestamp) -> EventDraft {
        EventDraft(kind: kind, tags: tags, content: content, createdAt: momentReplacing(baseMoment, now: now))
    }
}
