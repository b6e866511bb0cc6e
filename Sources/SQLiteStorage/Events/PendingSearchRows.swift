internal import GRDB
internal import NostrCore
internal import NostrStore

/// The rows a transaction adds to and takes from the search index, written at its end in the order of their keys:
/// FTS5 is fast only when row numbers rise.
struct PendingSearchRows {
    private struct Row {
        let key: EventKey
        /// What came first goes first where a key is used twice.
        let turn: Int
        let isAdded: Bool
        let words: String
    }

    private var rows: [Row] = []

    /// An event was kept.
    mutating func add(_ event: Event, at key: EventKey) {
        guard let words = event.indexedWords else { return }
        rows.append(Row(key: key, turn: rows.count, isAdded: true, words: words))
    }

    /// An event went.
    mutating func remove(_ event: Event, at key: EventKey) {
        guard let words = event.indexedWords else { return }
        rows.append(Row(key: key, turn: rows.count, isAdded: false, words: words))
    }

    /// Writes all.
    mutating func write(to db: Database) throws {
        for row in rows.sorted(by: { ($0.key, $0.turn) < ($1.key, $1.turn) }) {
            let sql =
                row.isAdded
                ? "INSERT INTO search (rowid, words) VALUES (?, ?)"
                : "INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)"
            let statement = try HotStatement(db, sql)
            statement.bind(row.key.rowID, at: 1)
            statement.bind(text: row.words, at: 2)
            try statement.run()
        }
        rows.removeAll()
    }
}

extension Event {
    /// What the search index holds of this event: its words and, unless it is a note, a word for its kind, so that a
    /// search for people does not read every note.
    fileprivate var indexedWords: String? {
        guard let text = searchableText else { return nil }
        var words = searchWords(in: text)
        guard !words.isEmpty else { return nil }
        if kind != 1 { words.append(searchWord(for: kind)) }
        return words.joined(separator: " ")
    }
}

/// A word no text can hold, because `§` parts words.
func searchWord(for kind: Kind) -> String {
    "§\(kind.rawValue)"
}
