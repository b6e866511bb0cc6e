internal import GRDB
public import NostrStore

/// The record store in one SQLite file: one per account.
///
/// What a commit replaced or removed is overwritten in the file, and gone from its log, within five seconds, or as soon
/// after as no read is under way; at ``close()``, and when the file is opened after a program was killed, at once. That
/// is a second lock: what must not be read (messages, secrets of circles) comes here sealed with the account's data
/// key, and rests sealed. It matters to somebody who has an image of the disk *and* learns that key later: past epochs
/// of a circle are not in it (RFC 9420, 9.2 "Deletion Schedule"). What the disk itself keeps of old blocks, and what
/// backups hold, is out of reach.
public final class SQLiteRecordStore: RecordStore {
    private let database: OpenDatabase
    private let writer: GroupCommit<Database, Void>
    private let emptying: LogEmptying

    /// Opens the store, or makes it when there is no file.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - options: how much memory and room it may take.
    /// - Throws: ``/NostrStore/StoreError``; a damaged or newer file is left untouched.
    public convenience init(path: String, options: DatabaseOptions = DatabaseOptions()) throws {
        try self.init(path: path, options: options, later: laterBySystem)
    }

    /// As above, with a clock.
    ///
    /// - Parameter later: runs work after a while.
    init(path: String, options: DatabaseOptions = DatabaseOptions(), later: @escaping Later) throws {
        // What is forgotten of a person is gone, sealed though it was.
        var options = options
        options.overwritesDeleted = true
        // Most of it is opened once and kept open above, and the system keeps the file in memory, too.
        options.readerCache = min(options.readerCache, 1 << 20)
        database = try openDatabase(at: path, options: options, migrator: recordMigrator())
        let emptying = LogEmptying(database, busyTimeout: options.busyTimeout, later: later)
        self.emptying = emptying
        // Nearly every commit replaces something, and one that does not costs no more for being counted in.
        writer = GroupCommit(database, begin: { $0 }, onDisk: emptying.didCommit)
        emptying.now()
    }

    /// The value of a key, or `nil`.
    public func value(_ key: String, in table: String) async throws -> [UInt8]? {
        try await read { db in
            let select = try HotStatement(db, "SELECT value FROM record WHERE name = ? AND key = ?")
            defer { select.reset() }
            select.bind(text: table, at: 1)
            select.bind(blob: Array(key.utf8), at: 2)
            return try select.step() ? select.blob(0) : nil
        }
    }

    /// The records whose keys start with a prefix, in the order of their keys.
    public func records(in table: String, prefix: String) async throws -> [NostrStore.Record] {
        try await read { db in
            let select = try HotStatement(
                db, "SELECT key, value FROM record WHERE name = ?1 AND key >= ?2 AND key < ?3 ORDER BY key")
            defer { select.reset() }
            select.bind(text: table, at: 1)
            bind(prefix: prefix, to: select)
            var records: [NostrStore.Record] = []
            while try select.step() { records.append(NostrStore.Record(key: select.string(0), value: select.blob(1))) }
            return records
        }
    }

    /// The values of several keys as they are at one moment, in the order asked for.
    public func values(of keys: [String], in table: String) async throws -> [[UInt8]?] {
        try await read { db in
            let select = try HotStatement(db, "SELECT value FROM record WHERE name = ? AND key = ?")
            defer { select.reset() }
            return try keys.map { key in
                select.reset()
                select.bind(text: table, at: 1)
                select.bind(blob: Array(key.utf8), at: 2)
                return try select.step() ? select.blob(0) : nil
            }
        }
    }

    /// Up to `limit` records whose keys start with a prefix and come after a key, in the order of their keys.
    public func records(
        in table: String, prefix: String, after key: String?, limit: Int
    ) async throws -> [NostrStore.Record] {
        try await read { db in
            let select = try HotStatement(
                db, "SELECT key, value FROM record WHERE name = ?1 AND key >= ?2 AND key < ?3 ORDER BY key LIMIT ?4")
            defer { select.reset() }
            select.bind(text: table, at: 1)
            bind(prefix: prefix, to: select)
            // The next key in the order of bytes is the same with a zero behind it.
            if let next = key.map({ Array($0.utf8) + [0] }), Array(prefix.utf8).lexicographicallyPrecedes(next) {
                select.bind(blob: next, at: 2)
            }
            select.bind(Int64(limit), at: 4)
            var records: [NostrStore.Record] = []
            while try select.step() { records.append(NostrStore.Record(key: select.string(0), value: select.blob(1))) }
            return records
        }
    }

    /// Hands over every record of every table as it is at one moment, in the order of tables and keys; others may write
    /// meanwhile.
    ///
    /// - Throws: ``/NostrStore/StoreError``, and what the body throws.
    public func forEach(_ body: @escaping @Sendable (String, NostrStore.Record) throws -> Void) async throws {
        try await read { db in
            let select = try HotStatement(db, "SELECT name, key, value FROM record ORDER BY name, key")
            defer { select.reset() }
            while try select.step() {
                let record = NostrStore.Record(key: select.string(1), value: select.blob(2))
                do { try body(select.string(0), record) } catch { throw Stopped(why: error) }
            }
        }
    }

    /// Makes all changes or none; returns after the commit is on the disk.
    public func apply(_ changes: [RecordChange]) async throws {
        try await writer.perform { db in
            for change in changes { try make(change, in: db) }
        }
    }

    /// Writes everything into the one file and lets go of it.
    ///
    /// - Throws: ``/NostrStore/StoreError``; nothing is lost even then.
    public func close() throws {
        emptying.close()
        try database.close()
    }

    private func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await database.reading(body)
        } catch let stopped as Stopped {
            throw stopped.why
        } catch {
            throw database.failure(error)
        }
    }
}

/// Another's error on its way through a read, so that it is not taken for the database's.
private struct Stopped: Error {
    let why: any Error
}

/// Binds the first key with a prefix, and the first key behind all of those, at 2 and 3.
///
/// No UTF-8 text holds the byte 0xFF.
private func bind(prefix: String, to statement: HotStatement) {
    statement.bind(blob: Array(prefix.utf8), at: 2)
    statement.bind(blob: Array(prefix.utf8) + [0xFF], at: 3)
}

private func make(_ change: RecordChange, in db: Database) throws {
    let statement: HotStatement
    switch change {
    case .put(let table, let key, let value):
        statement = try HotStatement(db, "INSERT OR REPLACE INTO record (name, key, value) VALUES (?, ?, ?)")
        statement.bind(text: table, at: 1)
        statement.bind(blob: Array(key.utf8), at: 2)
        statement.bind(blob: value, at: 3)
    case .remove(let table, let key):
        statement = try HotStatement(db, "DELETE FROM record WHERE name = ? AND key = ?")
        statement.bind(text: table, at: 1)
        statement.bind(blob: Array(key.utf8), at: 2)
    case .removeAll(let table, let prefix):
        statement = try HotStatement(db, "DELETE FROM record WHERE name = ?1 AND key >= ?2 AND key < ?3")
        statement.bind(text: table, at: 1)
        bind(prefix: prefix, to: statement)
    }
    try statement.run()
}

/// The tables of a record store, in the order they came.
///
/// Migrations are only ever added.
private func recordMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("records") { db in
        try db.execute(
            sql: """
                CREATE TABLE record (
                    name TEXT NOT NULL,
                    key BLOB NOT NULL,
                    value BLOB NOT NULL,
                    PRIMARY KEY (name, key)
                ) WITHOUT ROWID;
                """)
    }
    return migrator
}
