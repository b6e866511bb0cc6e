internal import AsyncPrimitives
internal import GRDB
public import NostrCore
public import NostrStore
internal import Synchronization

/// The event store in one SQLite file: what is acknowledged is on the disk.
///
/// One writer whose commits are shared by all who wait, readers beside it that never wait for the writer.
/// Source: `docs/decisions/0002-durability.md`.
public final class SQLiteEventStore: EventStore, EventRemoval {
    private let database: OpenDatabase
    let writer: GroupCommit<EventWriter, WriteResult>
    private let authors: AuthorNumbers
    let versioned: VersionedAuthors
    private let changeFeed = Broadcast<StoreChange>(missed: .missed)
    private let now: @Sendable () -> Timestamp

    /// Opens the store, or makes it when there is no file.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - options: how much memory and room it may take.
    ///   - now: the clock by which expiration is judged.
    /// - Throws: ``/NostrStore/StoreError``; a damaged or newer file is left untouched.
    public init(path: String, options: DatabaseOptions = DatabaseOptions(), now: @escaping @Sendable () -> Timestamp)
        throws
    {
        let authors = AuthorNumbers()
        let changeFeed = changeFeed
        let database = try openDatabase(at: path, options: options, migrator: eventMigrator())
        let versioned: VersionedAuthors
        do {
            // By the writer: a reader that is open when the file is closed keeps the log from going into it.
            versioned = VersionedAuthors(
                try database.pool.writeWithoutTransaction { db in
                    try database.committing(in: db) { try fillProfileIndex(in: db) }
                    return try VersionRows(db: db).authors()
                })
        } catch {
            throw database.failure(error)
        }
        self.database = database
        writer = GroupCommit(
            database, begin: { EventWriter($0, authors: authors, versioned: versioned.all) },
            finish: { try $0.finish() },
            committed: { result in
                authors.didCommit()
                if let changed = result.versioned { versioned.set(changed) }
                changeFeed.send(contentsOf: result.changes)
            }, rolledBack: { authors.forget() })
        self.authors = authors
        self.versioned = versioned
        self.now = now
    }

    /// Keeps events in one transaction, shared with others who wait; returns after the commit is on the disk.
    public func save(_ events: [Event], from relay: RelayURL?) async throws -> [SaveOutcome] {
        let moment = now()
        return try await writer.perform { try $0.save(events, from: relay, now: moment) }.outcomes
    }

    /// Gives back what is kept of the file in memory, for a program that looks now and then whether it holds too much.
    ///
    /// While it is read often between two of these, everything stays.
    public func releaseIdleMemory() {
        database.releaseIdleMemory()
    }

    /// The events any of the filters matches, in listing order, all of one moment.
    public func query(_ filters: [Filter]) async throws -> [Event] {
        try await read { try $0.query(filters) }
    }

    /// The newest of those events, and the ids of the others.
    public func answer(_ filters: [Filter], bytes: Int, most: Int) async throws -> StoredAnswer {
        var reading = AnswerReading(filters, bytes: bytes, most: most)
        try await read(&reading, until: .cancellation)
        return reading.answer ?? StoredAnswer(events: [], rest: [])
    }

    /// How many distinct events the filters match.
    public func count(_ filters: [Filter]) async throws -> Int {
        try await read { try $0.count(filters) }
    }

    /// How many of those events pass a test; `nil` when too many would have to be looked at.
    public func count(
        _ filters: [Filter], lookingAt most: Int, where isCounted: (@Sendable (Event) -> Bool)?
    ) async throws -> Int? {
        var reading = CountReading(filters, lookingAt: most, where: isCounted)
        try await read(&reading, until: .cancellation)
        guard case .count(let number)? = reading.outcome else { return nil }
        return number
    }

    /// Reads on at an answer until it is whole or has to pause.
    public func read(_ reading: inout AnswerReading, until limit: ReadingLimit) async throws {
        let step = exchange(&reading, with: AnswerReading([], bytes: 0, most: 0))
        reading = try await read(step, until: limit) { try $0.read(&$1) }
    }

    /// Reads on at a count until it has an outcome or has to pause.
    public func read(_ reading: inout CountReading, until limit: ReadingLimit) async throws {
        let step = exchange(&reading, with: CountReading([], lookingAt: 0, where: nil))
        reading = try await read(step, until: limit) { try $0.read(&$1) }
    }

    /// How many events of each kind refer to each id by an `e` tag.
    public func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) async throws -> [EventID: [Kind: Int]] {
        try await read { try $0.referenceCounts(to: ids, kinds: kinds) }
    }

    /// Which relays an event was seen on.
    public func relays(of id: EventID) async throws -> Set<RelayURL> {
        try await read { try $0.relays(of: id) }
    }

    /// Every change from now on, after its commit.
    public func changes() async -> AsyncStream<StoreChange> {
        changeFeed.listen()
    }

    /// Drops what has expired; returns how many.
    public func dropExpired(now: Timestamp) async throws -> Int {
        try await writer.perform { try $0.dropExpired(now: now) }.changes.count
    }

    /// Drops every event any of the filters matches, a few hundred in each transaction.
    public func forget(_ filters: [Filter]) async throws -> Int {
        var dropped = 0
        for filter in filters {
            var some = filter
            some.limit = 500
            while case let ids = try await query([some]).map(\.id), !ids.isEmpty {
                dropped += try await writer.perform { try $0.forget(ids) }.changes.count
            }
        }
        return dropped
    }

    /// What SQLite finds wrong in the file; empty when it is sound.
    ///
    /// Reads all of it.
    ///
    /// - Throws: ``/NostrStore/StoreError`` when it cannot be read at all.
    public func integrityProblems() async throws -> [String] {
        try await SQLiteStorage.integrityProblems(database)
    }

    /// Writes everything into the one file and lets go of it.
    ///
    /// - Throws: ``/NostrStore/StoreError``; nothing is lost even then.
    public func close() throws {
        try database.close()
    }

    /// One step of a reading, which goes there and back without being copied.
    private func read<Reading: Sendable>(
        _ step: consuming Reading, until limit: ReadingLimit,
        _ body: @escaping @Sendable (EventReader, inout Reading) throws -> Void
    ) async throws -> Reading {
        let place = Mutex<Reading?>(step)
        return try await read(until: limit) { reader in
            guard var reading = place.withLock({ $0.take() }) else { throw CancellationError() }
            try body(reader, &reading)
            return reading
        }
    }

    func read<T: Sendable>(
        until limit: ReadingLimit = .cancellation, _ body: @escaping @Sendable (EventReader) throws -> T
    ) async throws -> T {
        let moment = now()
        return try await database.read(until: limit) { [authors] db in
            try body(EventReader(db: db, authors: authors, now: moment, limit: limit))
        }
    }
}
