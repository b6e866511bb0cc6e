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
        /// Whether it is in the index of profiles, too.
        let isProfile: Bool
        let words: String
    }

    private var rows: [Row] = []

    /// An event was kept.
    mutating func add(_ event: Event, at key: EventKey) {
        guard let words = event.indexedWords else { return }
        rows.append(
            Row(key: key, turn: rows.count, isAdded: true, isProfile: event.kind == profileKind, words: words))
    }

    /// An event went.
    mutating func remove(_ event: Event, at key: EventKey) {
        guard let words = event.indexedWords else { return }
        rows.append(
            Row(key: key, turn: rows.count, isAdded: false, isProfile: event.kind == profileKind, words: words))
    }

    /// Writes all.
    mutating func write(to db: Database) throws {
        for row in rows.sorted(by: { ($0.key, $0.turn) < ($1.key, $1.turn) }) {
            let sql =
                row.isAdded
                ? "INSERT INTO search (rowid, words) VALUES (?, ?)"
                : "INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)"
            try Self.run(sql, row.words, at: row.key, in: db)
            guard row.isProfile else { continue }
            let again =
                row.isAdded
                ? Self.profileInsert
                : "INSERT INTO profile_search (profile_search, rowid, words) VALUES ('delete', ?, ?)"
            try Self.run(again, row.words, at: row.key, in: db)
        }
        rows.removeAll()
    }

    private static let profileInsert = "INSERT INTO profile_search (rowid, words) VALUES (?, ?)"

    /// Puts a profile that is kept already into the index of profiles.
    static func insertProfile(_ event: Event, at key: EventKey, in db: Database) throws {
        guard let words = event.indexedWords else { return }
        try run(profileInsert, words, at: key, in: db)
    }

    private static func run(_ sql: String, _ words: String, at key: EventKey, in db: Database) throws {
        let statement = try HotStatement(db, sql)
        statement.bind(key.rowID, at: 1)
        statement.bind(text: words, at: 2)
        try statement.run()
    }
}

/// The kind of profiles, which have an index of their own.
let profileKind: Kind = 0

extension Event {
    /// What the search index holds of this event: its words and, unless it is a note, a word for its kind, so that a
    /// search for people does not read every note.
    fileprivate var indexedWords: String? {
        guard let text = searchableText else { return nil }
        let words = joinedSearchWords(in: text)
        guard !words.isEmpty else { return nil }
        return kind == 1 ? words : words + " " + searchWord(for: kind)
    }
}

/// A word no text can hold, because `§` parts words.
func searchWord(for kind: Kind) -> String {
    "§\(kind.rawValue)"
}
