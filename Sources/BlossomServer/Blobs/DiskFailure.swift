#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the system said about a file of blobs.
struct DiskFailure: Error, Hashable {
    /// The system's number for it.
    let number: Int32

    /// The failure that the system just named.
    static var last: DiskFailure { DiskFailure(number: errno) }

    /// A file that ends before it should.
    static var cutShort: DiskFailure { DiskFailure(number: EIO) }

    /// Whether there is no such file.
    var isMissing: Bool { number == ENOENT }
    /// Whether there is no room for more; a bound on the size of files is met in the same way.
    var isFull: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }

    static func check(_ result: Int32) throws(DiskFailure) {
        guard result == 0 else { throw .last }
    }
}
