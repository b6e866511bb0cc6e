public import NostrCore

/// Which notes.
public enum TimelineSource: Hashable, Sendable {
    /// Notes and reposts of the people the account follows.
    case home
    /// One person's notes; with or without replies.
    case author(PublicKey, replies: Bool)
    /// A hashtag, lowercase, without `#`.
    case hashtag(String)
    /// What these relays give out, of whomever it is: one relay, a set, favourites.
    case relays(Set<RelayURL>)
    /// What these people write and repost, read where they write: a set of people.
    case people(Set<PublicKey>)
    /// The notes and articles of a list.
    case listed(NoteSelection)
    /// Several hashtags, lowercase, without `#`.
    case topics(Set<String>)
    /// What much is made of, in its order; it has one page.
    case trending(TrendingChoice)

    /// So many of the relays of ``relays(_:)`` are read, the first by their addresses.
    public static let mostRelays = 30
}

/// A place in a timeline: after this event, in (created_at descending, id ascending) order.
public struct TimelineCursor: Hashable, Sendable {
    /// The moment of the last event shown.
    public let createdAt: Timestamp
    /// The id of that event, which orders those of one second.
    public let id: EventID

    /// The place right after a note, in the order of dates and, within a second, of ids.
    public init(createdAt: Timestamp, id: EventID) {
        self.createdAt = createdAt
        self.id = id
    }
}

/// A stretch of a timeline.
public struct TimelinePage: Hashable, Sendable {
    /// The notes, newest first.
    public var notes: [Note]
    /// Where the next page starts; `nil` at the end of what is known.
    public var next: TimelineCursor?
    /// Whether older notes are being asked of relays right now.
    public var isLoadingOlder: Bool
    /// Whether it is of home, and the account follows nobody as far as is known.
    public var followsNobody: Bool

    /// A page; without a next cursor, nothing older is known here.
    public init(notes: [Note], next: TimelineCursor?, isLoadingOlder: Bool, followsNobody: Bool = false) {
        self.notes = notes
        self.next = next
        self.isLoadingOlder = isLoadingOlder
        self.followsNobody = followsNobody
    }
}

/// What a search found.
public struct SearchResult: Hashable, Sendable {
    /// People whose name, NIP-05 or key matches.
    public var people: [Person]
    /// Notes that match, newest first.
    public var notes: TimelinePage
    /// The relays that were asked, and how far each came; none where relays were not asked lately.
    public var relays: [SearchedRelay]

    /// What matched, people beside notes.
    public init(people: [Person], notes: TimelinePage, relays: [SearchedRelay] = []) {
        self.people = people
        self.notes = notes
        self.relays = relays
    }
}
