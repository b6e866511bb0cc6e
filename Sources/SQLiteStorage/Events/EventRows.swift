internal import GRDB
internal import NostrCore
internal import NostrNIPs

/// The rows that make an event: in its table, in every index, and in what tells where it was seen.
struct EventRows {
    let db: Database
    private var search = PendingSearchRows()

    /// Rows as one transaction sees them; not to be used after it.
    init(db: Database) {
        self.db = db
    }

    /// The key of a kept event.
    func key(of id: EventID) throws -> EventKey? {
        let select = try HotStatement(db, "SELECT key FROM event WHERE id = ?")
        defer { select.reset() }
        select.bind(blob: id.bytes, at: 1)
        return try select.step() ? EventKey(rowID: select.int(0)) : nil
    }

    /// The key of the newest version at an address.
    func newestKey(at address: EventAddress, author: Int64) throws -> EventKey? {
        let select = try HotStatement(
            db, "SELECT key FROM address WHERE author = ? AND kind = ? AND identifier = ?")
        defer { select.reset() }
        select.bind(address, author: author)
        return try select.step() ? EventKey(rowID: select.int(0)) : nil
    }

    /// Puts an event into every table.
    mutating func insert(_ event: Event, author: Int64) throws -> EventKey {
        let key = try freeKey(for: event)
        let row = try HotStatement(db, "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        row.bind(key.rowID, at: 1)
        row.bind(blob: event.id.bytes, at: 2)
        row.bind(author, at: 3)
        row.bind(Int64(event.kind.rawValue), at: 4)
        row.bind(event.createdAt.seconds, at: 5)
        row.bind(event.tags.expiration?.seconds, at: 6)
        row.bind(blob: TagCoding.encode(event.tags), at: 7)
        row.bind(text: event.content, at: 8)
        event.signature.bytes.withSpan { row.bind(blob: $0, at: 9) }
        try row.run()
        try insertIndexRows(of: event, key: key, author: author)
        return key
    }

    private mutating func insertIndexRows(of event: Event, key: EventKey, author: Int64) throws {
        let tag = try HotStatement(db, "INSERT INTO tag VALUES (?, ?, ?, ?, ?)")
        for entry in event.tagIndexEntries {
            entry.bind(to: tag, at: 1)
            tag.bind(key.rowID, at: 3)
            tag.bind(Int64(event.kind.rawValue), at: 4)
            tag.bind(author, at: 5)
            try tag.run()
        }
        if let address = event.address {
            let row = try HotStatement(db, "INSERT OR REPLACE INTO address VALUES (?, ?, ?, ?)")
            row.bind(address, author: author)
            row.bind(key.rowID, at: 4)
            try row.run()
        }
        search.add(event, at: key)
    }

    private func freeKey(for event: Event) throws -> EventKey {
        let select = try HotStatement(db, "SELECT 1 FROM event WHERE key = ?")
        defer { select.reset() }
        var key = EventKey(event)
        while true {
            select.bind(key.rowID, at: 1)
            guard try select.step() else { return key }
            select.reset()
            key = key.neighbour
        }
    }

    /// Takes an event out of every table.
    mutating func remove(_ event: Event, at key: EventKey, author: Int64) throws {
        let tag = try HotStatement(db, "DELETE FROM tag WHERE letter = ? AND value = ? AND key = ?")
        for entry in event.tagIndexEntries {
            entry.bind(to: tag, at: 1)
            tag.bind(key.rowID, at: 3)
            try tag.run()
        }
        if let address = event.address {
            let row = try HotStatement(
                db, "DELETE FROM address WHERE author = ? AND kind = ? AND identifier = ? AND key = ?")
            row.bind(address, author: author)
            row.bind(key.rowID, at: 4)
            try row.run()
        }
        for sql in ["DELETE FROM seen WHERE key = ?", "DELETE FROM event WHERE key = ?"] {
            let row = try HotStatement(db, sql)
            row.bind(key.rowID, at: 1)
            try row.run()
        }
        search.remove(event, at: key)
    }

    /// Writes what is left for the end of the transaction.
    mutating func finish() throws {
        try search.write(to: db)
    }

    // MARK: - Provenance

    /// The number of a relay, made when it is new.
    func number(of relay: RelayURL) throws -> Int64 {
        let insert = try HotStatement(db, "INSERT OR IGNORE INTO relay (url) VALUES (?)")
        insert.bind(text: relay.text, at: 1)
        try insert.run()
        let select = try HotStatement(db, "SELECT number FROM relay WHERE url = ?")
        defer { select.reset() }
        select.bind(text: relay.text, at: 1)
        guard try select.step() else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return select.int(0)
    }

    /// Remembers where an event was seen.
    func remember(_ relay: Int64?, of key: EventKey) throws {
        guard let relay else { return }
        let insert = try HotStatement(db, "INSERT OR IGNORE INTO seen (key, relay) VALUES (?, ?)")
        insert.bind(key.rowID, at: 1)
        insert.bind(relay, at: 2)
        try insert.run()
    }
}

extension HotStatement {
    /// Binds an address from 1 to 3.
    func bind(_ address: EventAddress, author: Int64) {
        bind(author, at: 1)
        bind(Int64(address.kind.rawValue), at: 2)
        bind(text: address.identifier, at: 3)
    }
}
