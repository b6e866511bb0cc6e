import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Holds a data directory for one program: two would each deliver the same queue.
///
/// The system lets go of it when the program ends, however it ends. The directory itself is locked, too: a lock file that
/// somebody removes holds nobody back.
struct DirectoryLock: ~Copyable {
    private let file: Int32
    /// The directory; negative where its file system locks no directories.
    private let folder: Int32

    /// Locks a directory against other programs for as long as this value lives.
    ///
    /// - Throws: a ``CommandFailure`` when another program holds it or the lock file cannot be made.
    init(_ directory: DataDirectory) throws {
        let opened = unsafe open("\(directory.path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw CommandFailure("Cannot write to \(directory.path): check that you may write there.")
        }
        let folder = unsafe open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let isHeld = flock(opened, LOCK_EX | LOCK_NB) == 0
        guard isHeld, folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(opened)
            if folder >= 0 { close(folder) }
            throw CommandFailure(
                "Another Linnet is using \(directory.path): stop it first, or choose another directory with --data.")
        }
        file = opened
        self.folder = folder
    }

    /// Whether another program holds a directory at this moment; it may let go of it at the next.
    static func isHeld(_ directory: DataDirectory) -> Bool {
        let opened = unsafe open("\(directory.path)/lock", O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    deinit {
        close(file)
        if folder >= 0 { close(folder) }
    }
}
