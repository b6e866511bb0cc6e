internal import Foundation
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

    /// Defaults for a home: little memory, small log.
    public init() {
        writerCache = 16 << 20
        readerCache = 4 << 20
        readers = 4
        checkpointPages = 2000
        busyTimeout = .seconds(5)
        overwritesDeleted = false
        maximumPages = nil
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
/// Commits are flushed to the disk before they are acknowledged (`docs/decisions/0002-durability.md`).
///
/// - Throws: ``/NostrStore/StoreError``.
func openDatabase(at path: String, options: DatabaseOptions, migrator: DatabaseMigrator) throws -> DatabasePool {
    do {
        if try hasContent(path) {
            try inspectSchema(of: path, migrator: migrator)
        } else {
            createPrivateFile(path)
        }
        let pool = try DatabasePool(path: path, configuration: configuration(options))
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA fullfsync = ON")
        }
        try migrator.migrate(pool)
        return pool
    } catch {
        throw storeError(error, file: path)
    }
}

private func configuration(_ options: DatabaseOptions) -> Configuration {
    var configuration = Configuration()
    configuration.maximumReaderCount = options.readers
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

/// Makes an empty file that only its owner can read; SQLite gives its log the same rights.
private func createPrivateFile(_ path: String) {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    // Where no file can be made, SQLite says why.
    _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
}

/// Reads the schema through a connection that cannot write.
private func inspectSchema(of path: String, migrator: DatabaseMigrator) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let reader = try DatabaseQueue(path: path, configuration: configuration)
    try reader.read { db in
        guard try !migrator.hasBeenSuperseded(db) else { throw StoreError(.tooNew, file: path) }
    }
    try reader.close()
}

/// Looks at the first 100 bytes before SQLite may write anything.
///
/// A missing or empty file is a new database. Source: SQLite's file format, "The Database Header".
///
/// - Returns: whether there is a database.
/// - Throws: ``/NostrStore/StoreError`` when there is something else, or only a part of one.
private func hasContent(_ path: String) throws -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    // A file that cannot be closed was only read.
    defer { try? handle.close() }
    let header: [UInt8]
    let size: UInt64
    do {
        header = [UInt8](try handle.read(upToCount: 100) ?? Data())
        size = try handle.seekToEnd()
    } catch {
        throw StoreError(.io, file: path)
    }
    guard !header.isEmpty else { return false }
    guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
        throw StoreError(.corrupt, file: path)
    }
    try inspectLength(header: header, size: size, path: path)
    return true
}

/// Refuses a file shorter than its header says, unless a log may still hold the rest.
private func inspectLength(header: [UInt8], size: UInt64, path: String) throws {
    let pageSize = UInt64(header[16]) << 8 | UInt64(header[17])
    let pages = header[28..<32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let log = FileHandle(forReadingAtPath: path + "-wal")
    // As above: only read.
    defer { try? log?.close() }
    // A log that cannot be measured is taken as one that holds something.
    let logHasContent = log.map { ((try? $0.seekToEnd()) ?? 1) > 0 } ?? false
    let actualPageSize = pageSize == 1 ? 65_536 : pageSize
    if !logHasContent, header[24..<28] == header[92..<96], pages * actualPageSize > size {
        throw StoreError(.corrupt, file: path)
    }
}
