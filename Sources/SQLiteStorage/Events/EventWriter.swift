internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What one write did.
struct WriteResult: Sendable {
    var outcomes: [SaveOutcome] = []
    var changes: [StoreChange] = []
}

/// Keeps events inside one transaction, by the rules of NostrStore.
struct EventWriter {
    private let db: Database
    private let authors: AuthorNumbers
    private var search = PendingSearchRows()
    private var result = WriteResult()

    /// Takes the transaction and the numbers of authors.
    init(_ db: Database, authors: AuthorNumbers) {
        self.db = db
        self.authors = authors
    }

    /// Keeps events in order, judging expiration by a moment.
    mutating func save(_ events: [Event], from relay: RelayURL?, now: Timestamp) throws -> WriteResult {
        defer { result = WriteResult() }
        let relayNumber = try relay.map { try number(of: $0) }
        result.outcomes.reserveCapacity(events.count)
        for event in events {
            result.outcomes.append(try save(event, from: relayNumber, now: now))
        }
        return result
    }

    /// Drops what has expired.
    mutating func dropExpired(now: Timestamp) throws -> WriteResult {
        defer { result = WriteResult() }
        let select = try HotStatement(db, "SELECT key FROM event WHERE expires_at <= ?")
        select.bind(now.seconds, at: 1)
        var keys: [EventKey] = []
        while try select.step() { keys.append(EventKey(rowID: select.int(0))) }
        select.reset()
        for key in keys { try remove(key) }
        return result
    }

    /// Writes what is left for the end of the transaction.
    mutating func finish() throws {
        try search.write(to: db)
    }

    // MARK: - Rules

    private mutating func save(_ event: Event, from relay: Int64?, now: Timestamp) throws -> SaveOutcome {
        if let outcome = event.outcomeWithoutStore(now: now) {
            if outcome == .ephemeral { result.changes.append(.added(event)) }
            return outcome
        }
        if let key = try key(of: event.id) {
            try remember(relay, of: key)
            return .duplicate
        }
        let author = try authors.number(of: event.pubkey, in: db)
        if try isDeleted(event, author: author) { return .deleted }
        if let address = event.address, let key = try newestKey(at: address, author: author) {
            if let older = try self.event(at: key), !event.replaces(older) { return .superseded }
            try remove(key)
        }
        let key = try insert(event, author: author)
        try remember(relay, of: key)
        result.changes.append(.added(event))
        if let request = DeletionRequest(event) { try obey(request, author: author) }
        return .stored
    }

    private func isDeleted(_ event: Event, author: Int64) throws -> Bool {
        guard event.kind != DeletionRequest.kind else { return false }
        let byID = try HotStatement(db, "SELECT 1 FROM deleted_event WHERE id = ? AND author = ?")
        defer { byID.reset() }
        byID.bind(blob: event.id.bytes, at: 1)
        byID.bind(author, at: 2)
        if try byID.step() { return true }
        guard let address = event.address else { return false }
        let byAddress = try HotStatement(
            db, "SELECT 1 FROM deleted_address WHERE author = ? AND kind = ? AND identifier = ? AND until >= ?")
        defer { byAddress.reset() }
        bind(address, author: author, to: byAddress)
        byAddress.bind(event.createdAt.seconds, at: 4)
        return try byAddress.step()
    }

    private mutating func obey(_ request: DeletionRequest, author: Int64) throws {
        let event = try HotStatement(db, "INSERT OR IGNORE INTO deleted_event (id, author) VALUES (?, ?)")
        for id in request.events {
            event.bind(blob: id.bytes, at: 1)
            event.bind(author, at: 2)
            try event.run()
        }
        let address = try HotStatement(
            db,
            """
            INSERT INTO deleted_address (author, kind, identifier, until) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET until = max(until, excluded.until)
            """)
        for target in request.addresses {
            bind(target, author: author, to: address)
            address.bind(request.createdAt.seconds, at: 4)
            try address.run()
        }
        try removeTargets(of: request, author: author)
    }

    private mutating func removeTargets(of request: DeletionRequest, author: Int64) throws {
        let keys =
            try request.events.compactMap { try key(of: $0) }
            + request.addresses.compactMap { try newestKey(at: $0, author: author) }
        for key in keys {
            guard let event = try event(at: key), event.pubkey == request.author,
                try isDeleted(event, author: author)
            else { continue }
            try remove(key)
        }
    }

    // MARK: - Rows

    private func key(of id: EventID) throws -> EventKey? {
        let select = try HotStatement(db, "SELECT key FROM event WHERE id = ?")
        defer { select.reset() }
        select.bind(blob: id.bytes, at: 1)
        return try select.step() ? EventKey(rowID: select.int(0)) : nil
    }

    private func newestKey(at address: EventAddress, author: Int64) throws -> EventKey? {
        let select = try HotStatement(
            db, "SELECT key FROM address WHERE author = ? AND kind = ? AND identifier = ?")
        defer { select.reset() }
        bind(address, author: author, to: select)
        return try select.step() ? EventKey(rowID: select.int(0)) : nil
    }

    private func event(at key: EventKey) throws -> Event? {
        try SQLiteStorage.event(at: key, in: db)
    }

    private mutating func insert(_ event: Event, author: Int64) throws -> EventKey {
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
            bind(address, author: author, to: row)
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

    private mutating func remove(_ key: EventKey) throws {
        guard let event = try event(at: key) else { return }
        let tag = try HotStatement(db, "DELETE FROM tag WHERE letter = ? AND value = ? AND key = ?")
        for entry in event.tagIndexEntries {
            entry.bind(to: tag, at: 1)
            tag.bind(key.rowID, at: 3)
            try tag.run()
        }
        if let address = event.address {
            let row = try HotStatement(
                db, "DELETE FROM address WHERE author = ? AND kind = ? AND identifier = ? AND key = ?")
            bind(address, author: try authors.number(of: event.pubkey, in: db), to: row)
            row.bind(key.rowID, at: 4)
            try row.run()
        }
        for sql in ["DELETE FROM seen WHERE key = ?", "DELETE FROM event WHERE key = ?"] {
            let row = try HotStatement(db, sql)
            row.bind(key.rowID, at: 1)
            try row.run()
        }
        search.remove(event, at: key)
        result.changes.append(.removed(event.id))
    }

    private func bind(_ address: EventAddress, author: Int64, to statement: HotStatement) {
        statement.bind(author, at: 1)
        statement.bind(Int64(address.kind.rawValue), at: 2)
        statement.bind(text: address.identifier, at: 3)
    }

    // MARK: - Provenance

    private func number(of relay: RelayURL) throws -> Int64 {
        let insert = try HotStatement(db, "INSERT OR IGNORE INTO relay (url) VALUES (?)")
        insert.bind(text: relay.text, at: 1)
        try insert.run()
        let select = try HotStatement(db, "SELECT number FROM relay WHERE url = ?")
        defer { select.reset() }
        select.bind(text: relay.text, at: 1)
        guard try select.step() else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return select.int(0)
    }

    private func remember(_ relay: Int64?, of key: EventKey) throws {
        guard let relay else { return }
        let insert = try HotStatement(db, "INSERT OR IGNORE INTO seen (key, relay) VALUES (?, ?)")
        insert.bind(key.rowID, at: 1)
        insert.bind(relay, at: 2)
        try insert.run()
    }
}
