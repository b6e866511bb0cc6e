import NostrCore

/// One filter asked page by page, newest first, until the relay has no more or enough came.
///
/// A page that comes back full is continued with `until` at its oldest second, inclusive, so that events of the same
/// second on both sides of the cut are not lost; what comes twice is recognised by its id.
struct PagedFilter: Hashable, Sendable {
    /// What is asked for; the caller's limit counts over all pages.
    let filter: Filter
    private let pageSize: Int
    private var until: Timestamp?
    private var arrived = 0
    private var page = Page()
    /// The ids of the oldest second reached so far.
    private var boundary: Set<EventID> = []

    private struct Page: Hashable, Sendable {
        var asked = 0
        var events = 0
        var new = 0
        var oldest: Timestamp?
        var ids: Set<EventID> = []
    }

    /// - Parameters:
    ///   - until: where to go on, for what was begun elsewhere.
    ///   - seen: the ids of that second already had.
    init(_ filter: Filter, pageSize: Int, until: Timestamp? = nil, seen: Set<EventID> = []) {
        self.filter = filter
        self.pageSize = max(pageSize, 1)
        self.until = until ?? filter.until
        boundary = seen
    }

    /// The filter of the next page; forgets what came of a page that broke off.
    mutating func nextPage(relayLimit: Int?) -> Filter {
        let left = filter.limit.map { max($0 - arrived, 0) } ?? pageSize
        // The boundary's own second comes again; room for it, or a small page could never get past it.
        let room = filter.limit == nil ? 0 : boundary.count
        page = Page(asked: min(left + room, pageSize, relayLimit ?? pageSize))
        return filter.with {
            $0.until = until
            $0.limit = page.asked
        }
    }

    /// Notes an event of this page; `false` when it is more than was asked for.
    mutating func didReceive(_ event: Event) -> Bool {
        page.events += 1
        if until == nil || event.createdAt != until || !boundary.contains(event.id) { page.new += 1 }
        if let oldest = page.oldest, event.createdAt > oldest {
            // Not the oldest second.
        } else {
            if page.oldest != event.createdAt { page.ids = [] }
            page.oldest = event.createdAt
            page.ids.insert(event.id)
        }
        // New events may come between the stored ones, so a few more than asked are no lie.
        return page.events <= page.asked + 100
    }

    /// The page ended; whether another one is needed.
    ///
    /// - Parameter relayLimit: what the relay says it cuts pages to; without it any page of 100 may have been cut.
    mutating func didEnd(relayLimit: Int?) -> Bool {
        arrived += page.new
        guard let oldest = page.oldest, filter.search == nil, filter.limit.map({ arrived < $0 }) ?? true else {
            return false
        }
        if let ids = filter.ids, arrived >= ids.count { return false }
        let full = min(page.asked, relayLimit ?? 100)
        guard page.events >= full else { return false }
        if page.new > 0 {
            boundary = oldest == until ? boundary.union(page.ids) : page.ids
            until = oldest
        } else {
            // A whole page of one second, all known: the protocol cannot reach the rest of that second.
            boundary = []
            until = oldest - .seconds(1)
        }
        return (until?.seconds ?? 0) >= (filter.since?.seconds ?? 0)
    }
}
