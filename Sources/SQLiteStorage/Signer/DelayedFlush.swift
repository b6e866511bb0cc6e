internal import Dispatch
internal import GRDB
internal import Synchronization

/// Brings what was written without waiting for the disk to the disk, within a second.
final class DelayedFlush: Sendable {
    private let database: OpenDatabase
    private let isScheduled = Mutex(false)
    private let isClosed = Mutex(false)

    /// - Parameter database: its commits do not wait for the disk (`synchronous = NORMAL`).
    init(_ database: OpenDatabase) {
        self.database = database
    }

    /// Something was written.
    func isDue() {
        let mustSchedule = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard mustSchedule else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.flush() }
    }

    /// The file is about to be closed, which flushes it; nothing is written from now on.
    func close() {
        isClosed.withLock { $0 = true }
    }

    private func flush() {
        guard !isClosed.withLock({ $0 }) else { return }
        database.pool.asyncWriteWithoutTransaction { [self] db in
            isScheduled.withLock { $0 = false }
            guard !isClosed.withLock({ $0 }) else { return }
            // A disk that does not take it now is told of by the next choice or request.
            try? database.committing(in: db) {
                try onDisk(db) { try $0.execute(sql: "UPDATE flush SET count = count + 1") }
            }
        }
    }
}

/// Makes one transaction whose commit waits until it, and all before it, is on the disk.
///
/// How much a commit waits for can only be changed between transactions (SQLite, "PRAGMA synchronous").
func onDisk(_ db: Database, _ work: (Database) throws -> Void) throws {
    try db.execute(sql: "PRAGMA synchronous = FULL")
    // What cannot be set back only makes later commits slower.
    defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
    try db.inTransaction(.immediate) {
        try work(db)
        return .commit
    }
}
