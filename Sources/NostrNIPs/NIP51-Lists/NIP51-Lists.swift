public import NostrCore

/// A list of a person, such as mutes, bookmarks, relays: the public part.
///
/// Every tag and the content (which holds the encrypted private part) stay byte for byte and in order, also tags this
/// type does not understand. What the content hides is ``PrivateItems``. Follow lists are ``FollowList``; relay lists,
/// with what each relay is for, ``RelayList``. Source: NIP-51.
public struct PublicList: Hashable, Sendable {
    /// What the content is, as far as it shows without decrypting it.
    public enum PrivatePart: Hashable, Sendable {
        /// Nothing.
        case none
        /// Encrypted by NIP-44.
        case nip44
        /// Encrypted by NIP-04, as NIP-51 had it once.
        case nip04
        /// Words for everybody: nothing that was ever encrypted.
        case words
    }

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
    /// Its title; some programs write `name`.
    public var title: String? {
        (tags.first { $0.name == "title" } ?? tags.first { $0.name == "name" })?.text(at: 1)
    }
    /// What it is about.
    public var summary: String? { tags.first { $0.name == "description" }?.text(at: 1) }
    /// The address of a picture.
    public var image: String? { tags.first { $0.name == "image" }?.text(at: 1) }

    /// What is on the list, in order; tags of other meaning and malformed ones are left out.
    public var items: [ListItem] { tags.compactMap(ListItem.init(tag:)) }

    /// What the content is.
    public var privatePart: PrivatePart { PrivatePart(content) }

    /// How many tags are neither items nor say what the list is.
    public var unknownEntries: Int {
        tags.count { ListItem(tag: $0) == nil && !Self.headings.contains($0.name ?? "") }
    }

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
        append([tag(for: item)])
    }

    /// Adds tags at the end.
    public mutating func append(_ more: [Tag]) {
        tags += more
    }

    /// The tag an item is written with on this list: on relay lists (NIP-65) relays are `r` tags.
    public func tag(for item: ListItem) -> Tag {
        if kind == RelayList.kind, case .relay(let relay) = item { return ["r", relay.text] }
        return item.tag
    }

    /// Takes out every tag that names a thing, and gives them back.
    @discardableResult
    public mutating func remove(_ item: ListItem) -> [Tag] {
        func names(_ tag: Tag) -> Bool { ListItem(tag: tag)?.isSameThing(as: item) ?? false }
        let removed = tags.filter(names)
        tags.removeAll(where: names)
        return removed
    }

    /// Names a set, and says what it is about; an empty text takes the tag out.
    public mutating func rename(title: String, summary: String) {
        set("title", to: title, after: "d")
        set("description", to: summary, after: "title")
    }

    private mutating func set(_ name: String, to value: String, after previous: String) {
        if let place = tags.firstIndex(where: { $0.name == name }) {
            guard tags[place].value != value else { return }
            tags.remove(at: place)
            if !value.isEmpty { tags.insert([name, value], at: place) }
        } else if !value.isEmpty {
            let place = tags.firstIndex { $0.name == previous }.map { $0 + 1 } ?? 0
            tags.insert([name, value], at: place)
        }
    }

    /// What changed since the list was read; look at `dropped` before publishing.
    public var difference: ListDifference { ListDifference(from: base, to: tags) }

    /// The list as a draft, later than the event it replaces.
    ///
    /// - Parameter content: the private part, encrypted anew; `nil` leaves the content byte for byte.
    public func draft(now: Timestamp, content: String? = nil) -> EventDraft {
        EventDraft(
            kind: kind, tags: tags, content: content ?? self.content, createdAt: momentReplacing(baseMoment, now: now))
    }

    // Tags that say what a list is.
    private static let headings: Set<String> = [
        "d", "title", "name", "description", "image", "alt", "client", "expiration", "k", "published_at",
    ]
}

extension PublicList.PrivatePart {
    /// Looks at a content.
    ///
    /// NIP-04 shows by its initialisation vector, `?iv=`; NIP-44 is Base64 and nothing else, or begins with `#`, which
    /// it keeps for versions to come.
    init(_ content: String) {
        if content.isEmpty {
            self = .none
        } else if content.contains("?iv=") {
            self = .nip04
        } else if content.utf8.first == UInt8(ascii: "#")
            || content.utf8.count >= 64 && content.utf8.allSatisfy(isBase64)
        {
            self = .nip44
        } else {
            self = .words
        }
    }
}

private func isBase64(_ byte: UInt8) -> Bool {
    isASCIILetterOrDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
}
