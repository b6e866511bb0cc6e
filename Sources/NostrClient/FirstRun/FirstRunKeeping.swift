public import NostrCore
public import NostrNIPs

/// Leading somebody in: a new key to a home page, a key from elsewhere to all that is its own; implemented by
/// ``FirstRun``.
public protocol FirstRunKeeping: Sendable {
    /// How far the first run has come; `nil` for a key that was not made here, or long ago.
    func progress() async -> FirstRunProgress?
    /// Begins the first run of a key that was just made.
    ///
    /// - Parameter name: what the person called themselves.
    func begin(name: String) async throws
    /// Takes in what happened, and keeps it.
    ///
    /// - Returns: how far it has come now.
    @discardableResult
    func apply(_ input: FirstRunProgress.Input) async throws -> FirstRunProgress?
    /// Looks once more for what a step offers.
    func search(_ effect: FirstRunProgress.Effect) async

    /// The search for relays; `nil` before it began.
    func relays() async -> RelaySearch?
    /// The search for people to follow.
    func people() async -> PeopleSearch
    /// The search for topics.
    func topics() async -> TopicSearch

    /// Publishes where the account writes and reads (kind 10002) and where it wants private messages (kind 10050).
    ///
    /// - Parameter usages: all relays of the list; others are taken off.
    /// - Throws: ``AccountError``.
    func publish(relays usages: [RelayURL: RelayList.Usage]) async throws
    /// What relays answered to those two lists.
    func relayReceipts() async throws -> [PublishReceipt]
    /// Follows people, in one change; never the account itself.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    func follow(_ people: [PublicKey]) async throws -> Event
    /// Publishes topics as a set of interests (NIP-51, kind 30015).
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    func publish(topics: [String]) async throws -> Event

    /// What was found of a key that was brought.
    func arrival() async throws -> ArrivalReport
}

/// People to follow that were found for somebody who is new.
public struct PeopleSearch: Hashable, Sendable {
    /// Whether nothing more comes.
    public var isOver = false
    /// People who wrote a moment ago, in an order drawn by lot.
    public var active: [Person] = []
    /// People who make Nostr.
    public var creators: [Person] = []

    /// Nothing found yet.
    public init() {}
}

/// Topics that were found for somebody who is new.
public struct TopicSearch: Hashable, Sendable {
    /// Whether nothing more comes.
    public var isOver = false
    /// The topics, without `#`; those that are spoken of most first.
    public var topics: [String] = []

    /// Nothing found yet.
    public init() {}
}

/// What was found of an account whose key was brought.
public struct ArrivalReport: Hashable, Sendable {
    /// Whether relays were asked for everything of the account's own.
    public var isLookedUp = false
    /// Which of the account's own events are here.
    public var hasProfile = false
    /// Whether its relay list is here.
    public var hasRelays = false
    /// Whether it is said where private messages go.
    public var hasInbox = false
    /// How many people it follows.
    public var follows = 0
    /// Of how many of those it is known where they write.
    public var relayLists = 0
    /// How many of those were looked up, whether they have a list or not.
    public var lookedUp = 0
    /// How many other lists and sets of its own are here.
    public var lists = 0
    /// How many notes, articles, films and reposts of its own are here; older ones come when its page is read.
    public var notes = 0
    /// Whether relays are still being asked for what it wrote of late.
    public var awaitsNotes = false

    /// Nothing found yet.
    public init() {}

    /// Whether all that can be found is found.
    public var isOver: Bool { isLookedUp && !awaitsNotes && lookedUp >= follows }
}
