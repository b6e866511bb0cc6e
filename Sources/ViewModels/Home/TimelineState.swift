public import NostrClient
public import NostrCore

/// A timeline that is read downwards without end: Home, a person's notes, a hashtag.
///
/// New notes never push what is being read: they are counted, and shown when asked for, each at its place: relays bring
/// notes late, and out of order.
public struct TimelineState: Screen {
    /// Whose account reads.
    public let own: PublicKey
    /// Which notes.
    public let source: TimelineSource
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The notes, newest first, each once.
    public private(set) var notes: [NoteItem] = []
    /// Where older notes start; `nil` at the end of what is known.
    public private(set) var next: TimelineCursor?
    /// Whether relays are being asked for older notes.
    public private(set) var isLoadingOlder = false
    /// Whether the account follows nobody, as far as is known.
    public private(set) var followsNobody = false
    /// What came since and belongs above or between what is shown: notes, and of a repost the note inside.
    public private(set) var waiting: Set<EventID> = []
    /// Whether there may be more waiting than ``waiting`` holds.
    public private(set) var waitingIsPartial = false

    /// Whether it holds the notes of the people the account follows.
    public var isHome: Bool { source == .home }

    /// Where older pages start, which bring what lies below; `nil` where none are known, and whatever comes is news.
    private var floor: TimelineCursor? { elsewhere.map(\.floor) ?? next }
    /// The lowest place of those that wait.
    private var lowestWaiting: TimelineCursor?
    private let elsewhere: ShownNotes?
    private var shown: Set<EventID> = []
    /// The notes on cards; of a repost, the note inside.
    private var cards: Set<EventID> = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened: at the top, or below a place.
        case opened(below: TimelineCursor?)
        /// The end of the list came into view.
        case reachedEnd
        /// The person asked for what is waiting: what was counted here, or so many that a page elsewhere counted.
        case showWaiting(count: Int = 0)
        /// A page came, for the end of the list.
        case older(TimelinePage)
        /// A page came, of what is newest: what of it is not shown goes to its place.
        case newer(TimelinePage)
        /// Reading failed.
        case failed(Trouble)
        /// The account changed.
        case changed(AccountChange)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read a page below a place and answer with ``Input/older(_:)``.
        case readOlder(below: TimelineCursor?, limit: Int)
        /// Read the newest and answer with ``Input/newer(_:)``.
        case readNewest(limit: Int)
    }

    /// How many notes a page has.
    public static let pageSize = 30
    /// How many waiting notes are shown at once.
    static let mostShown = 200
    /// How many waiting notes are counted one by one.
    static let waitingLimit = 500

    /// A timeline not opened yet.
    ///
    /// - Parameter elsewhere: what a page shows that asks for the rest.
    public init(_ source: TimelineSource, own: PublicKey, elsewhere: ShownNotes? = nil) {
        self.source = source
        self.own = own
        self.elsewhere = elsewhere
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let place):
            phase = .loading
            return [.readOlder(below: place, limit: Self.pageSize)]
        case .reachedEnd:
            guard let next, !isLoadingOlder else { return [] }
            isLoadingOlder = true
            return [.readOlder(below: next, limit: Self.pageSize)]
        case .showWaiting(let count):
            let place = lowestWaiting
            let isBetween = place.map { place in notes.contains { isLater($0.cursor, than: place) } } ?? false
            // A card may stand for several events, and some events have none: how many lie above is not known here.
            let expected = isBetween ? Self.mostShown : max(waiting.count, min(max(count, 0), Self.mostShown))
            return [.readNewest(limit: min(Self.mostShown, max(Self.pageSize, expected + 1)))]
        case .older(let page):
            append(page)
            return []
        case .newer(let page):
            insert(page)
            return []
        case .failed(let trouble):
            isLoadingOlder = false
            if notes.isEmpty { phase = .failed(trouble) }
            return []
        case .changed(let change):
            return apply(change)
        }
    }

    private mutating func append(_ page: TimelinePage) {
        phase = .ready
        var read: [EventID: NoteItem] = [:]
        notes += page.notes.compactMap { fresh($0, &read) }
        next = page.next
        waiting.subtract(shown)
        waiting.subtract(cards)
        isLoadingOlder = page.isLoadingOlder
        followsNobody = page.followsNobody
    }

    private mutating func insert(_ page: TimelinePage) {
        phase = .ready
        let late = page.notes.filter { note in floor.map { isLater(note.event.cursor, than: $0) } ?? true }
        // Where nothing was shown, the page is what was read so far.
        if notes.isEmpty { next = page.next }
        var read: [EventID: NoteItem] = [:]
        notes = (late.compactMap { fresh($0, &read) } + notes).sorted { isLater($0.cursor, than: $1.cursor) }
        waiting = []
        lowestWaiting = nil
        waitingIsPartial = false
    }

    private mutating func fresh(_ note: Note, _ read: inout [EventID: NoteItem]) -> NoteItem? {
        guard !isElsewhere(note.event.id), shown.insert(note.event.id).inserted,
            let item = NoteItem(note, own: own, read: &read), !isElsewhere(item.id)
        else { return nil }
        // A note and its reposts are one card: the first that comes, which is the newest.
        return cards.insert(item.id).inserted ? item : nil
    }

    private func isElsewhere(_ id: EventID) -> Bool { elsewhere?.holds(id) ?? false }

    private mutating func wait(for id: EventID, at createdAt: Timestamp, reposting reposted: EventID?) {
        let place = TimelineCursor(createdAt: createdAt, id: id)
        let card = reposted ?? id
        guard !shown.contains(id), !cards.contains(card), floor.map({ isLater(place, than: $0) }) ?? true
        else { return }
        guard waiting.count < Self.waitingLimit else {
            waitingIsPartial = true
            return
        }
        waiting.insert(card)
        if lowestWaiting.map({ isLater($0, than: place) }) ?? true { lowestWaiting = place }
    }

    private mutating func apply(_ change: AccountChange) -> [Effect] {
        switch change {
        case .homeNote(let id, _, let createdAt, let reposted):
            guard source == .home else { return [] }
            wait(for: id, at: createdAt, reposting: reposted)
        case .feedNote(let feed, let id, let createdAt, let reposted):
            guard feed == source else { return [] }
            wait(for: id, at: createdAt, reposting: reposted)
        case .missed:
            if source == .home { waitingIsPartial = true }
        case .timeline(let arrived):
            guard arrived == source, isLoadingOlder, let last = notes.last?.cursor ?? next else { return [] }
            return [.readOlder(below: last, limit: Self.pageSize)]
        case .touched, .person, .follows, .receipt, .connection, .search, .conversation, .messaging, .lists, .mutes,
            .work, .circle, .circles, .streams, .stream, .lock, .notifications:
            break
        }
        return []
    }
}

/// Whether a place comes above another: later, or at the same moment with the lower id.
func isLater(_ a: TimelineCursor, than b: TimelineCursor) -> Bool {
    a.createdAt == b.createdAt ? a.id < b.id : a.createdAt > b.createdAt
}
