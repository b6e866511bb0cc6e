internal import GRDB
internal import NostrCore

/// Where the events a filter may match are found: index ranges, each in time order, merged newest first.
///
/// A home feed is one stream per author and kind. Instead of reading each, the newest key of every stream is looked at;
/// the `limit`-th newest of those is a moment that no result is older than, and only the few streams with something newer are read.
struct CandidateStreams {
    /// What picks one stream out of the index the SQL reads.
    enum Selector {
        case everything
        case id(EventID)
        case number(Int64)
        case numbers(Int64, Int64)
        case tag(TagIndexEntry)
        case match(String)
    }

    /// Selects `key` of a table, with the conditions that pick a stream; its arguments begin at 1.
    let source: String
    /// The column that is the key: `key`, or `rowid`.
    let keyColumn: String
    /// What is picked out.
    ///
    /// Made when they are needed: of many people's kinds there are many, and a walk mostly finds enough before.
    private let streams: () -> [Selector]
    /// Looked at before the streams, where these are many.
    private let walk: KindWalk?
    /// Whether every candidate matches the filter unless it has expired.
    let isExact: Bool
    /// Whether an event can be in two streams.
    let mayOverlap: Bool

    init(
        _ source: String, keyColumn: String = "key", streams: @autoclosure @escaping () -> [Selector],
        after walk: KindWalk? = nil, isExact: Bool, mayOverlap: Bool = false
    ) {
        self.source = source
        self.keyColumn = keyColumn
        self.streams = streams
        self.walk = walk
        self.isExact = isExact
        self.mayOverlap = mayOverlap
    }

    /// The newest keys within a range, newest first.
    func page(_ db: Database, within range: ClosedRange<Int64>, limit: Int) throws -> [EventKey] {
        // Who wants more than there are streams mostly wants all of each.
        guard let walk, limit <= walk.streams else { return try newest(db, within: range, limit: limit) }
        let (found, rest) = try walk.newest(db, within: range, limit: limit)
        guard let rest else { return found }
        return found + (try newest(db, within: rest, limit: limit - found.count))
    }

    /// The newest keys of all streams.
    private func newest(_ db: Database, within range: ClosedRange<Int64>, limit: Int) throws -> [EventKey] {
        let streams = streams()
        let statement = try HotStatement(
            db,
            "SELECT \(keyColumn) FROM \(source) AND \(keyColumn) BETWEEN ?3 AND ?4 ORDER BY \(keyColumn) DESC LIMIT ?5")
        defer { statement.reset() }
        guard streams.count > 1 else {
            return try streams.first.map { try keys(statement, of: $0, within: range, limit: limit) } ?? []
        }
        guard streams.count >= limit else { return try merged(statement, streams, within: range, limit: limit) }
        let heads = try streams.compactMap { stream in
            try keys(statement, of: stream, within: range, limit: 1).first.map { (key: $0, stream: stream) }
        }.sorted { $0.key > $1.key }
        // What is in two streams is at the head of both.
        let distinct = mayOverlap ? Set(heads.map(\.key)).sorted(by: >) : heads.map(\.key)
        guard limit > 0, distinct.count >= limit else {
            return try merged(statement, heads.map(\.stream), within: range, limit: limit)
        }
        let floor = distinct[limit - 1]
        var found: Set<EventKey> = []
        for head in heads.prefix(while: { $0.key >= floor }) {
            let part = floor.rowID...range.upperBound
            found.formUnion(try keys(statement, of: head.stream, within: part, limit: limit))
        }
        return Array(found.sorted(by: >).prefix(limit))
    }

    /// The newest keys of fewer streams than keys are wanted.
    ///
    /// Of each somewhat more than its share is read at first; only of those that may hold more of the newest the rest.
    private func merged(
        _ statement: HotStatement, _ streams: [Selector], within range: ClosedRange<Int64>, limit: Int
    ) throws -> [EventKey] {
        guard limit > 0, !streams.isEmpty else { return [] }
        let share = min(limit / streams.count * 2 + 2, limit)
        var found: Set<EventKey> = []
        // Streams of which there may be more, and where that begins.
        var open: [(stream: Selector, next: Int64)] = []
        for stream in streams {
            let keys = try keys(statement, of: stream, within: range, limit: share)
            found.formUnion(keys)
            guard keys.count == share, share < limit, let last = keys.last?.rowID, last > range.lowerBound else {
                continue
            }
            open.append((stream, last - 1))
        }
        var newest = found.sorted(by: >)
        guard !open.isEmpty else { return Array(newest.prefix(limit)) }
        let floor = newest.count < limit ? range.lowerBound : newest[limit - 1].rowID
        for (stream, next) in open where next >= floor {
            found.formUnion(try keys(statement, of: stream, within: floor...next, limit: limit))
        }
        newest = found.sorted(by: >)
        return Array(newest.prefix(limit))
    }

    /// How many candidates have not expired, up to a limit; exact only where the streams are and do not overlap.
    func count(_ db: Database, within range: ClosedRange<Int64>, now: Timestamp, atMost most: Int) throws -> Int {
        let statement = try HotStatement(
            db,
            """
            SELECT count(*) FROM (SELECT 1 FROM \(source) AND \(keyColumn) BETWEEN ?3 AND ?4
            AND \(keyColumn) NOT IN (SELECT key FROM event WHERE expires_at <= ?5) LIMIT ?6)
            """)
        defer { statement.reset() }
        statement.bind(range.lowerBound, at: 3)
        statement.bind(range.upperBound, at: 4)
        statement.bind(now.seconds, at: 5)
        var total = 0
        for stream in streams() where total < most {
            bind(stream, to: statement)
            statement.bind(Int64(most - total), at: 6)
            if try statement.step() { total += Int(statement.int(0)) }
            statement.reset()
        }
        return total
    }

    /// The newest keys of one stream within a range.
    private func keys(
        _ statement: HotStatement, of stream: Selector, within range: ClosedRange<Int64>, limit: Int
    ) throws -> [EventKey] {
        bind(stream, to: statement)
        statement.bind(range.lowerBound, at: 3)
        statement.bind(range.upperBound, at: 4)
        statement.bind(Int64(limit), at: 5)
        defer { statement.reset() }
        var keys: [EventKey] = []
        while try statement.step() { keys.append(EventKey(rowID: statement.int(0))) }
        return keys
    }

    private func bind(_ stream: Selector, to statement: HotStatement) {
        switch stream {
        case .everything: break
        case .id(let id): statement.bind(blob: id.bytes, at: 1)
        case .number(let number): statement.bind(number, at: 1)
        case .numbers(let first, let second):
            statement.bind(first, at: 1)
            statement.bind(second, at: 2)
        case .tag(let entry): entry.bind(to: statement, at: 1)
        case .match(let words): statement.bind(text: words, at: 1)
        }
    }
}
