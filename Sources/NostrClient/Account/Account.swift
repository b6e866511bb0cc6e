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

    /// How much work (NIP-13) goes into what one publishes.
    func workPolicy() async throws -> WorkPolicy
    /// Changes that from now on, durably.
    func setWorkPolicy(_ policy: WorkPolicy) async throws
    /// Work being put into an event right now; publishing waits for it.
    func workInProgress() async -> WorkInProgress?
    /// Ends the work at hand: what waits for it is published without.
    func skipWork() async

    // Being honest
    /// Where an event of one's own was offered and what each relay said.
    func receipts(for id: EventID) async throws -> [PublishReceipt]
    /// Every relay in use: health, whom it serves, what it gave.
    func relays() async throws -> [RelayReport]
    /// Per followed author: what was asked of which relays and what came.
    func coverage() async throws -> [AuthorCoverage]

    // What only a person themselves has
    /// One's private messages; `nil` for an account without a key.
    var messages: (any Messaging)? { get }
    /// One's private circles; `nil` for an account without a key.
    var circles: (any CircleKeeping)? { get }
    /// One's lists and drafts; `nil` for an account without a key.
    var lists: (any ListKeeping)? { get }
    /// Earlier versions of what one published; `nil` where none are kept.
    var history: (any VersionHistory)? { get }
}

extension Account {
    /// No work.
    public func workPolicy() async throws -> WorkPolicy { WorkPolicy() }
    /// Refuses: there is nothing to keep it in.
    public func setWorkPolicy(_ policy: WorkPolicy) async throws { throw AccountError.readOnly }
    /// No work.
    public func workInProgress() async -> WorkInProgress? { nil }
    /// Nothing to end.
    public func skipWork() async {}
    /// No messages.
    public var messages: (any Messaging)? { nil }
    /// No circles.
    public var circles: (any CircleKeeping)? { nil }
    /// No lists.
    public var lists: (any ListKeeping)? { nil }
    /// No history.
    public var history: (any VersionHistory)? { nil }
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
