/// What a client asks of a relay, or of its own store.
///
/// All present conditions must hold; within one, any value suffices. Source: NIP-01, NIP-50 (`search`).
public struct Filter: Hashable, Sendable {
    /// Event ids.
    public var ids: Set<EventID>?
    /// Authors.
    public var authors: Set<PublicKey>?
    /// Kinds.
    public var kinds: Set<Kind>?
    /// One-letter tags: the letter (`a`–`z`, `A`–`Z`) to the values, any of which suffices.
    public var tags: [Character: Set<String>]
    /// The earliest moment, inclusive.
    public var since: Timestamp?
    /// The latest moment, inclusive.
    public var until: Timestamp?
    /// How many stored events at most, newest first; live events are not counted.
    public var limit: Int?
    /// Words to search for (NIP-50).
    public var search: String?

    /// Takes the conditions; all absent matches everything.
    public init(
        ids: Set<EventID>? = nil, authors: Set<PublicKey>? = nil, kinds: Set<Kind>? = nil,
        tags: [Character: Set<String>] = [:], since: Timestamp? = nil, until: Timestamp? = nil, limit: Int? = nil,
        search: String? = nil
    ) {
        self.ids = ids
        self.authors = authors
        self.kinds = kinds
        self.tags = tags
        self.since = since
        self.until = until
        self.limit = limit
        self.search = search
    }

    /// Whether an event meets every condition but `limit` and `search`, which only a store can judge.
    public func matches(_ event: UnverifiedEvent) -> Bool {
        if let ids, !ids.contains(event.id) { return false }
        if let authors, !authors.contains(event.pubkey) { return false }
        if let kinds, !kinds.contains(event.kind) { return false }
        if let since, event.createdAt < since { return false }
        if let until, event.createdAt > until { return false }
        return tags.allSatisfy { letter, values in
            let name = String(letter)
            return event.tags.contains { tag in
                guard tag.name == name, let value = tag.value, let index = values.firstIndex(of: value) else {
                    return false
                }
                // Swift holds two spellings of the same letter for equal; Nostr compares bytes.
                return values[index].utf8.elementsEqual(value.utf8)
            }
        }
    }

    /// Whether a checked event meets every condition but `limit` and `search`.
    public func matches(_ event: Event) -> Bool {
        matches(event.unverified)
    }
}
