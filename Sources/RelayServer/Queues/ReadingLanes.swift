internal import AsyncPrimitives
internal import NostrCore

/// The turns in which the questions of all clients read the store: those that name their events have turns of their own.
///
/// Such a lookup costs far less than a turn, and is what a client asks most often while it shows something. Behind wide
/// questions each would wait for slices that are a hundred times as long as itself, and a client that asks steadily would
/// use up its small share of them.
struct ReadingLanes: Sendable {
    private let wide: ReadingTurns
    private let lookups: ReadingTurns
    /// Rings when more or fewer questions wait.
    let changes = Doorbell()
    /// How many ids a lookup names at most, in all its filters.
    private let mostIDs = 64

    /// - Parameters:
    ///   - places: how many questions read at the same time, besides one lookup.
    ///   - slice: how long a turn is expected to take.
    ///   - uptime: the time since some fixed moment, by a clock that never goes back.
    init(places: Int, slice: Duration, uptime: @escaping @Sendable () -> Duration) {
        wide = ReadingTurns(places: places, slice: slice, uptime: uptime, changes: changes)
        lookups = ReadingTurns(places: 1, slice: slice, uptime: uptime, changes: changes)
    }

    /// How many questions wait for a turn.
    var waitingCount: Int { wide.waitingCount + lookups.waitingCount }

    /// Where a question waits for its turns.
    func turns(for filters: [Filter]) -> ReadingTurns {
        isLookup(filters) ? lookups : wide
    }

    /// A client has left: what it waits for is withdrawn.
    func withdraw(_ asker: Asker) {
        wide.withdraw(asker)
        lookups.withdraw(asker)
    }

    private func isLookup(_ filters: [Filter]) -> Bool {
        var named = 0
        for filter in filters {
            guard let ids = filter.ids, filter.search == nil else { return false }
            named += ids.count
        }
        return named <= mostIDs
    }
}
