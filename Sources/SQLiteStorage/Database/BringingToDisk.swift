#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Has the disk take what was written into a file, or the names that a folder gives.
///
/// Through a descriptor of its own, so that nobody who writes waits meanwhile. Not for a database itself: on closing the
/// descriptor, all of this program would lose their locks on it. On a log SQLite holds none.
///
/// - Returns: the system's number for why the disk did not take it; `nil` where it did, and for what is not there or may
///   not be read.
func bringToDisk(_ path: String) -> Int32? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [ENOENT, EACCES].contains(errno) ? nil : errno }
    defer { close(file) }
    #if canImport(Darwin)
        // Only this has the drive empty its own memory; not every file system knows it.
        if fcntl(file, F_FULLFSYNC) == 0 { return nil }
    #endif
    return fsync(file) == 0 ? nil : errno
}
