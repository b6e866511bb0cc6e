internal import Foundation
internal import GRDB
internal import Synchronization

/// Brings what was written without waiting for the disk to the disk, within a second.
final class DelayedFlush: Sendable {
    /// How long what was written may be in the system's memory alone.
    static let delay: Duration = .seconds(1)

    private let database: OpenDatabase
    private let later: Later
    private let bringToDisk: @Sendable (String) -> Int32?
    private let isScheduled = Mutex(false)
    private let isClosed = Mutex(false)

    /// - Parameters:
    ///   - database: its commits do not wait for the disk (`synchronous = NORMAL`).
    ///   - later: runs work after a while.
    ///   - bringToDisk: has the disk take a file, or the names of a folder; the system's number where it did not.
    init(
        _ database: OpenDatabase, later: @escaping Later = laterBySystem,
        bringToDisk: @escaping @Sendable (String) -> Int32? = SQLiteStorage.bringToDisk
    ) {
        (self.database, self.later, self.bringToDisk) = (database, later, bringToDisk)
    }

    /// Something was written.
    func isDue() {
        let mustSchedule = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        if mustSchedule { later(Self.delay) { [weak self] in self?.flush() } }
    }

    /// The file is about to be closed, which flushes it; nothing is written from now on.
    func close() {
        isClosed.withLock { $0 = true }
    }

    private func flush() {
        guard !isClosed.withLock({ $0 }) else { return }
        // What is written from here on is flushed the next time.
        isScheduled.withLock { $0 = false }
        // What was committed is in the log, or was flushed when it was moved from there (SQLite, "PRAGMA synchronous",
        // NORMAL). A disk that does not take it now is told of by the next choice.
        let folder = NSString(string: database.path).deletingLastPathComponent
        for path in [database.path + "-wal", folder] { _ = bringToDisk(path) }
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
