internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What one write did.
struct WriteResult: Sendable {
    var outcomes: [SaveOutcome] = []
    var changes: [StoreChange] = []
    /// The authors whose versions are kept from now on, when that changed.
    var versioned: Set<PublicKey>?
}

/// Keeps events inside one transaction, by the rules of NostrStore.
struct EventWriter {
    private let db: Database
    private let authors: AuthorNumbers
    private var rows: EventRows
    private var versioned: Set<PublicKey>
    private var result = WriteResult()

    /// - Parameters:
    ///   - db: within a transaction, which the caller ends.
    ///   - versioned: the authors whose versions are kept.
    init(_ db: Database, authors: AuthorNumbers, versioned: Set<PublicKey>) {
        self.db = db
        self.authors = authors
        self.versioned = versioned
        rows = EventRows(db: db)
    }

    /// Keeps events in order, judging expiration by a moment.
    mutating func save(_ events: [Event], from relay: RelayURL?, now: Timestamp) throws -> WriteResult {
        defer { result = WriteResult() }
        let relayNumber = try relay.map { try rows.number(of: $0) }
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
        try VersionRows(db: db).removeExpired(now: now)
        return result
    }

    /// Drops events as if they had never come.
    mutating func forget(_ ids: [EventID]) throws -> WriteResult {
        defer { result = WriteResult() }
        for id in ids {
            if let key = try rows.key(of: id) { try remove(key) }
        }
        return result
    }

    /// Keeps versions of these authors too, those in force first of all.
    mutating func keepVersions(of keys: Set<PublicKey>) throws -> WriteResult {
        let rows = VersionRows(db: db)
        for key in keys.subtracting(versioned) {
            let author = try authors.number(of: key, in: db)
            try rows.insertAuthor(author)
            try rows.insertEventsInForce(author: author)
        }
        versioned.formUnion(keys)
        return WriteResult(versioned: versioned)
    }

    /// Drops an author's versions.
    mutating func forgetVersions(of key: PublicKey) throws -> WriteResult {
        if let author = try authors.find(key, in: db) { try VersionRows(db: db).remove(author: author) }
        versioned.remove(key)
        return WriteResult(versioned: versioned)
    }

    /// Writes what is left for the end of the transaction.
    mutating func finish() throws {
        try rows.finish()
    }

    // MARK: - Rules

    private mutating func save(_ event: Event, from relay: Int64?, now: Timestamp) throws -> SaveOutcome {
        if let outcome = event.outcomeWithoutStore(now: now) {
            if outcome == .ephemeral { result.changes.append(.added(event)) }
            return outcome
        }
        // The one look that authors without versions cost.
        if versioned.contains(event.pubkey), event.hasVersions {
            try VersionRows(db: db).insert(event, author: try authors.number(of: event.pubkey, in: db))
        }
        if let key = try rows.key(of: event.id) {
            try rows.remember(relay, of: key)
            return .duplicate
        }
        let author = try authors.number(of: event.pubkey, in: db)
        if try isDeleted(event, author: author) { return .deleted }
        if let address = event.address, let key = try rows.newestKey(at: address, author: author) {
            if let older = try storedEvent(at: key, in: db), !event.replaces(older) { return .superseded }
            try remove(key)
        }
        let key = try rows.insert(event, author: author)
        try rows.remember(relay, of: key)
        result.changes.append(.added(event))
        if let request = DeletionRequest(event) { try obey(request, author: author) }
        return .stored
    }

    private func isDeleted(_ event: Event, author: Int64) throws -> Bool {
        guard event.kind != DeletionRequest.kind else { return false }
        if try isDeleted(event.id, by: author) { return true }
        for deleter in event.deleters.dropFirst() {
            if let number = try authors.find(deleter, in: db), try isDeleted(event.id, by: number) { return true }
        }
        guard let address = event.address else { return false }
        let byAddress = try HotStatement(
            db, "SELECT 1 FROM deleted_address WHERE author = ? AND kind = ? AND identifier = ? AND until >= ?")
        defer { byAddress.reset() }
        byAddress.bind(address, author: author)
        byAddress.bind(event.createdAt.seconds, at: 4)
        return try byAddress.step()
    }

    private func isDeleted(_ id: EventID, by author: Int64) throws -> Bool {
        let statement = try HotStatement(db, "SELECT 1 FROM deleted_event WHERE id = ? AND author = ?")
        defer { statement.reset() }
        statement.bind(blob: id.bytes, at: 1)
        statement.bind(author, at: 2)
        return try statement.step()
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
            address.bind(target, author: author)
            address.bind(request.createdAt.seconds, at: 4)
            try address.run()
        }
        try removeTargets(of: request, author: author)
    }

    private mutating func removeTargets(of request: DeletionRequest, author: Int64) throws {
        let keys =
            try request.events.compactMap { try rows.key(of: $0) }
            + request.addresses.compactMap { try rows.newestKey(at: $0, author: author) }
        for key in keys {
            guard let event = try storedEvent(at: key, in: db), event.deleters.contains(request.author),
                try isDeleted(event, author: author)
            else { continue }
            try remove(key)
        }
    }

    private mutating func remove(_ key: EventKey) throws {
        guard let event = try storedEvent(at: key, in: db) else { return }
        try rows.remove(event, at: key, author: try authors.number(of: event.pubkey, in: db))
        result.changes.append(.removed(event.id))
    }
}
