public import NostrCore
public import NostrRelay

/// One person's account at work, as screens see it: reads answer from the store at once, the network follows behind
/// and shows itself through ``changes()``.
public protocol Account: Sendable {
    /// Whose account.
    var publicKey: PublicKey { get }
    /// Whether there is a key to sign with; `false` for a read-only account.
    var canSign: Bool { get }

    // Reading
    /// A page of a timeline, newest first, from the store; asks the network for older ones when the store runs out.
    func timeline(_ source: TimelineSource, before cursor: TimelineCursor?, limit: Int) async throws -> TimelinePage
    /// One note with its ancestors and replies, from the store and then the network.
    func thread(_ id: EventID, hints: [RelayURL]) async throws -> NoteThread
    /// A person.
    func person(_ key: PublicKey) async throws -> Person
    /// People whose name, NIP-05 or key starts with or contains the text, followed people first; for completion.
    func people(matching text: String, limit: Int) async throws -> [Person]
    /// Searches notes and people, here and on search relays (NIP-50).
    func search(_ text: String, before cursor: TimelineCursor?, limit: Int) async throws -> SearchResult
    /// What happens from now on.
    func changes() async -> AsyncStream<AccountChange>
    /// Whether and how the network answers at all.
    func connection() async -> ConnectionSummary

    // Writing
    /// Completes tags (NIP-10 or NIP-22 replies, mentions, hashtags, quotes, emoji), signs, queues on disk and publishes.
    func publish(_ composition: Composition) async throws -> Event
    /// Reacts (NIP-25); `+` is a like.
    func react(to id: EventID, with content: String) async throws -> Event
    /// Reposts (NIP-18).
    func repost(_ id: EventID) async throws -> Event
    /// Asks relays to delete one's own events (NIP-09).
    func delete(_ ids: [EventID]) async throws -> Event
    /// Follows or unfollows (NIP-02): reads the newest list, changes it, writes it back whole.
    func setFollowing(_ key: PublicKey, _ following: Bool) async throws -> Event
    /// Changes fields of one's profile (kind 0), keeping fields Linnet does not know.
    func updateProfile(_ fields: [String: String]) async throws -> Event

    // Being honest
    /// Where an event of one's own was offered and what each relay said.
    func receipts(for id: EventID) async throws -> [PublishReceipt]
    /// Every relay in use: health, whom it serves, what it gave.
    func relays() async throws -> [RelayReport]
    /// Per followed author: what was asked of which relays and what came.
    func coverage() async throws -> [AuthorCoverage]
}

/// Which notes.
public enum TimelineSource: Hashable, Sendable {
    /// Notes and reposts of the people one follows.
    case home
    /// One person's notes; with or without replies.
    case author(PublicKey, replies: Bool)
    /// A hashtag, lowercase, without `#`.
    case hashtag(String)
}

/// A place in a timeline: after this event, in (created_at descending, id ascending) order.
public struct TimelineCursor: Hashable, Sendable {
    /// The moment of the last event shown.
    public let createdAt: Timestamp
    /// Its id.
    public let id: EventID

    /// Takes both.
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

    /// Takes all.
    public init(notes: [Note], next: TimelineCursor?, isLoadingOlder: Bool) {
        self.notes = notes
        self.next = next
        self.isLoadingOlder = isLoadingOlder
    }
}

/// A note with what one sees around it.
public struct Note: Hashable, Sendable, Identifiable {
    /// The note itself (kinds 1, 6, 16, 1111, 30023).
    public var event: Event
    /// Its author.
    public var author: Person
    /// For a repost: the note inside, verified; `nil` when it is not known yet.
    public var reposted: [Note]
    /// Notes it quotes, in order, where known (one level deep).
    public var quoted: [EventID: Note]
    /// People it mentions, where known.
    public var mentioned: [PublicKey: Person]
    /// How many replies, reposts and reactions are known here.
    public var replies: Int, reposts: Int, reactions: Int
    /// What one reacted oneself.
    public var ownReaction: String?
    /// Whether one reposted it oneself.
    public var isRepostedByMe: Bool
    /// For one's own notes: how many relays have it, of how many asked.
    public var delivery: Delivery?

    public var id: EventID { event.id }

    /// How far one's own note has come.
    public struct Delivery: Hashable, Sendable {
        public var accepted: Int
        public var asked: Int
        public init(accepted: Int, asked: Int) {
            self.accepted = accepted
            self.asked = asked
        }
    }

    /// A note of which only the event and its author are known.
    public init(event: Event, author: Person) {
        self.event = event
        self.author = author
        reposted = []
        quoted = [:]
        mentioned = [:]
        replies = 0
        reposts = 0
        reactions = 0
        ownReaction = nil
        isRepostedByMe = false
        delivery = nil
    }
}

/// A person, as far as known.
public struct Person: Hashable, Sendable, Identifiable {
    /// The key.
    public var key: PublicKey
    /// The fields of the newest kind 0, by their names on the wire (`name`, `about`, `picture` …).
    public var fields: [String: String]
    /// Whether the account follows this person.
    public var isFollowed: Bool
    /// The person's own follows, where known.
    public var followingCount: Int?
    /// Relays of the person's NIP-65 list.
    public var writeRelays: [RelayURL], readRelays: [RelayURL]

    public var id: PublicKey { key }

    /// A person of whom only the key is known.
    public init(key: PublicKey, fields: [String: String] = [:], isFollowed: Bool = false) {
        self.key = key
        self.fields = fields
        self.isFollowed = isFollowed
        followingCount = nil
        writeRelays = []
        readRelays = []
    }
}

/// A conversation around one note.
public struct NoteThread: Hashable, Sendable {
    /// From the root down to just above the note, as far as known.
    public var ancestors: [Note]
    /// The note, when found.
    public var focus: Note?
    /// The replies, as a tree in pre-order with depth 0 for direct replies, oldest first.
    public var replies: [Reply]
    /// Whether relays are still being asked.
    public var isLoading: Bool

    public struct Reply: Hashable, Sendable {
        public var note: Note
        public var depth: Int
        public init(note: Note, depth: Int) {
            self.note = note
            self.depth = depth
        }
    }

    public init(ancestors: [Note], focus: Note?, replies: [Reply], isLoading: Bool) {
        self.ancestors = ancestors
        self.focus = focus
        self.replies = replies
        self.isLoading = isLoading
    }
}

/// What a search found.
public struct SearchResult: Hashable, Sendable {
    public var people: [Person]
    public var notes: TimelinePage
    public init(people: [Person], notes: TimelinePage) {
        self.people = people
        self.notes = notes
    }
}

/// What a person wrote and means to publish.
public struct Composition: Hashable, Sendable {
    /// The text; `@name` completions are already `nostr:npub…`, emoji `:code:`.
    public var text: String
    /// The note it answers.
    public var replyTo: EventID?
    /// The note it quotes.
    public var quote: EventID?
    /// A content warning (NIP-36); empty for one without a reason.
    public var contentWarning: String?

    public init(text: String, replyTo: EventID? = nil, quote: EventID? = nil, contentWarning: String? = nil) {
        self.text = text
        self.replyTo = replyTo
        self.quote = quote
        self.contentWarning = contentWarning
    }
}

/// Something changed; screens read again what they show.
public enum AccountChange: Hashable, Sendable {
    /// A note for the home timeline was stored.
    case homeNote(EventID, author: PublicKey, createdAt: Timestamp)
    /// A reply, reaction, repost or deletion touching this note was stored.
    case touched(EventID)
    /// A person's profile or relay list changed.
    case person(PublicKey)
    /// The account's own follow list changed.
    case follows
    /// A relay answered about one's own event.
    case receipt(EventID)
    /// The state of the connections changed.
    case connection
    /// Older notes that a page of this timeline was waiting for have come, or there are none.
    case timeline(TimelineSource)
    /// Relays have answered this search; search again to read what came from the store.
    case search(String)
    /// Changes were missed; read everything again.
    case missed
}

/// How the network stands, in one line.
public struct ConnectionSummary: Hashable, Sendable {
    /// Relays connected, of those wanted.
    public var connected: Int
    public var wanted: Int
    /// Events waiting to be delivered.
    public var queued: Int
    public init(connected: Int, wanted: Int, queued: Int) {
        self.connected = connected
        self.wanted = wanted
        self.queued = queued
    }
}

/// What one relay said about one event.
public struct PublishReceipt: Hashable, Sendable {
    public var relay: RelayURL
    /// Why this relay was chosen.
    public enum Purpose: Hashable, Sendable {
        case ownWrite, readOf(PublicKey), indexer
    }
    public var purpose: Purpose
    /// How it stands.
    public enum State: Hashable, Sendable {
        case waiting(attempts: Int, next: Timestamp)
        case accepted(Timestamp)
        case givenUp(String)
    }
    public var state: State
    /// What the relay (or the network) said last.
    public var lastAnswer: String?
    public init(relay: RelayURL, purpose: Purpose, state: State, lastAnswer: String?) {
        self.relay = relay
        self.purpose = purpose
        self.state = state
        self.lastAnswer = lastAnswer
    }
}

/// One relay in use.
public struct RelayReport: Hashable, Sendable {
    public var relay: RelayURL
    public var statistics: RelayStatistics
    /// Followed authors read from here.
    public var authors: [PublicKey]
    /// Whether it is on one's own list to read, to write.
    public var isOwnRead: Bool, isOwnWrite: Bool
    public init(
        relay: RelayURL, statistics: RelayStatistics, authors: [PublicKey], isOwnRead: Bool, isOwnWrite: Bool
    ) {
        self.relay = relay
        self.statistics = statistics
        self.authors = authors
        self.isOwnRead = isOwnRead
        self.isOwnWrite = isOwnWrite
    }
}

/// What was asked for one author, and what came.
public struct AuthorCoverage: Hashable, Sendable {
    public var person: Person
    /// The relays asked, and how each ended (`nil` while it runs).
    public var asked: [RelayURL: RelayEnding?]
    /// Events of this author from each relay.
    public var received: [RelayURL: Int]
    /// Whether the author has a relay list, or was found by hints or indexers.
    public enum Basis: Hashable, Sendable { case relayList, hints, indexers }
    public var basis: Basis
    public init(person: Person, asked: [RelayURL: RelayEnding?], received: [RelayURL: Int], basis: Basis) {
        self.person = person
        self.asked = asked
        self.received = received
        self.basis = basis
    }
}
