internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// The rows of the log.
struct ActivityRows {
    let db: Database

    /// Adds a line; the table numbers it.
    func append(_ entry: ActivityEntry) throws {
        let row = try HotStatement(
            db, "INSERT INTO activity VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        row.bind(entry.time.seconds, at: 1)
        row.bind(blob: entry.account.bytes, at: 2)
        row.bind(text: entry.app.text, at: 3)
        row.bind(text: entry.title, at: 4)
        row.bind(text: entry.method, at: 5)
        row.bind(entry.kind.map { Int64($0.rawValue) }, at: 6)
        row.bind(blob: entry.peer?.bytes, at: 7)
        row.bind(text: entry.outcome.rawValue, at: 8)
        row.bind(text: entry.rule.rawValue, at: 9)
        row.bind(blob: entry.result?.bytes, at: 10)
        row.bind(text: entry.fact?.text ?? "", at: 11)
        row.bind(text: entry.error, at: 12)
        let words = [entry.title, entry.method, entry.fact?.text ?? "", entry.error ?? ""]
        row.bind(text: words.joined(separator: "\n").lowercased(), at: 13)
        try row.run()
    }

    /// The lines that are wanted, newest first.
    func lines(of account: PublicKey, _ query: ActivityQuery) throws -> [ActivityEntry] {
        let select = try HotStatement(db, Self.statement(for: query))
        defer { select.reset() }
        select.bind(blob: account.bytes, at: 1)
        select.bind(Int64(max(query.limit, 0)), at: 2)
        select.bind(text: query.app?.text, at: 3)
        select.bind(query.before, at: 4)
        select.bind(text: query.outcome?.rawValue, at: 5)
        select.bind(text: query.method, at: 6)
        select.bind(query.kind.map { Int64($0.rawValue) }, at: 7)
        select.bind(text: query.text.lowercased(), at: 8)
        var lines: [ActivityEntry] = []
        while try select.step() { lines.append(try Self.entry(select, account: account)) }
        return lines
    }

    /// Only what is asked about is in the statement, so that the index by app is used where it helps.
    private static func statement(for query: ActivityQuery) -> String {
        var conditions = ["account = ?1"]
        if query.app != nil { conditions.append("app = ?3") }
        if query.before != nil { conditions.append("id < ?4") }
        if query.outcome != nil { conditions.append("outcome = ?5") }
        if query.method != nil { conditions.append("method = ?6") }
        if query.kind != nil { conditions.append("kind = ?7") }
        if !query.text.isEmpty { conditions.append("instr(words, ?8) > 0") }
        // The last one binds nothing away: it keeps all eight arguments in every statement.
        return """
            SELECT id, time, app, title, method, kind, peer, outcome, rule, result, summary, error FROM activity \
            WHERE \(conditions.joined(separator: " AND ")) AND (?8 IS NOT NULL) ORDER BY id DESC LIMIT ?2
            """
    }

    private static func entry(_ row: HotStatement, account: PublicKey) throws -> ActivityEntry {
        guard let app = RequestingApp(row.string(2)), let outcome = ActivityEntry.Outcome(rawValue: row.string(7)),
            let rule = Rule(rawValue: row.string(8))
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return ActivityEntry(
            id: row.int(0), time: Timestamp(seconds: row.int(1)), account: account, app: app, title: row.string(3),
            method: row.string(4), kind: row.isNull(5) ? nil : Kind(UInt16(truncatingIfNeeded: row.int(5))),
            peer: row.isNull(6) ? nil : PublicKey(try row.bytes32(6)), outcome: outcome, rule: rule,
            result: row.isNull(9) ? nil : EventID(try row.bytes32(9)), fact: ActivityFact(text: row.string(10)),
            error: row.text(11))
    }

    /// Lines before a moment go, and the oldest above a number.
    func trim(of account: PublicKey, before moment: Timestamp, keeping: Int) throws {
        let old = try HotStatement(db, "DELETE FROM activity WHERE account = ? AND time < ?")
        old.bind(blob: account.bytes, at: 1)
        old.bind(moment.seconds, at: 2)
        try old.run()
        let many = try HotStatement(
            db,
            """
            DELETE FROM activity WHERE account = ?1 AND id <= \
            (SELECT id FROM activity WHERE account = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """)
        many.bind(blob: account.bytes, at: 1)
        many.bind(Int64(max(keeping, 0)), at: 2)
        try many.run()
    }
}
