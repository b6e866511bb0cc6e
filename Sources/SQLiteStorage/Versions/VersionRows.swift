internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// The rows of kept versions, and of the authors whose versions are kept.
struct VersionRows {
    let db: Database

    /// Takes an author in.
    func insertAuthor(_ author: Int64) throws {
        let row = try HotStatement(db, "INSERT OR IGNORE INTO versioned_author VALUES (?)")
        row.bind(author, at: 1)
        try row.run()
    }

    /// The authors whose versions are kept.
    func authors() throws -> Set<PublicKey> {
        let select = try HotStatement(
            db, "SELECT a.pubkey FROM versioned_author v JOIN author a ON a.number = v.author")
        defer { select.reset() }
        var authors: Set<PublicKey> = []
        while try select.step() {
            let bytes = select.blob(0)
            do { authors.insert(PublicKey(try Bytes32(bytes.span))) } catch {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
        }
        return authors
    }

    /// Keeps a version, unless it is here.
    func insert(_ event: Event, author: Int64) throws {
        guard let address = event.address else { return }
        let row = try HotStatement(db, "INSERT OR IGNORE INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        row.bind(blob: event.id.bytes, at: 1)
        row.bind(author, at: 2)
        row.bind(Int64(event.kind.rawValue), at: 3)
        row.bind(text: address.identifier, at: 4)
        row.bind(event.createdAt.seconds, at: 5)
        row.bind(event.tags.expiration?.seconds, at: 6)
        row.bind(blob: TagCoding.encode(event.tags), at: 7)
        row.bind(text: event.content, at: 8)
        event.signature.bytes.withSpan { row.bind(blob: $0, at: 9) }
        try row.run()
    }

    /// Takes the author's events in force for versions.
    func insertEventsInForce(author: Int64) throws {
        let row = try HotStatement(
            db,
            """
            INSERT OR IGNORE INTO version SELECT e.id, e.author, e.kind, d.identifier, e.created_at, e.expires_at, e.tags, \
            e.content, e.signature FROM address d JOIN event e ON e.key = d.key WHERE d.author = ?
            """)
        row.bind(author, at: 1)
        try row.run()
    }

    /// Drops an author and every version of theirs.
    func remove(author: Int64) throws {
        for sql in ["DELETE FROM version WHERE author = ?", "DELETE FROM versioned_author WHERE author = ?"] {
            let row = try HotStatement(db, sql)
            row.bind(author, at: 1)
            try row.run()
        }
    }

    /// Drops versions that have expired.
    func removeExpired(now: Timestamp) throws {
        let row = try HotStatement(db, "DELETE FROM version WHERE expires_at <= ?")
        row.bind(now.seconds, at: 1)
        try row.run()
    }

    // MARK: - Reading

    /// The versions at an address, newest first, the lower id first within a second.
    func versions(at address: EventAddress, author: Int64, now: Timestamp) throws -> [Event] {
        let select = try HotStatement(
            db,
            """
            SELECT \(eventColumns) FROM version e JOIN author a ON a.number = e.author
            WHERE e.author = ?1 AND e.kind = ?2 AND e.identifier = ?3 AND (e.expires_at IS NULL OR e.expires_at > ?4)
            ORDER BY e.created_at DESC, e.id
            """)
        defer { select.reset() }
        select.bind(address, author: author)
        select.bind(now.seconds, at: 4)
        var events: [Event] = []
        while try select.step() { events.append(try storedEvent(in: select)) }
        return events
    }

    /// How many versions there are of each address of an author.
    func counts(author: Int64, now: Timestamp) throws -> [VersionCount] {
        let select = try HotStatement(
            db,
            """
            SELECT kind, identifier, count(*), max(created_at) FROM version
            WHERE author = ?1 AND (expires_at IS NULL OR expires_at > ?2)
            GROUP BY kind, identifier ORDER BY kind, identifier
            """)
        defer { select.reset() }
        select.bind(author, at: 1)
        select.bind(now.seconds, at: 2)
        var counts: [VersionCount] = []
        while try select.step() {
            guard let kind = UInt16(exactly: select.int(0)) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            counts.append(
                VersionCount(
                    kind: Kind(kind), identifier: select.string(1), count: Int(select.int(2)),
                    newest: Timestamp(seconds: select.int(3))))
        }
        return counts
    }

    /// One version.
    func version(_ id: EventID, now: Timestamp) throws -> Event? {
        let select = try HotStatement(
            db,
            """
            SELECT \(eventColumns) FROM version e JOIN author a ON a.number = e.author
            WHERE e.id = ?1 AND (e.expires_at IS NULL OR e.expires_at > ?2)
            """)
        defer { select.reset() }
        select.bind(blob: id.bytes, at: 1)
        select.bind(now.seconds, at: 2)
        return try select.step() ? try storedEvent(in: select) : nil
    }
}
