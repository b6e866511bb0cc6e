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
/// A few system calls, so that every commit can afford it.
struct FileWatch {
    private let file: FileIdentity
    private let form: ArraySlice<UInt8>
    /// SQLite makes these two with the first transaction.
    private var companions: [String: FileIdentity] = [:]
    /// The file never shrinks while it is open, as nothing vacuums it.
    private var size: Int64
    /// How often the file's first page was changed; an older copy in its place is told by a lower number.
    private var changes: UInt32

    /// Looks at files for the first time.
    ///
    /// - Throws: ``/NostrStore/StoreError``.
    init(of db: Database, at path: String) throws {
        guard let found = FileIdentity.find(path) else { throw StoreError(.replaced, file: path) }
        guard let header = DatabaseHeader(of: db) else { throw StoreError(.corrupt, file: path) }
        (file, size) = (found.identity, found.size)
        (form, changes) = (header.form, header.changes)
        try lookAtCompanions(of: path)
    }

    /// Looks again.
    ///
    /// - Throws: ``/NostrStore/StoreError``: `replaced` or `corrupt`.
    mutating func look(_ db: Database, at path: String) throws {
        guard let found = FileIdentity.find(path), found.identity == file else {
            throw StoreError(.replaced, file: path)
        }
        guard found.size >= size, let header = DatabaseHeader(of: db), header.form == form else {
            throw StoreError(.corrupt, file: path)
        }
        guard header.changes >= changes else { throw StoreError(.replaced, file: path) }
        (size, changes) = (found.size, header.changes)
        try lookAtCompanions(of: path)
    }

    private mutating func lookAtCompanions(of path: String) throws {
        for ending in ["-wal", "-shm"] {
            let found = FileIdentity.find(path + ending)?.identity
            guard companions[ending] == nil || companions[ending] == found else {
                throw StoreError(.replaced, file: path)
            }
            companions[ending] = found
        }
    }
}

/// Which file a name leads to.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The file of a name and its size in bytes; `nil` when there is none.
    static func find(_ path: String) -> (identity: FileIdentity, size: Int64)? {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        let identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: found.st_dev), number: UInt64(truncatingIfNeeded: found.st_ino))
        return (identity, Int64(found.st_size))
    }
}

/// The first 100 bytes of a database file.
///
/// They are read through SQLite's own descriptor: to close another one of the same file would drop the locks that all
/// connections of this process hold on it (SQLite, "How To Corrupt An SQLite Database File", 2.2).
/// Source: SQLite, "Database File Format", 1.3 "The Database Header".
@safe struct DatabaseHeader {
    let bytes: [UInt8]
    /// How large the file is, in bytes.
    let size: Int64

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
            let read = unsafe methods.pointee.xRead, let measure = unsafe methods.pointee.xFileSize
        else { return nil }
        var size: Int64 = 0
        var bytes = [UInt8](repeating: 0, count: 100)
        let isRead = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, 100, 0) }
        guard unsafe measure(file, &size) == SQLITE_OK, isRead == SQLITE_OK else { return nil }
        (self.bytes, self.size) = (bytes, size)
    }

    /// The file's name for what it is, the size of its pages, and how it is read and written.
    var form: ArraySlice<UInt8> { bytes[..<20] }
    /// How often the first page was changed.
    var changes: UInt32 { number(at: 24) }

    /// Whether these are the first bytes of a database.
    var isDatabase: Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }

    /// Whether the file is shorter than it says.
    var isCutShort: Bool {
        let pageSize = Int64(bytes[16]) << 8 | Int64(bytes[17])
        let isSizeKnown = bytes[24..<28] == bytes[92..<96]
        return isSizeKnown && Int64(number(at: 28)) * (pageSize == 1 ? 65_536 : pageSize) > size
    }

    private func number(at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
