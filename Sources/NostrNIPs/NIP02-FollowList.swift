public import NostrCore

/// Whom a person follows: kind 3, read whole, changed, and written back whole.
///
/// Every tag and the content stay byte for byte, also those this type does not understand: petnames, hints, malformed
/// entries, duplicates, and the relay object some apps keep in the content. Source: NIP-02; NIP-24, "kind 3".
public struct FollowList: Hashable, Sendable {
    /// The kind of a follow list.
    public static let kind: Kind = 3

    /// One followed person.
    public struct Entry: Hashable, Sendable {
        /// The person.
        public let key: PublicKey
        /// Where their events can be found, as the list's author says.
        public let relay: RelayURL?
        /// The list's author's own name for them.
        public let petname: String?
    }

    /// All tags, in order.
    public private(set) var tags: [Tag]
    /// The content, untouched.
    public let content: String
    /// The tags this list was read with.
    private let base: [Tag]
    /// The moment of the event this list was read from.
    private let baseMoment: Timestamp?

    /// An empty list, for a person who has none.
    public init() {
        tags = []
        content = ""
        base = []
        baseMoment = nil
    }

    /// Reads an event; `nil` unless it is of kind 3.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        tags = event.tags
        content = event.content
        base = event.tags
        baseMoment = event.createdAt
    }

    /// The followed people, in order, each once; malformed entries are left out.
    public var entries: [Entry] {
        var seen: Set<PublicKey> = []
        return tags.compactMap { tag in
            guard tag.name == "p", let key = tag.publicKey(at: 1), seen.insert(key).inserted else { return nil }
            return Entry(key: key, relay: tag.relay(at: 2), petname: tag.text(at: 3))
        }
    }

    /// The keys of the followed people, in order, each once.
    public var keys: [PublicKey] { entries.map(\.key) }

    /// Whether a person is followed.
    public func contains(_ key: PublicKey) -> Bool {
        tags.contains { Self.isEntry($0, for: key) }
    }

    /// Adds a person at the end; does nothing if they are there.
    public mutating func follow(_ key: PublicKey, relay: RelayURL? = nil, petname: String? = nil) {
        guard !contains(key) else { return }
        tags.append(Tag(trimming: ["p", key.hex, relay?.text ?? "", petname ?? ""]))
    }

    /// Takes out every entry of a person.
    public mutating func unfollow(_ key: PublicKey) {
        tags.removeAll { Self.isEntry($0, for: key) }
    }

    /// What changed since the list was read; look at `dropped` before publishing.
    public var difference: ListDifference { ListDifference(from: base, to: tags) }

    /// The list as a draft, later than the event it replaces.
    public func draft(now: Timestamp) -> EventDraft {
        EventDraft(
            kind: Self.kind, tags: tags, content: content, createdAt: momentReplacing(baseMoment, now: now))
    }

    private static func isEntry(_ tag: Tag, for key: PublicKey) -> Bool {
        tag.name == "p" && tag.publicKey(at: 1) == key
    }
}
