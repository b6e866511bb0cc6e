internal import NostrCore
internal import NostrStore

/// Which events came while some relays were browsed, in the order of a timeline.
///
/// The store knows an event, not who showed it to the person; so this is kept beside it, for as long as the program runs.
struct BrowsedNotes: Sendable {
    /// Newest first.
    private var places: [TimelineCursor] = []
    private var known: Set<EventID> = []

    /// Takes what a relay gave; events from further ahead than clocks differ stay out, since they would stay on top.
    ///
    /// - Returns: those that were not there.
    @discardableResult
    mutating func insert(_ events: [Event], now: Timestamp) -> [Event] {
        let latest = now + .seconds(900)
        let fresh = events.filter { $0.createdAt <= latest && known.insert($0.id).inserted }
        guard !fresh.isEmpty else { return [] }
        places += fresh.map(\.cursor)
        places.sort { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
        return fresh
    }

    /// At most `limit` events after a cursor that pass a test, newest first, from the store.
    ///
    /// - Parameter since: the oldest moment to show; `nil` for all.
    /// - Returns: the events, and whether there were no more.
    func page(
        in store: any EventStore, since: Timestamp?, before cursor: TimelineCursor?, limit: Int,
        where passes: @Sendable (Event) -> Bool
    ) async throws -> (events: [Event], isExhausted: Bool) {
        var open = places[...].filter { place in
            (since.map { place.createdAt >= $0 } ?? true) && (cursor.map { place.isBelow($0) } ?? true)
        }[...]
        var found: [Event] = []
        while !open.isEmpty {
            let part = open.prefix(100)
            open = open.dropFirst(100)
            let events = try await store.query([Filter(ids: Set(part.map(\.id)))])
            found += events.filter(passes).sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
            if found.count > limit || found.count == limit && !open.isEmpty {
                return (Array(found.prefix(limit)), false)
            }
        }
        return (found, true)
    }
}

extension TimelineCursor {
    fileprivate func isBelow(_ other: TimelineCursor) -> Bool {
        createdAt < other.createdAt || createdAt == other.createdAt && other.id < id
    }
}
