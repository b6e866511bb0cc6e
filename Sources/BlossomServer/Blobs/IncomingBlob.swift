internal import CPageCache
internal import Crypto
internal import NIOCore
internal import NostrNIPs
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A blob that is being received: a file that nobody is served from, and the hash of what is in it so far.
///
/// One task uses it, from several threads in turn; what it does to the disk blocks. A file that was not placed is gone
/// with it.
final class IncomingBlob: Sendable {
    private struct State: ~Copyable {
        var hasher = SHA256()
        /// What is yet to be hashed and written.
        var gathered = GatheredBytes()
        var written = 0
        var way = Way.untried
        var beginning: [UInt8] = []
        var isPlaced = false
    }

    /// How bytes get to the disk.
    private enum Way {
        /// Nobody asked yet whether the file system has a way past the system's memory.
        case untried
        /// From where they were gathered: a copy in the system's memory would cost more than hashing them does.
        case direct
        /// Through the system's memory.
        case cached
    }

    private let descriptor: Int32
    private let path: String
    /// Locked while the disk writes, too: whoever else asks is the same task, later.
    private let state = Mutex(State())

    /// Makes the file.
    ///
    /// - Throws: ``DiskFailure``.
    init(path: String) throws(DiskFailure) {
        let opened = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .last }
        descriptor = opened
        self.path = path
    }

    deinit {
        close(descriptor)
        guard !state.withLock({ $0.isPlaced }) else { return }
        // A long file takes its time to go, and who drops it last may be a thread that answers others. What stays behind
        // all the same is removed at the next start.
        onDiskLater { [path] in _ = unsafe unlink(path) }
    }

    /// How many bytes came.
    var size: Int { state.withLock { $0.written + $0.gathered.count } }

    /// The first bytes, by which a type can be told.
    var beginning: [UInt8] { state.withLock { $0.beginning } }

    /// Takes more bytes.
    ///
    /// - Throws: ``DiskFailure``; then the file is of no use any more.
    func append(_ bytes: ByteBuffer) throws(DiskFailure) {
        try state.withLock { state throws(DiskFailure) in
            let missing = MediaType.tellingBytes - state.beginning.count
            if missing > 0 { state.beginning += bytes.readableBytesView.prefix(missing) }
            var rest = bytes
            while rest.readableBytes > 0 {
                let taken = unsafe rest.withUnsafeReadableBytes { unsafe state.gathered.take($0) }
                rest.moveReaderIndex(forwardBy: taken)
                if state.gathered.isFull { try passOn(&state) }
            }
        }
    }

    /// Ends the file: its bytes are on the disk, under a name that nobody asks for yet.
    func finish() throws(DiskFailure) -> BlobHash {
        let digest = try state.withLock { state throws(DiskFailure) in
            try passOn(&state)
            return Array(state.hasher.finalize())
        }
        try DiskFailure.check(fsync(descriptor))
        guard let hash = BlobHash(digest: digest) else { throw DiskFailure(number: EIO) }
        return hash
    }

    /// Hashes and writes what was gathered.
    private func passOn(_ state: inout State) throws(DiskFailure) {
        let count = state.gathered.count
        guard count > 0 else { return }
        choose(&state)
        var way = state.way
        let hasher = state.hasher
        state.hasher = try unsafe state.gathered.withUnsafeBytes { bytes throws(DiskFailure) in
            var hasher = hasher
            unsafe hasher.update(bufferPointer: bytes)
            try unsafe put(bytes, &way)
            return hasher
        }
        // Little is left to wait for at the end when the disk begins now.
        if way == .cached, count == GatheredBytes.capacity {
            linnet_pages_begin_writing(descriptor, Int64(state.written), Int64(count))
        }
        state.way = way
        state.written += count
        state.gathered.removeAll()
    }

    /// Chooses how the next bytes get to the disk: past the system's memory go whole pieces alone.
    private func choose(_ state: inout State) {
        if state.gathered.isFull {
            guard state.way == .untried else { return }
            state.way = linnet_writes_go_around(descriptor, 1) == 1 ? .direct : .cached
        } else if state.way == .direct {
            // What the file is then is seen by writing to it.
            _ = linnet_writes_go_around(descriptor, 0)
            state.way = .cached
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, _ way: inout Way) throws(DiskFailure) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let written = unsafe write(descriptor, rest.baseAddress, rest.count)
            if written > 0 {
                done += written
            } else if written == 0 {
                throw DiskFailure(number: EIO)
            } else if errno == EINVAL, way == .direct {
                // A file system may take other pieces than ours, or have taken a part of one.
                _ = linnet_writes_go_around(descriptor, 0)
                way = .cached
            } else if errno != EINTR {
                throw .last
            }
        }
    }

    /// Gives the finished file its name in one step, in the place of what may be there; the folder is yet to be synced.
    ///
    /// - Returns: which file it is now.
    func place(at path: String) throws(DiskFailure) -> FileStamp {
        try DiskFailure.check(unsafe rename(self.path, path))
        state.withLock { $0.isPlaced = true }
        return try FileStamp(of: descriptor)
    }
}

/// Makes the names in a folder durable.
func syncFolder(_ path: String) throws(DiskFailure) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .last }
    defer { close(folder) }
    try DiskFailure.check(fsync(folder))
}
