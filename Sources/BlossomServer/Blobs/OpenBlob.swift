internal import CPageCache
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Which state of which file: whatever changes a file's bytes changes one of these.
struct FileStamp: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int
    /// The moment of the last change, in nanoseconds.
    let changed: Int64

    /// The stamp of an open file.
    init(of descriptor: Int32) throws(DiskFailure) {
        var found = stat()
        try DiskFailure.check(unsafe fstat(descriptor, &found))
        #if canImport(Darwin)
            let moment = found.st_mtimespec
        #else
            let moment = found.st_mtim
        #endif
        device = UInt64(truncatingIfNeeded: found.st_dev)
        number = UInt64(truncatingIfNeeded: found.st_ino)
        size = Int(found.st_size)
        changed = Int64(moment.tv_sec) &* 1_000_000_000 &+ Int64(moment.tv_nsec)
    }
}

/// A blob's file, open for reading; it is closed when nobody holds it any more.
///
/// Who reads goes on reading the same bytes when the file is removed or replaced meanwhile.
final class OpenBlob: Sendable {
    private let descriptor: Int32
    let stamp: FileStamp

    /// Opens a file; blocks.
    ///
    /// - Throws: ``DiskFailure``, also for what is no plain file.
    init(path: String) throws(DiskFailure) {
        let opened = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw .last }
        do throws(DiskFailure) {
            stamp = try FileStamp(of: opened)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// Whether a part is in memory, so that sending it waits for no disk; blocks nobody.
    ///
    /// Both ends are looked at: what was read in one go mostly goes in one go, too. False where the system does not say.
    func isInMemory(_ part: Range<Int>) -> Bool {
        guard part.upperBound > part.lowerBound else { return true }
        return linnet_page_is_in_memory(descriptor, Int64(part.lowerBound)) == 1
            && linnet_page_is_in_memory(descriptor, Int64(part.upperBound - 1)) == 1
    }

    /// Has the system fetch a part, so that who sends it does not wait for the disk; blocks.
    ///
    /// Costs next to nothing where the part is in memory.
    func warm(_ part: Range<Int>) {
        guard part.upperBound > part.lowerBound else { return }
        #if canImport(Glibc)
            _ = posix_fadvise(descriptor, off_t(part.lowerBound), off_t(part.count), POSIX_FADV_WILLNEED)
        #endif
        // What was asked for last comes last. A disk that fails says so to whoever sends.
        var last: UInt8 = 0
        _ = unsafe pread(descriptor, &last, 1, off_t(part.upperBound - 1))
    }

    /// The file for the system to send, which must not be closed, and not outlive this.
    func lent() -> NIOFileHandle { NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor) }

    /// Reads up to so many bytes from an offset on; blocks.
    ///
    /// - Returns: fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(DiskFailure) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        while buffer.readableBytes < count {
            let start = offset + buffer.readableBytes
            let wanted = count - buffer.readableBytes
            let got = unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { room in
                let read = unsafe pread(descriptor, room.baseAddress, min(wanted, room.count), off_t(start))
                // The buffer may only be told of bytes that are there; an error is asked for below.
                return max(read, 0)
            }
            if got > 0 { continue }
            let reached = (try FileStamp(of: descriptor)).size
            guard start < reached else { break }
            throw DiskFailure(number: EIO)
        }
        return buffer
    }
}
