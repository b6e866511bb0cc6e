public import NostrClient
public import NostrCore
internal import NostrNIPs

/// What open pages hear of the world, gathered between two deliveries.
///
/// One stream serves all pages of a browser, so it says nothing that depends on what one of them shows.
///
/// Bounded: however much happens, one digest stays small.
public struct LiveState: Equatable, Sendable {
    private var gathered = LiveDigest()

    /// Listens from here on.
    public init() {}

    /// Takes in a change.
    public mutating func apply(_ change: AccountChange) {
        switch change {
        case .homeNote(let id, _, let createdAt, let reposted):
            gathered.insert(note: ArrivedNote(TimelineCursor(createdAt: createdAt, id: id), reposting: reposted))
        case .feedNote(let feed, let id, let createdAt, let reposted):
            gathered.insert(
                ArrivedNote(TimelineCursor(createdAt: createdAt, id: id), reposting: reposted), of: feed)
        case .touched(let id): gathered.insert(id, into: \.touched)
        case .receipt(let id): gathered.insert(id, into: \.receipts)
        case .connection: gathered.connectionChanged = true
        case .timeline: gathered.olderCame = true
        case .search: gathered.searchAnswered = true
        case .conversation(let room): gathered.insert(room)
        case .messaging: gathered.messagingChanged = true
        case .streams: gathered.insert(stream: StreamWord.list)
        case .stream(let address): gathered.insert(stream: StreamWord.word(of: address))
        case .notifications: gathered.notificationsChanged = true
        case .circle(let id): gathered.insert(id)
        case .circles: gathered.circlesChanged = true
        case .lock: gathered.lockChanged = true
        case .follows, .mutes, .missed: gathered.missed = true
        case .lists: gathered.listsChanged = true
        case .person, .work: break
        }
    }

    /// Whether something gathered since the last time.
    var hasNews: Bool { gathered != LiveDigest() }

    /// Hands out what gathered since the last time; `nil` when nothing did.
    public mutating func takeDigest() -> LiveDigest? {
        defer { gathered = LiveDigest() }
        return hasNews ? gathered : nil
    }
}

/// What happened since the last delivery: one property for each thing that pages hear of.
public struct LiveDigest: Equatable, Sendable {
    /// Notes that came for the home timeline, at most ``limit``; a page knows which of them it does not show.
    public var homeNotes: Set<ArrivedNote> = []
    /// Notes that came for feeds beside home, by the ``/NostrClient/TimelineSource/word`` of each; ``limit`` of one.
    public var feedNotes: [String: Set<ArrivedNote>] = [:]
    /// Notes whose counts changed, at most ``limit``.
    public var touched: Set<EventID> = []
    /// One's own events relays answered about, at most ``limit``.
    public var receipts: Set<EventID> = []
    /// Whether the connections changed.
    public var connectionChanged = false
    /// Whether older notes came that a timeline waited for.
    public var olderCame = false
    /// Whether relays answered a search.
    public var searchAnswered = false
    /// Private conversations in which something came or went, by their ``/NostrNIPs/ChatRoom/word``; at most ``limit``.
    public var conversations: Set<String> = []
    /// Whether messages can be read, or how many are unread, changed.
    public var messagingChanged = false
    /// Live streams in which something came or went, by their ``StreamWord``; at most ``limit``.
    public var streams: Set<String> = []
    /// Whether something came that concerns the account, or some of it was read.
    public var notificationsChanged = false
    /// Circles in which something came or went, by their ids in hex; at most ``limit``.
    public var circles: Set<String> = []
    /// Whether there are other circles, or something waits for an answer.
    public var circlesChanged = false
    /// Whether one of the account's lists or drafts changed.
    public var listsChanged = false
    /// Whether the key may have been locked or unlocked.
    public var lockChanged = false
    /// Whether something was missed, so that the page may be stale.
    public var missed = false

    /// The most ids of one sort; beyond it, the page is told it missed something.
    public static let limit = 100

    mutating func insert(_ id: EventID, into ids: WritableKeyPath<LiveDigest, Set<EventID>>) {
        if self[keyPath: ids].count < Self.limit { self[keyPath: ids].insert(id) } else { missed = true }
    }

    mutating func insert(note: ArrivedNote) {
        if homeNotes.count < Self.limit { homeNotes.insert(note) } else { missed = true }
    }

    mutating func insert(_ note: ArrivedNote, of feed: TimelineSource) {
        let word = feed.word
        guard feedNotes[word] != nil || feedNotes.count < Self.limit, feedNotes[word]?.count ?? 0 < Self.limit else {
            missed = true
            return
        }
        feedNotes[word, default: []].insert(note)
    }

    mutating func insert(stream word: String) {
        if streams.count < Self.limit { streams.insert(word) } else { missed = true }
    }

    mutating func insert(_ circle: CircleID) {
        // The list of circles changes with everything in one of them.
        circlesChanged = true
        if circles.count < Self.limit { circles.insert(circle.hex) } else { missed = true }
    }

    mutating func insert(_ room: ChatRoom) {
        // The list of conversations changes with every message in one of them.
        messagingChanged = true
        if conversations.count < Self.limit { conversations.insert(room.word) } else { missed = true }
    }
}
