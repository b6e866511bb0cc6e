public import NostrCore

/// An author's request to delete events of their own.
///
/// Source: NIP-09.
public struct DeletionRequest: Hashable, Sendable {
    /// The kind of a deletion request.
    public static let kind: Kind = 5

    /// Who asks.
    public let author: PublicKey
    /// When; versions of an address made later are not meant.
    public let createdAt: Timestamp
    /// The events named by `e` tags; whether they are the author's shows only with the events themselves.
    public let events: [EventID]
    /// The addresses named by `a` tags, of this author only: nobody can delete another person's.
    public let addresses: [EventAddress]
    /// The kinds named by `k` tags.
    public let kinds: [Kind]
    /// Why, in the author's words.
    public let reason: String

    /// Reads an event; `nil` unless it is of kind 5.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        author = event.pubkey
        createdAt = event.createdAt
        events = event.tags.named("e").compactMap { $0.eventID(at: 1) }.withoutDuplicates()
        addresses = event.tags.named("a").compactMap { $0.address(at: 1) }
            .filter { $0.author == event.pubkey }.withoutDuplicates()
        kinds = event.tags.named("k").compactMap { $0.kind(at: 1) }.withoutDuplicates()
        reason = event.content
    }

    /// Whether this request deletes an event: same author, named by id or by address, and no deletion request itself.
    ///
    /// An address covers every version up to the moment of the request.
    public func covers(_ event: Event) -> Bool {
        guard event.pubkey == author, event.kind != Self.kind else { return false }
        if events.contains(event.id) { return true }
        guard let address = event.address, event.createdAt <= createdAt else { return false }
        return addresses.contains(address)
    }

    /// A request to delete the author's own events.
    ///
    /// Replaceable and addressable events are named by address too, so that older versions go as well.
    public static func draft(deleting events: [Event], reason: String = "", createdAt: Timestamp) -> EventDraft {
        var tags = events.map { Tag(["e", $0.id.hex]) }
        tags += events.compactMap(\.address).withoutDuplicates().map { Tag(["a", $0.description]) }
        tags += events.map(\.kind).withoutDuplicates().map { Tag(["k", String($0.rawValue)]) }
        return EventDraft(kind: kind, tags: tags, content: reason, createdAt: createdAt)
    }
}
