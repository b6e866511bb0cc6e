internal import GRDB

/// Walks down the indexes of some kinds side by side, newest first, and picks out what some authors wrote.
///
/// Authors are in the index, so nothing of a stranger's note is read. Where the authors wrote much of what is there, as
/// in the store of somebody who follows them, a page is found in a few hundred entries, however many they are. Where
/// they wrote little the walk gives up, and what it has not seen is left to ``CandidateStreams``.
struct KindWalk {
    /// So many entries take less time than one look at a stream.
    private static let entriesPerStream = 3

    let kinds: [Int64]
    let authors: AuthorSet
    /// How many streams of one author and kind there are.
    let streams: Int

    /// The newest keys within a range, newest first, and the part of the range that was not looked at.
    func newest(
        _ db: Database, within range: ClosedRange<Int64>, limit: Int
    ) throws -> (keys: [EventKey], rest: ClosedRange<Int64>?) {
        var cursors: [KindCursor] = []
        defer { for cursor in cursors { cursor.end() } }
        for kind in kinds { cursors.append(try KindCursor(db, kind: kind, within: range)) }
        var keys: [EventKey] = []
        for _ in 0..<streams * Self.entriesPerStream {
            guard let next = cursors.indices.max(by: { cursors[$0].key < cursors[$1].key }),
                cursors[next].key >= range.lowerBound
            else { return (keys, nil) }
            if authors.contains(cursors[next].author) {
                keys.append(EventKey(rowID: cursors[next].key))
                if keys.count == limit { return (keys, nil) }
            }
            try cursors[next].advance()
        }
        guard let next = cursors.map(\.key).max(), next >= range.lowerBound else { return (keys, nil) }
        return (keys, range.lowerBound...next)
    }
}

/// A place in the index of one kind.
private struct KindCursor {
    /// The key at this place; -1 behind the end.
    private(set) var key: Int64 = -1
    /// Who wrote what is at this place.
    private(set) var author: Int64 = 0
    private let statement: HotStatement

    /// Begins at the newest within a range.
    init(_ db: Database, kind: Int64, within range: ClosedRange<Int64>) throws {
        // The kind is in the text, so that each kind has a statement of its own.
        statement = try HotStatement(
            db,
            """
            SELECT key, author FROM event INDEXED BY event_by_kind
            WHERE kind = \(kind) AND key BETWEEN ?1 AND ?2 ORDER BY key DESC
            """)
        statement.bind(range.lowerBound, at: 1)
        statement.bind(range.upperBound, at: 2)
        try advance()
    }

    /// Goes to the next older one.
    mutating func advance() throws {
        if try statement.step() {
            key = statement.int(0)
            author = statement.int(1)
        } else {
            key = -1
        }
    }

    func end() { statement.reset() }
}

/// Numbers of authors, a bit each.
struct AuthorSet {
    private var words: [UInt64]

    init(_ numbers: [Int64]) {
        words = Array(repeating: 0, count: Int((numbers.max() ?? 0) >> 6) + 1)
        for number in numbers where number >= 0 { words[Int(number >> 6)] |= 1 << UInt64(number & 63) }
    }

    func contains(_ number: Int64) -> Bool {
        let index = number >> 6
        return number >= 0 && index < words.count && words[Int(index)] & 1 << UInt64(number & 63) != 0
    }
}
