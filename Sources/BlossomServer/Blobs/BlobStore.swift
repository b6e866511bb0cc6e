internal import AsyncPrimitives
internal import Crypto
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// The blobs that are kept: files in a folder, and records of whose they are.
///
/// A blob is kept when its record says so. A file comes to its place before its record, and goes after it, so a crash
/// leaves at most a file that nobody owns, which ``removeOrphans()`` finds. No byte is given out that was not checked
/// against the blob's name since this process began, or since the file last changed.
final class BlobStore: Sendable {
    /// A blob that is not here though its record is: the file is gone, or its bytes are others.
    struct Damage: Error, Hashable {
        let hash: BlobHash
    }

    /// What came of a wish to delete.
    enum Deletion: Hashable {
        case deleted, notKept, notOwned
    }

    /// How much is read, written and hashed at once, in bytes.
    static let chunk = 256 * 1024

    let records: BlobRecords
    private let folder: BlobFolder
    private let log: Logger
    /// A blob's file changes its place, and its records with it, one change at a time; others wait for the disk beside it,
    /// which joins what they wait for.
    private let gates = SerialGates<BlobHash>()
    /// What somebody owns is counted one change at a time.
    ///
    /// Entered behind a gate of a blob, never before one.
    private let counts = SerialGates<PublicKey>()
    /// Hashing takes a core: two at a time leave room for what else the program does.
    private let checks = AsyncSemaphore(permits: 2)
    private let checked = Mutex(RecentValues<BlobHash, Checked?>(capacity: 65_536))
    private let openedLately = Mutex(RecentValues<BlobHash, Void>(capacity: 256))

    private struct Checked {
        let blob: KeptBlob
        let stamp: FileStamp
    }

    init(folder: BlobFolder, records: BlobRecords, log: Logger) {
        (self.folder, self.records, self.log) = (folder, records, log)
    }

    /// Makes the folder, and forgets what was half received when the program ended.
    func prepare() async throws {
        try await onDisk { [folder] in try folder.prepare() }
    }

    /// Begins to receive a blob.
    func receive() async throws -> IncomingBlob {
        try await onDisk { [folder] in try folder.receive() }
    }

    /// Takes bytes of a blob that is being received.
    func append(_ bytes: [UInt8], to blob: IncomingBlob) async throws {
        try await append([ByteBuffer(bytes: bytes)], to: blob)
    }

    /// Takes parts of a blob that is being received, one behind the other.
    func append(_ parts: [ByteBuffer], to blob: IncomingBlob) async throws {
        try await onDisk(by: receivingThreads) { for part in parts { try blob.append(part) } }
    }

    /// Ends a blob that is being received.
    ///
    /// - Returns: its name.
    func finish(_ blob: IncomingBlob) async throws -> BlobHash {
        try await onDisk(by: receivingThreads) { try blob.finish() }
    }

    /// Keeps a blob that was received whole, for somebody.
    ///
    /// Its file takes the place of one that may be there, which mends a damaged one.
    /// - Parameters:
    ///   - quota: how many bytes one owner may have; `nil` for no bound.
    /// - Returns: `nil` when the owner has too much already; else the blob, and whether it was not kept before.
    func keep(
        _ file: IncomingBlob, as hash: BlobHash, type: String, owner: PublicKey, quota: Int?, now: Timestamp
    ) async throws -> (blob: KeptBlob, isNew: Bool)? {
        try await change(hash, of: owner) {
            guard try await hasRoom(owner, for: hash, size: file.size, quota: quota) else { return nil }
            let known = try await records.blob(hash)
            let blob = known ?? KeptBlob(hash: hash, size: file.size, type: type, uploaded: now)
            let stamp = try await onDisk { [folder] in try folder.keep(file, as: hash) }
            try await records.add(owner, to: blob, now: now)
            checked.withLock { $0.set(Checked(blob: blob, stamp: stamp), for: hash) }
            return (blob, known == nil)
        }
    }

    /// Whether somebody may have a blob of a size besides what they have.
    func hasRoom(_ owner: PublicKey, for hash: BlobHash?, size: Int, quota: Int?) async throws -> Bool {
        guard let quota else { return true }
        if let hash, try await records.owns(owner, hash) { return true }
        return try await records.used(by: owner) + size <= quota
    }

    /// Ends somebody's owning of a blob; the last owner takes the file with them.
    func delete(_ hash: BlobHash, of owner: PublicKey) async throws -> Deletion {
        try await change(hash, of: owner) {
            guard let blob = try await records.blob(hash) else { return .notKept }
            guard try await records.owns(owner, hash) else { return .notOwned }
            guard try await records.remove(owner, from: blob) else { return .deleted }
            checked.withLock { $0.set(nil, for: hash) }
            do {
                try await onDisk { [folder] in try folder.remove(hash) }
            } catch {
                // It belongs to nobody now, and goes with the next orphans.
                log.warning("a deleted blob's file is still there", metadata: ["blob": "\(hash)", "why": "\(error)"])
            }
            return .deleted
        }
    }

    /// A blob and its file, whose bytes are those that its name says.
    ///
    /// - Returns: `nil` when it is not kept.
    /// - Throws: ``Damage``, or what the disk and the records say.
    func open(_ hash: BlobHash) async throws -> (blob: KeptBlob, file: OpenBlob)? {
        let known = checkedBefore(hash)
        var found = try await openFile(hash)
        if let known, let found, known.stamp == found.stamp { return (known.blob, found) }
        guard let blob = try await records.blob(hash) else { return nil }
        // It may have been brought between the two looks.
        if found == nil { found = try await openFile(hash) }
        guard let file = found else { throw Damage(hash: hash) }
        try await checks.withPermit {
            // Who waited may find it checked by who went before.
            if checkedBefore(hash)?.stamp == file.stamp { return }
            try await check(blob, file) {}
        }
        return (blob, file)
    }

    /// Checks every blob against its name, slowly, and drops files that nobody owns.
    ///
    /// - Parameter pause: waits after each chunk.
    func scrub(pause: () async throws -> Void) async throws {
        try await removeOrphans()
        var last: BlobHash?
        while true {
            let blobs = try await records.blobs(after: last, limit: 100)
            for blob in blobs {
                try await pause()
                do {
                    guard let file = try await onDisk({ [folder] in try folder.open(blob.hash) }) else {
                        // It may have been deleted since it was listed.
                        if try await records.blob(blob.hash) != nil { throw Damage(hash: blob.hash) }
                        continue
                    }
                    try await check(blob, file, pause: pause)
                } catch  where error is Damage || error is DiskFailure {
                    log.error("a blob is damaged", metadata: ["blob": "\(blob.hash)", "why": "\(error)"])
                }
            }
            guard let end = blobs.last else { return }
            last = end.hash
        }
    }

    /// Removes files that no record speaks of: what a crash left between two steps.
    func removeOrphans() async throws {
        for byte in UInt8.min...UInt8.max {
            for hash in try await onDisk({ [folder] in folder.hashes(beginningWith: byte) }) {
                guard try await records.blob(hash) == nil else { continue }
                try await gates.run(hash) {
                    // Somebody may have brought it since.
                    guard try await records.blob(hash) == nil else { return }
                    try await onDisk { [folder] in try folder.remove(hash) }
                    log.info("removed a file of no blob", metadata: ["blob": "\(hash)"])
                }
            }
        }
    }

    /// Works alone on a blob and on what somebody owns.
    private func change<Value>(
        _ hash: BlobHash, of owner: PublicKey, _ work: () async throws -> Value
    ) async rethrows -> Value {
        try await gates.run(hash) { try await counts.run(owner, work) }
    }

    /// Opens a file, if there is one.
    ///
    /// Where a file lies that was opened lately is in the system's memory: opening it again takes less time than handing
    /// that to another thread.
    private func openFile(_ hash: BlobHash) async throws -> OpenBlob? {
        let isQuick = openedLately.withLock { $0[hash] != nil }
        let file =
            if isQuick { try folder.open(hash) } else { try await onDisk { [folder] in try folder.open(hash) } }
        if file != nil { openedLately.withLock { $0.set((), for: hash) } }
        return file
    }

    private func checkedBefore(_ hash: BlobHash) -> Checked? {
        checked.withLock { $0[hash].flatMap { $0 } }
    }

    /// Hashes a file and remembers that it was right.
    private func check(_ blob: KeptBlob, _ file: OpenBlob, pause: () async throws -> Void) async throws {
        var hasher = SHA256()
        var offset = 0
        while true {
            // Hashed where it is read: the thread that asks may be one that answers others.
            let (before, start) = (hasher, offset)
            let (after, count) = try await onDisk {
                let bytes = try file.read(at: start, count: Self.chunk)
                var hasher = before
                unsafe bytes.withUnsafeReadableBytes { unsafe hasher.update(bufferPointer: $0) }
                return (hasher, bytes.readableBytes)
            }
            guard count > 0 else { break }
            hasher = after
            offset += count
            try await pause()
        }
        guard offset == blob.size, Array(hasher.finalize()) == blob.hash.bytes.array else {
            checked.withLock { $0.set(nil, for: blob.hash) }
            throw Damage(hash: blob.hash)
        }
        checked.withLock { $0.set(Checked(blob: blob, stamp: file.stamp), for: blob.hash) }
    }
}

/// Does what blocks on a thread that nobody else waits for.
func onDisk<Value: Sendable>(
    by threads: NIOThreadPool = diskThreads, _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await threads.runIfActive(work)
}

/// Does what blocks on such a thread some time soon, and does not wait for it.
func onDiskLater(_ work: @escaping @Sendable () -> Void) {
    diskThreads.submit { _ in work() }
}

/// More threads than there are cores: most of the time they wait until something is durable, and meanwhile others read.
let diskThreads = startedThreads(8)

/// Others for what comes in, which waits for the disk at each megabyte: however much comes, what is given out has threads.
private let receivingThreads = startedThreads(4)

private func startedThreads(_ count: Int) -> NIOThreadPool {
    let threads = NIOThreadPool(numberOfThreads: count)
    threads.start()
    return threads
}
