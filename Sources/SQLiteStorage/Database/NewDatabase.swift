internal import Foundation
internal import GRDB
internal import NostrStore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Makes a database file that has its name only once it is whole and on the disk, readable by its owner only.
///
/// So a file that is empty, or has not our tables, is never one that was just being made.
///
/// - Throws: ``/NostrStore/StoreError``, and a `DatabaseError`.
func makeDatabase(at path: String, migrator: DatabaseMigrator) throws {
    removeUnfinished(beside: path)
    let temporary = "\(path).\(UUID().uuidString)\(unfinished)"
    defer { for ending in ["", "-wal", "-shm", "-journal"] { _ = unsafe unlink(temporary + ending) } }
    let file = unsafe open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw storeError(ofSystem: errno, file: path) }
    do {
        // Closed before the file has its name: closing drops the locks of whoever has it open here.
        defer { close(file) }
        try fill(temporary, migrator)
        guard fsync(file) == 0 else { throw storeError(ofSystem: errno, file: path) }
    }
    try name(temporary, path)
}

private func fill(_ temporary: String, _ migrator: DatabaseMigrator) throws {
    let queue = try DatabaseQueue(path: temporary)
    try queue.writeWithoutTransaction { db in
        // The file is flushed once, at the end; before that it has no name that counts.
        try db.execute(sql: "PRAGMA synchronous = OFF")
        try db.execute(sql: "PRAGMA journal_mode = MEMORY")
    }
    try migrator.migrate(queue)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.close()
}

/// How files that are being made end.
private let unfinished = ".new"

/// Gives a file its name; one that another program has made meanwhile is as good.
private func name(_ temporary: String, _ path: String) throws {
    if unsafe link(temporary, path) != 0, errno != EEXIST {
        // Some file systems know no hard links; there the look before the step has to do.
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno), FileStatus(path) == nil,
            unsafe rename(temporary, path) == 0
        else { throw storeError(ofSystem: errno, file: path) }
    }
    if let number = bringToDisk(NSString(string: path).deletingLastPathComponent) {
        throw storeError(ofSystem: number, file: path)
    }
}

/// Removes what programs left that were killed while they made this file; making one takes no hour.
private func removeUnfinished(beside path: String) {
    let files = FileManager.default
    let whole = URL(filePath: path)
    let folder = whole.deletingLastPathComponent()
    // Where nothing can be listed or removed, making the file says so.
    for name in (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix(whole.lastPathComponent + ".") && name.contains(unfinished) {
        let left = folder.appending(path: name)
        let made = (try? files.attributesOfItem(atPath: left.path))?[.modificationDate] as? Date
        if let made, made.timeIntervalSinceNow < -3600 { try? files.removeItem(at: left) }
    }
}

private func storeError(ofSystem number: Int32, file: String) -> StoreError {
    switch number {
    case ENOSPC, EDQUOT: StoreError(.diskFull, file: file)
    case EROFS: StoreError(.readOnly, file: file)
    case ENOENT, EACCES, EPERM, ENOTDIR: StoreError(.cannotOpen, file: file)
    default: StoreError(.io, file: file, detail: "\(number)")
    }
}
