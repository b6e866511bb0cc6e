import NostrCore

/// One filter asked page by page, newest first, until the relay has no more or enough came.
///
/// A page that comes back full is continued with `until` at its oldest second, inclusive, so that events of the same
/// second on both sides of the cut are not lost; what comes twice is recognised by its id. Some relays leave that
/// second out, against NIP-01: then none of the known ones comes back, and the question is put one second later.
///
/// Where each author has at most one event of each kind that is asked for (NIP-01, replaceable events), the pages after
/// the first leave out those of whom all came.
struct PagedFilter: Hashable, Sendable {
    /// What is asked for; the caller's limit counts over all pages.
    let filter: Filter
    /// Whether this relay takes `until` as exclusive.
    private(set) var isUntilExclusive: Bool
    private let pageSize: Int
    /// The oldest second reached so far, and the ids had of it.
    private var reached: Timestamp?
    private var boundary = Boundary()
    private var arrived = 0
    private var page = Page()
    /// Which kinds came of each author; `nil` where an author may have more than one event of a kind.
    private var given: [PublicKey: Set<Kind>]?

    private struct Boundary: Hashable, Sendable {
        /// Had before this began.
        var seen: Set<EventID> = []
        /// Had since, and who wrote them.
        var ids: [EventID: PublicKey] = [:]

        var count: Int { seen.count + ids.count }

        func contains(_ id: EventID) -> Bool { ids[id] != nil || seen.contains(id) }
    }

    private struct Page: Hashable, Sendable {
        var asked = 0
        var events = 0
        var new = 0
        var returned = 0
        var oldest: Timestamp?
        var ids: [EventID: PublicKey] = [:]
    }

    /// - Parameters:
    ///   - reached: where to go on, for what was begun elsewhere.
    ///   - seen: the ids of that second already had.
    init(
        _ filter: Filter, pageSize: Int, reached: Timestamp? = nil, seen: Set<EventID> = [],
        isUntilExclusive: Bool = false
    ) {
        self.filter = filter
        self.isUntilExclusive = isUntilExclusive
        self.pageSize = max(pageSize, 1)
        self.reached = reached
        boundary.seen = seen
        let kinds = filter.kinds ?? []
        if reached == nil, filter.authors != nil, !kinds.isEmpty, kinds.allSatisfy({ $0.retention == .replaceable }) {
            given = [:]
        }
    }

    /// Of whom something may still come.
    private var open: Set<PublicKey>? {
        guard let given, let kinds = filter.kinds else { return filter.authors }
        return filter.authors?.filter { !kinds.isSubset(of: given[$0] ?? []) }
    }

    /// The filter of the next page; forgets what came of a page that broke off.
    mutating func nextPage(relayLimit: Int?) -> Filter {
        let left = filter.limit.map { max($0 - arrived, 0) } ?? pageSize
        // The boundary's own second comes again; without room for it a small page could never get past it.
        let room = filter.limit == nil ? 0 : boundary.count
        page = Page(asked: min(left + room, pageSize, relayLimit ?? pageSize))
        return filter.with {
            if let reached { $0.until = isUntilExclusive ? reached + .seconds(1) : reached }
            $0.limit = page.asked
            $0.authors = open
        }
    }

    /// Notes an event of this page; `false` when it is more than was asked for.
    mutating func didReceive(_ event: Event) -> Bool {
        // New events may come between the stored ones, so a few more than asked are no lie.
        guard page.events < page.asked + 100 else { return false }
        page.events += 1
        given?[event.pubkey, default: []].insert(event.kind)
        if let reached, event.createdAt >= reached {
            if event.createdAt > reached || boundary.contains(event.id) { page.returned += 1 } else { page.new += 1 }
        } else {
            page.new += 1
        }
        if page.oldest.map({ event.createdAt <= $0 }) ?? true {
            if page.oldest != event.createdAt { page.ids = [:] }
            page.oldest = event.createdAt
            page.ids[event.id] = event.pubkey
        }
        return true
    }

    /// The page ended; whether another one is needed.
    ///
    /// - Parameter relayLimit: what the relay says it cuts pages to; without it any page of 100 may have been cut.
    mutating func didEnd(relayLimit: Int?) -> Bool {
        if boundary.count > 0, page.returned == 0, !isUntilExclusive {
            // The same page again, one second later: nothing of this one counts.
            isUntilExclusive = true
            return true
        }
        arrived += page.new
        guard let oldest = page.oldest, filter.search == nil, filter.limit.map({ arrived < $0 }) ?? true else {
            return false
        }
        if let ids = filter.ids, arrived >= ids.count { return false }
        guard page.events >= min(page.asked, relayLimit ?? 100) else { return false }
        let open = open
        if let open, open.isEmpty { return false }
        if page.new > 0 {
            if oldest != reached { boundary = Boundary() }
            // Of those who are not asked about again nothing of that second comes back.
            boundary.ids = boundary.ids.merging(page.ids) { $1 }.filter { open?.contains($0.value) ?? true }
            reached = oldest
        } else {
            // A whole page of one second, all known: the protocol cannot reach the rest of that second.
            boundary = Boundary()
            reached = oldest - .seconds(1)
        }
        return (reached?.seconds ?? 0) >= (filter.since?.seconds ?? 0)
    }
}
