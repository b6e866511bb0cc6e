internal import Dispatch
internal import GRDB
internal import NostrStore

/// How a database file is used.
public struct DatabaseOptions: Sendable {
    /// How much of the file the writer keeps in memory, in bytes.
    public var writerCache: Int
    /// How much of the file each reader keeps in memory, in bytes.
    public var readerCache: Int
    /// How many reads run at once.
    public var readers: Int
    /// How much the write-ahead log grows before it goes into the file, in pages of 4096 bytes.
    public var checkpointPages: Int
    /// How long to wait for another program that writes.
    public var busyTimeout: Duration
    /// Whether what is deleted is overwritten with zeros in the file, so that nothing of it can be found there.
    public var overwritesDeleted: Bool
    /// The most the file may grow to, in pages of 4096 bytes; `nil` for as much as the disk holds.
    public var maximumPages: Int?

    /// Whether what is written counts less to the system than what is read: for a file of which most is gathered while
    /// people read.
    public var writesAfterReading: Bool

    /// Defaults for a home: little memory, small log.
    public init() {
        writerCache = 16 << 20
        readerCache = 4 << 20
        readers = 4
        checkpointPages = 2000
        busyTimeout = .seconds(5)
        overwritesDeleted = false
        maximumPages = nil
        writesAfterReading = false
    }

    /// For an import: much memory, and a log that is written back rarely.
    public static var bulk: DatabaseOptions {
        var options = DatabaseOptions()
        options.writerCache = 256 << 20
        options.checkpointPages = 32_000
        return options
    }
}

/// Opens a database file of ours, brings it to this version's schema, and refuses what is not ours without touching it.
///
/// A file that is not there is made.
/// Commits are flushed to the disk before they are acknowledged (`docs/decisions/0002-durability.md`).
///
/// - Throws: ``/NostrStore/StoreError``.
func openDatabase(at path: String, options: DatabaseOptions, migrator: DatabaseMigrator) throws -> OpenDatabase {
    do {
        if FileStatus(path) == nil {
            // Without its file, SQLite would take the log for one that is left over.
            if let log = FileStatus(path + "-wal"), log.size > 0 { throw StoreError(.missing, file: path) }
            try makeDatabase(at: path, migrator: migrator)
        }
        try inspectHeader(of: path)
        try inspectSchema(of: path, migrator: migrator)
        let pool = try DatabasePool(path: path, configuration: configuration(options))
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA fullfsync = ON")
        }
        try migrator.migrate(pool)
        return try OpenDatabase(pool)
    } catch {
        throw storeError(error, file: path)
    }
}

private func configuration(_ options: DatabaseOptions) -> Configuration {
    var configuration = Configuration()
    configuration.maximumReaderCount = options.readers
    // No reading goes before the page it is for.
    configuration.qos = .default
    if options.writesAfterReading {
        configuration.writeTargetQueue = DispatchQueue(label: "linnet.writer", qos: .utility)
    }
    // A connection opened later would open whatever has the file's name by then.
    configuration.persistentReadOnlyConnections = true
    configuration.busyMode = .timeout(
        Double(options.busyTimeout.components.seconds)
            + Double(options.busyTimeout.components.attoseconds) / 1e18)
    configuration.prepareDatabase { db in
        let isReader = db.configuration.readonly
        let cache = isReader ? options.readerCache : options.writerCache
        try db.execute(sql: "PRAGMA cache_size = \(-cache / 1024)")
        guard !isReader else { return }
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(options.checkpointPages)")
        if options.overwritesDeleted { try db.execute(sql: "PRAGMA secure_delete = ON") }
        if let pages = options.maximumPages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }
    return configuration
}

/// Reads the schema through a connection that cannot write.
///
/// - Throws: ``/NostrStore/StoreError`` when it is a newer one, or none of ours.
private func inspectSchema(of path: String, migrator: DatabaseMigrator) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let reader = try DatabaseQueue(path: path, configuration: configuration)
    try reader.read { db in
        guard try !migrator.hasBeenSuperseded(db) else { throw StoreError(.tooNew, file: path) }
        guard try !migrator.appliedIdentifiers(db).isEmpty else { throw StoreError(.corrupt, file: path) }
    }
    try reader.close()
}

/// Looks at the first 100 bytes before SQLite may write anything.
///
/// - Throws: ``/NostrStore/StoreError`` when there is nothing, something else, or only a part of a database.
private func inspectHeader(of path: String) throws {
    guard let found = FileStatus(path) else { throw StoreError(.cannotOpen, file: path) }
    guard found.size > 0 else { throw StoreError(.empty, file: path) }
    guard let header = try DatabaseHeader(path: path), header.isDatabase else {
        throw StoreError(.corrupt, file: path)
    }
    // A log may still hold the rest.
    let log = FileStatus(path + "-wal")
    guard !header.isCutShort(size: found.size) || (log?.size ?? 0) > 0 else { throw StoreError(.corrupt, file: path) }
}
