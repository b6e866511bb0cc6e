internal import GRDB
internal import GRDBSQLite
internal import NostrCore

/// A prepared statement of a hot path: binds bytes where they lie and reads columns without an object per row.
///
/// Valid only inside the database access it was made in; two with the same SQL share one statement, so the first must
/// be done before the second begins.
@safe struct HotStatement {
    private let statement: Statement

    private var handle: OpaquePointer { unsafe statement.sqliteStatement }

    /// The statement of the connection's cache, prepared the first time, and set back to its beginning.
    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        reset()
    }

    // MARK: - Arguments, from 1

    func bind(_ value: Int64?, at index: Int32) {
        if let value {
            check(unsafe sqlite3_bind_int64(handle, index, value))
        } else {
            check(unsafe sqlite3_bind_null(handle, index))
        }
    }

    func bind(blob bytes: Span<UInt8>, at index: Int32) {
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            // A nil address would bind NULL, so an empty blob is asked for by its size.
            guard let base = buffer.baseAddress else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe sqlite3_bind_blob64(handle, index, base, UInt64(buffer.count), copyBytes)
        }
        check(code)
    }

    func bind(blob bytes: [UInt8], at index: Int32) {
        bind(blob: bytes.span, at: index)
    }

    func bind(blob bytes: Bytes32, at index: Int32) {
        bytes.withSpan { bind(blob: $0, at: index) }
    }

    func bind(text: String, at index: Int32) {
        var text = text
        let code = text.withUTF8 { utf8 in
            guard let base = utf8.baseAddress else { return unsafe sqlite3_bind_text(handle, index, "", 0, nil) }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
                unsafe sqlite3_bind_text64(
                    handle, index, characters, UInt64(utf8.count), copyBytes, UInt8(SQLITE_UTF8))
            }
        }
        check(code)
    }

    func bind(text: String?, at index: Int32) {
        if let text { bind(text: text, at: index) } else { bind(nil, at: index) }
    }

    func bind(blob bytes: Bytes32?, at index: Int32) {
        if let bytes { bind(blob: bytes, at: index) } else { bind(nil, at: index) }
    }

    // MARK: - Running

    /// Steps to the next row; `false` at the end.
    func step() throws -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    /// Runs a statement that yields no rows.
    func run() throws {
        defer { reset() }
        while try step() {}
    }

    /// Ends this use; arguments stay bound.
    func reset() {
        // The code repeats the failure of the last step, which has been thrown already.
        _ = unsafe sqlite3_reset(handle)
    }

    // MARK: - Columns, from 0

    func int(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// The bytes of a blob, copied.
    func blob(_ column: Int32) -> [UInt8] {
        guard let base = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    /// The bytes of a blob where SQLite keeps them, for a moment.
    func withBlob<Result>(_ column: Int32, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        guard let base = unsafe sqlite3_column_blob(handle, column) else { return try body(Span()) }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count).bindMemory(to: UInt8.self)
        return try body(unsafe bytes.span)
    }

    /// Text, copied.
    func text(_ column: Int32) -> String {
        guard let base = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// A blob of UTF-8 as text.
    func string(_ column: Int32) -> String {
        guard let base = unsafe sqlite3_column_blob(handle, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// Text, or `nil` for NULL.
    func text(_ column: Int32) -> String? {
        isNull(column) ? nil : string(column)
    }

    /// A blob of 32 bytes.
    ///
    /// - Throws: a `DatabaseError` for any other.
    func bytes32(_ column: Int32) throws -> Bytes32 {
        let bytes = blob(column)
        do { return try Bytes32(bytes.span) } catch { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    }

    private func check(_ code: Int32) {
        // Binding touches no file: a failure is a wrong index of ours, or no memory.
        precondition(code == SQLITE_OK, "SQLite refused an argument: code \(code)")
    }
}

/// Asks SQLite to copy what is bound before the call returns.
private var copyBytes: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
