public import NostrCore

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
    /// Relays connected.
    public var connected: Int
    /// Relays that should be.
    public var wanted: Int
    /// Events waiting to be delivered.
    public var queued: Int

    /// Takes all.
    public init(connected: Int, wanted: Int, queued: Int) {
        self.connected = connected
        self.wanted = wanted
        self.queued = queued
    }
}
