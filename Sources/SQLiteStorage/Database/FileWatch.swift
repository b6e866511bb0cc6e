internal import GRDB
internal import GRDBSQLite
internal import NostrStore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What tells whether the files of a database are still those that were opened.
///
/// A few system calls and nothing allocated, so that every commit can afford it.
struct FileWatch {
    /// A log or its index: SQLite makes these two with the first transaction.
    private struct Companion {
        let path: String
        var identity: FileIdentity?

        /// Looks at it; `false` when it is another than before, or gone.
        mutating func isSame() -> Bool {
            let found = FileStatus(path)?.identity
            guard identity == nil || identity == found else { return false }
            identity = found
            return true
        }
    }

    private let path: String
    private let file: FileIdentity
    private var log: Companion
    private var index: Companion
    /// The header as it was found last; an older copy in the file's place is told by a lower number of changes.
    private var header: DatabaseHeader
    /// The file never shrinks while it is open, as nothing vacuums it; unit: bytes.
    private var size: Int64
    /// When the file had been written last as its header was read.
    private var written: FileStatus.Moment

    /// Looks at files for the first time.
    ///
    /// - Throws: ``/NostrStore/StoreError``.
    init(of db: Database, at path: String) throws {
        guard let found = FileStatus(path) else { throw StoreError(.replaced, file: path) }
        guard let header = DatabaseHeader(of: db) else { throw StoreError(.corrupt, file: path) }
        (self.path, file, size, written, self.header) = (path, found.identity, found.size, found.written, header)
        (log, index) = (Companion(path: path + "-wal"), Companion(path: path + "-shm"))
        guard log.isSame(), index.isSame() else { throw StoreError(.replaced, file: path) }
    }

    /// Looks again, before something is written.
    ///
    /// - Throws: ``/NostrStore/StoreError``: `replaced` or `corrupt`.
    mutating func look(_ db: Database) throws {
        let found = try lookAtFile()
        try lookAtHeader(db, written: found.written)
        guard log.isSame(), index.isSame() else { throw StoreError(.replaced, file: path) }
    }

    /// Looks whether what was written just now went into files that still have their names.
    ///
    /// The header is read where the file itself was written to: a commit goes into the log, and only some are followed by
    /// a move from there.
    ///
    /// - Throws: as ``look(_:)``.
    mutating func lookAfterwards(_ db: Database) throws {
        let found = try lookAtFile()
        if found.written != written { try lookAtHeader(db, written: found.written) }
        guard log.isSame() else { throw StoreError(.replaced, file: path) }
    }

    private mutating func lookAtFile() throws -> FileStatus {
        guard let found = FileStatus(path), found.identity == file else { throw StoreError(.replaced, file: path) }
        guard found.size >= size else { throw StoreError(.corrupt, file: path) }
        size = found.size
        return found
    }

    private mutating func lookAtHeader(_ db: Database, written: FileStatus.Moment) throws {
        guard let header = DatabaseHeader(of: db), header.hasForm(of: self.header) else {
            throw StoreError(.corrupt, file: path)
        }
        guard header.changes >= self.header.changes else { throw StoreError(.replaced, file: path) }
        (self.header, self.written) = (header, written)
    }
}

/// What a name leads to.
struct FileStatus {
    /// When a file was written to last, by the system's clock.
    struct Moment: Equatable {
        private let seconds: Int
        private let nanoseconds: Int

        fileprivate init(_ moment: timespec) {
            (seconds, nanoseconds) = (moment.tv_sec, moment.tv_nsec)
        }
    }

    let identity: FileIdentity
    /// Unit: bytes.
    let size: Int64
    let written: Moment

    /// The file of a name; `nil` when there is none.
    init?(_ path: String) {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: found.st_dev), number: UInt64(truncatingIfNeeded: found.st_ino))
        size = Int64(found.st_size)
        #if canImport(Darwin)
            written = Moment(found.st_mtimespec)
        #else
            written = Moment(found.st_mtim)
        #endif
    }
}

/// Which file it is, whatever its name.
struct FileIdentity: Equatable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64
}

/// The first 100 bytes of a database file.
///
/// They are read through SQLite's own descriptor: to close another one of the same file would drop the locks that all
/// connections of this process hold on it (SQLite, "How To Corrupt An SQLite Database File", 2.2).
/// Source: SQLite, "Database File Format", 1.3 "The Database Header".
@safe struct DatabaseHeader {
    private let bytes: InlineArray<100, UInt8>

    /// The header of a connection's file; `nil` when it has none whole.
    init?(of db: Database) {
        guard let connection = unsafe db.sqliteConnection else { return nil }
        unsafe self.init(connection)
    }

    /// The header of a file that nobody need have opened; SQLite locks and changes nothing for it.
    ///
    /// - Throws: a `DatabaseError` when there is no such file, or it cannot be read.
    init?(path: String) throws {
        var connection: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil)
        // Nothing was written that closing could fail to.
        defer { _ = unsafe sqlite3_close_v2(connection) }
        guard code == SQLITE_OK, let opened = unsafe connection else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        unsafe self.init(opened)
    }

    private init?(_ connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe withUnsafeMutablePointer(to: &file) {
            unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods,
            let read = unsafe methods.pointee.xRead
        else { return nil }
        var bytes = InlineArray<100, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        let isRead = unsafe span.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, 100, 0) }
        guard isRead == SQLITE_OK else { return nil }
        self.bytes = bytes
    }

    /// How often the first page was changed.
    var changes: UInt32 { number(at: 24) }

    /// Whether these are the first bytes of a database.
    var isDatabase: Bool {
        for (place, byte) in "SQLite format 3\0".utf8.enumerated() where bytes[place] != byte { return false }
        return true
    }

    /// Whether the first 20 bytes are another's: the file's name for what it is, the size of its pages, and how it is read
    /// and written.
    func hasForm(of other: Self) -> Bool {
        for place in 0..<20 where bytes[place] != other.bytes[place] { return false }
        return true
    }

    /// Whether a file of so many bytes is shorter than it says.
    func isCutShort(size: Int64) -> Bool {
        let pageSize = Int64(bytes[16]) << 8 | Int64(bytes[17])
        let isSizeKnown = changes == number(at: 92)
        return isSizeKnown && Int64(number(at: 28)) * (pageSize == 1 ? 65_536 : pageSize) > size
    }

    private func number(at place: Int) -> UInt32 {
        (place..<place + 4).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
    }
}
