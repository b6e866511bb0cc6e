internal import GRDB
internal import Synchronization

/// Empties a file's write-ahead log some seconds after something was written, so that what was replaced or removed by
/// then is nowhere in the files.
///
/// A commit alone leaves the old pages: in the file until the log is moved there, and in the log until another write
/// happens to lie over them (SQLite, "Write-Ahead Logging", "The WAL File"). Emptying waits for the disk twice, which is
/// too much for every commit; so commits of some seconds share one. Together with `secure_delete` this bounds how long
/// a disk image can show what a program holds no more.
final class LogEmptying: Sendable {
    /// How long what was replaced may stay, while nobody reads.
    static let delay: Duration = .seconds(5)

    private struct State {
        var isDue = false
        var isClosed = false
        /// How many rows were changed before the last commit.
        var changes = 0
    }

    private let database: OpenDatabase
    private let busyTimeout: Duration
    private let later: Later
    private let state = Mutex(State())

    /// - Parameter busyTimeout: how long commits wait for other programs; emptying waits for none.
    init(_ database: OpenDatabase, busyTimeout: Duration, later: @escaping Later) {
        (self.database, self.busyTimeout, self.later) = (database, busyTimeout, later)
    }

    /// A transaction is on the disk.
    func didCommit(_ db: Database) {
        let hasWritten = state.withLock { state in
            defer { state.changes = db.totalChangesCount }
            return state.changes != db.totalChangesCount
        }
        if hasWritten { isDue() }
    }

    private func isDue() {
        let mustSchedule = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue && !state.isClosed
        }
        if mustSchedule { later(Self.delay) { [weak self] in self?.work() } }
    }

    /// Empties the log at once; what a program that was killed has left, too.
    func now() {
        database.pool.writeWithoutTransaction { _ = empty($0) }
    }

    /// The file is closed next, which empties the log a last time.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    private func work() {
        guard !state.withLock(\.isClosed) else { return }
        database.pool.asyncWriteWithoutTransaction { [self] db in
            let isClosed = state.withLock { state in
                state.isDue = false
                return state.isClosed
            }
            // A reader at work may keep the log from being emptied; then it is tried again.
            if !isClosed, !empty(db) { isDue() }
        }
    }

    /// Whether the log was moved into the file and cut to nothing; waits for nobody.
    private func empty(_ db: Database) -> Bool {
        let wait = busyTimeout.components.seconds * 1000 + busyTimeout.components.attoseconds / 1_000_000_000_000_000
        do {
            // Writers would wait behind one who waits for a long read.
            try db.execute(sql: "PRAGMA busy_timeout = 0")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = \(wait)") }
            return database.emptyLog(db)
        } catch {
            return false
        }
    }
}
