internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Answers questions inside one read transaction, so that all its answers are of one moment.
struct EventReader {
    /// How many candidates are read at once where a filter has no limit.
    private static let page = 4096
    /// How many entries of an index are read in the time that one event takes.
    private static let entriesPerEvent = 50

    let db: Database
    let authors: AuthorNumbers
    let now: Timestamp

    /// The events any of the filters matches, in the order events are listed.
    func query(_ filters: [Filter]) throws -> [Event] {
        var found: [EventID: Event] = [:]
        for filter in filters {
            try visit(filter, limit: filter.limit ?? .max) { found[$0.id] = $0 }
        }
        return found.values.sorted { $0.isListed(before: $1) }
    }

    /// The newest of these events, as far as there is room for them, and the ids of the others.
    func answer(_ filters: [Filter], bytes: Int, most: Int) throws -> StoredAnswer {
        var builder = StoredAnswerBuilder(bytes: bytes)
        for filter in filters {
            try visit(filter, limit: min(filter.limit ?? .max, most)) { builder.add($0) }
        }
        return builder.answer(most: most)
    }

    /// How many distinct events the filters match.
    func count(_ filters: [Filter]) throws -> Int {
        try count(filters, lookingAt: .max, where: nil) ?? 0
    }

    /// How many distinct events the filters match that pass a test; `nil` when more would have to be looked at.
    func count(
        _ filters: [Filter], lookingAt most: Int, where isCounted: ((Event) -> Bool)?
    ) throws -> Int? {
        if filters.count == 1, let filter = filters.first, isCounted == nil {
            guard let plan = try FilterPlan(filter, authors: authors, db: db) else { return 0 }
            if plan.candidates.isExact, !plan.candidates.mayOverlap {
                let entries = most.multipliedReportingOverflow(by: Self.entriesPerEvent)
                let limit = entries.overflow ? .max - 1 : entries.partialValue
                let count = try plan.candidates.count(db, within: plan.range, now: now, atMost: limit + 1)
                return count > limit ? nil : count
            }
        }
        var found: Set<EventID> = []
        var left = most
        for filter in filters {
            let isWhole = try visit(filter, limit: .max, lookingAt: &left) {
                if isCounted?($0) ?? true { found.insert($0.id) }
            }
            guard isWhole else { return nil }
        }
        return found.count
    }

    /// How many kept events of each kind refer to each id.
    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) throws -> [EventID: [Kind: Int]] {
        let statement = try HotStatement(
            db,
            """
            SELECT kind, count(*) FROM tag WHERE letter = ?1 AND value = ?2
            AND key NOT IN (SELECT key FROM event WHERE expires_at <= ?3) GROUP BY kind
            """)
        defer { statement.reset() }
        statement.bind(Int64(UInt8(ascii: "e")), at: 1)
        statement.bind(now.seconds, at: 3)
        var counts: [EventID: [Kind: Int]] = [:]
        for id in ids {
            statement.bind(blob: id.bytes, at: 2)
            while try statement.step() {
                guard let kind = UInt16(exactly: statement.int(0)).map({ Kind($0) }), kinds.contains(kind) else {
                    continue
                }
                counts[id, default: [:]][kind] = Int(statement.int(1))
            }
            statement.reset()
        }
        return counts
    }

    /// The relays an event was seen on.
    func relays(of id: EventID) throws -> Set<RelayURL> {
        let statement = try HotStatement(
            db,
            """
            SELECT r.url FROM event e JOIN seen s ON s.key = e.key JOIN relay r ON r.number = s.relay WHERE e.id = ?
            """)
        defer { statement.reset() }
        statement.bind(blob: id.bytes, at: 1)
        var relays: Set<RelayURL> = []
        while try statement.step() {
            // Only normalised addresses are stored; one that a later version refuses is left out.
            if let relay = try? RelayURL(statement.string(0)) { relays.insert(relay) }
        }
        return relays
    }

    /// Hands the newest events a filter matches to `body`, page by page.
    private func visit(_ filter: Filter, limit: Int, _ body: (Event) -> Void) throws {
        var left = Int.max
        _ = try visit(filter, limit: limit, lookingAt: &left, body)
    }

    /// The same, with a limit to the events that are read, whether they match or not.
    ///
    /// - Returns: `false` when that limit ended it.
    private func visit(
        _ filter: Filter, limit: Int, lookingAt left: inout Int, _ body: (Event) -> Void
    ) throws -> Bool {
        guard limit > 0, let plan = try FilterPlan(filter, authors: authors, db: db) else { return true }
        let terms = filter.search.map(SearchTerms.init)
        var range = plan.range
        var missing = limit
        // Where much is sorted out after reading, pages grow, so that few matches among many candidates take few rounds.
        var page = min(limit, Self.page)
        while true {
            let keys = try plan.candidates.page(db, within: range, limit: page)
            for key in keys {
                guard left > 0 else { return false }
                left -= 1
                guard let event = try storedEvent(at: key, in: db), filter.matches(event), terms?.match(event) != false,
                    !event.tags.isExpired(now: now)
                else { continue }
                body(event)
                missing -= 1
                if missing == 0 { return true }
            }
            guard keys.count == page, let last = keys.last, last.rowID > range.lowerBound else { return true }
            range = range.lowerBound...(last.rowID - 1)
            page = min(max(page * 2, 64), Self.page)
        }
    }
}
