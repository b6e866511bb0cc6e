internal import Dispatch
internal import Foundation
internal import GRDB
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

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
        // What is written from here on is flushed the next time.
        isScheduled.withLock { $0 = false }
        bringToDisk(database.path + "-wal")
    }
}

/// Has the disk take what was written into a file, and its name.
///
/// Through a descriptor of its own, so that the writer goes on meanwhile: what was committed is in the log, or was flushed
/// when it was moved from there (SQLite, "PRAGMA synchronous", NORMAL), and on its log SQLite holds no locks that closing
/// a descriptor could drop. A disk that does not take it now is told of by the next choice.
private func bringToDisk(_ path: String) {
    for name in [path, NSString(string: path).deletingLastPathComponent] {
        let file = unsafe open(name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { continue }
        #if canImport(Darwin)
            if fcntl(file, F_FULLFSYNC) != 0 { _ = fsync(file) }
        #else
            _ = fsync(file)
        #endif
        close(file)
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
