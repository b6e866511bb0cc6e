internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Why a walk through filters has not come to its end.
enum WalkPause {
    /// It was told to pause.
    case paused
    /// More would have to be looked at than may be.
    case tooMuch
}

extension EventReader {
    /// How many candidates are read at once where a filter has no limit.
    private static let page = 4096

    /// Hands the newest events that each filter matches to `body`, from where the walk was left.
    ///
    /// - Parameter most: how many of each filter at most.
    /// - Returns: `nil` at the end.
    /// - Throws: `CancellationError` when it is told to stop.
    func read(
        _ walk: inout FilterWalk, through filters: [Filter], most: Int = .max, _ body: (Event) -> Void
    ) throws -> WalkPause? {
        while walk.filter < filters.count {
            let filter = filters[walk.filter]
            let wanted = min(filter.limit ?? .max, most)
            if wanted > 0, let plan = try FilterPlan(filter, authors: authors, db: db),
                let pause = try read(&walk, plan, wanted: wanted, body)
            {
                return pause
            }
            walk.filter += 1
            walk.place = nil
        }
        return nil
    }

    private func read(
        _ walk: inout FilterWalk, _ plan: FilterPlan, wanted: Int, _ body: (Event) -> Void
    ) throws -> WalkPause? {
        let terms = plan.filter.search.map(SearchTerms.init)
        // Where much is sorted out after reading, pages grow, so that few matches among many candidates take few rounds.
        var place = walk.place ?? .init(range: plan.range, page: min(wanted, Self.page), missing: wanted)
        while true {
            while let key = place.keys.popFirst() {
                guard walk.left > 0 else { return .tooMuch }
                walk.left -= 1
                if let event = try event(at: key, plan.filter, terms) {
                    body(event)
                    place.missing -= 1
                    if place.missing == 0 { return nil }
                }
                // After an event, not before it, so that every step gets on.
                if try isToPause() {
                    walk.place = place
                    return .paused
                }
            }
            guard try find(&place, plan) else { return nil }
        }
    }

    /// Looks for the next keys; `false` when there are none.
    private func find(_ place: inout FilterWalk.Place, _ plan: FilterPlan) throws -> Bool {
        guard let range = place.range else { return false }
        let keys = try plan.candidates.page(db, within: range, limit: place.page)
        place.keys = keys.map(\.rowID)[...]
        let isAll = keys.count < place.page || (keys.last?.rowID ?? range.lowerBound) <= range.lowerBound
        place.range = isAll ? nil : keys.last.map { range.lowerBound...($0.rowID - 1) }
        place.page = min(max(place.page * 2, 64), Self.page)
        return !keys.isEmpty
    }

    /// The event with a key, if it is one that the filter asks for.
    private func event(at key: Int64, _ filter: Filter, _ terms: SearchTerms?) throws -> Event? {
        guard let event = try storedEvent(at: EventKey(rowID: key), in: db), filter.matches(event),
            terms?.match(event) != false, !event.tags.isExpired(now: now)
        else { return nil }
        return event
    }

    private func isToPause() throws -> Bool {
        switch limit.sign() {
        case .goOn: return false
        case .pause: return true
        case .stop: throw CancellationError()
        }
    }
}
