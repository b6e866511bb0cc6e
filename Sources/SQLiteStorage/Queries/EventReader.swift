internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Answers questions inside one read transaction, so that all its answers are of one moment.
struct EventReader {
    /// How many entries of an index are read in the time that one event takes.
    private static let entriesPerEvent = 50

    let db: Database
    let authors: AuthorNumbers
    let now: Timestamp
    /// Asked between events whether to go on.
    var limit = ReadingLimit.cancellation

    /// The events any of the filters matches, in the order events are listed.
    func query(_ filters: [Filter]) throws -> [Event] {
        var found: [EventID: Event] = [:]
        var walk = FilterWalk()
        _ = try read(&walk, through: filters) { found[$0.id] = $0 }
        return found.values.sorted { $0.isListed(before: $1) }
    }

    /// Reads on at an answer: the newest of these events, as far as there is room for them, and the ids of the others.
    func read(_ reading: inout AnswerReading) throws {
        // The builder is moved out and in again, not copied.
        var builder = exchange(&reading.builder, with: StoredAnswerBuilder(bytes: 0))
        let pause = try read(&reading.walk, through: reading.filters, most: reading.most) { builder.add($0) }
        if pause == nil { reading.answer = builder.answer(most: reading.most) } else { reading.builder = builder }
    }

    /// Reads on at a count.
    func read(_ reading: inout CountReading) throws {
        if reading.isCounted == nil, let outcome = try countInIndex(reading.filters, lookingAt: reading.most) {
            reading.outcome = outcome
            return
        }
        let isCounted = reading.isCounted
        var found = exchange(&reading.found, with: [])
        let filters = reading.filters.map { filter in
            var filter = filter
            filter.limit = nil
            return filter
        }
        let pause = try read(&reading.walk, through: filters) { if isCounted?($0) ?? true { found.insert($0.id) } }
        switch pause {
        case nil: reading.outcome = .count(found.count)
        case .tooMuch: reading.outcome = .tooMuch
        case .paused: reading.found = found
        }
    }

    /// How many distinct events the filters match.
    func count(_ filters: [Filter]) throws -> Int {
        var reading = CountReading(filters, lookingAt: .max, where: nil)
        try read(&reading)
        guard case .count(let number)? = reading.outcome else { return 0 }
        return number
    }

    /// Counts by the index alone where that is exact; `nil` where it is not.
    private func countInIndex(_ filters: [Filter], lookingAt most: Int) throws -> CountReading.Outcome? {
        guard filters.count == 1, let filter = filters.first else { return nil }
        guard let plan = try FilterPlan(filter, authors: authors, db: db) else { return .count(0) }
        guard plan.candidates.isExact, !plan.candidates.mayOverlap else { return nil }
        let entries = most.multipliedReportingOverflow(by: Self.entriesPerEvent)
        let limit = entries.overflow ? .max - 1 : entries.partialValue
        let count = try plan.candidates.count(db, within: plan.range, now: now, atMost: limit + 1)
        return count > limit ? .tooMuch : .count(count)
    }

    /// How many kept events of each kind refer to each id.
    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) throws -> [EventID: [Kind: Int]] {
        let statement = try HotStatement(
            db,
            """
            SELECT kind FROM tag WHERE letter = ?1 AND value = ?2
            AND key NOT IN (SELECT key FROM event WHERE expires_at <= ?3)
            """)
        defer { statement.reset() }
        statement.bind(Int64(UInt8(ascii: "e")), at: 1)
        statement.bind(now.seconds, at: 3)
        var counts: [EventID: [Kind: Int]] = [:]
        for id in ids {
            statement.bind(blob: id.bytes, at: 2)
            // Counted here: SQLite would sort them by kind first.
            var counted: [Kind: Int] = [:]
            while try statement.step() {
                guard let kind = UInt16(exactly: statement.int(0)).map({ Kind($0) }), kinds.contains(kind) else {
                    continue
                }
                counted[kind, default: 0] += 1
            }
            statement.reset()
            if !counted.isEmpty { counts[id] = counted }
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
}
