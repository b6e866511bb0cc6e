internal import GRDB
internal import GRDBSQLite
internal import NostrStore

/// How many steps SQLite's machine takes before it asks whether to go on: some tens of microseconds.
private let stepsBetween: Int32 = 1000

/// Runs statements that SQLite gives up with `SQLITE_INTERRUPT` once the limit says stop, also in the midst of one.
///
/// Interrupting a connection from another thread reaches only a statement that runs at that moment; this asks within each.
func interruptible<T>(_ db: Database, by limit: ReadingLimit, _ body: () throws -> T) rethrows -> T {
    let box = LimitBox(limit)
    return try withExtendedLifetime(box) {
        unsafe sqlite3_progress_handler(
            db.sqliteConnection, stepsBetween,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<LimitBox>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(box).toOpaque())
        defer { unsafe sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
        return try body()
    }
}

/// A limit where C can point to it.
private final class LimitBox {
    private let limit: ReadingLimit
    var isOver: Bool { limit.sign() == .stop }

    init(_ limit: ReadingLimit) {
        self.limit = limit
    }
}
