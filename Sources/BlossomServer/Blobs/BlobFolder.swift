internal import Foundation
internal import NostrCore
internal import NostrNIPs
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The folder that blobs lie in, each under its hash: `ab/cd/abcd…`.
///
/// What is being received lies in `incoming`, on the same file system, so that its way to its place is one step. Names are
/// made from hashes alone; nothing that a client says becomes part of a path.
struct BlobFolder: Sendable {
    let path: String
    private let durable = DurableNames()

    init(path: String) {
        self.path = path
    }

    private var incoming: String { "\(path)/incoming" }

    /// Makes the folder, and empties it of what was never received whole; blocks.
    ///
    /// - Throws: ``DiskFailure``, or what Foundation says where the folder cannot be made.
    func prepare() throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: incoming, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in try files.contentsOfDirectory(atPath: incoming) { _ = unsafe unlink("\(incoming)/\(name)") }
    }

    /// Where a blob lies.
    func place(of hash: BlobHash) -> (file: String, folder: String) {
        let hex = hash.hex
        let folder = "\(path)/\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))"
        return ("\(folder)/\(hex)", folder)
    }

    /// Begins to receive a blob; blocks.
    func receive() throws(DiskFailure) -> IncomingBlob {
        var random = SystemRandomNumberGenerator()
        return try IncomingBlob(path: "\(incoming)/\(encodeHex(randomBytes(16, using: &random)))")
    }

    /// Puts a received blob in its place; blocks until that is durable, together with the folders above it.
    ///
    /// All is made first and waited for then: a file system with a journal writes it in one go, and has little left to do
    /// for the folders further up.
    /// - Returns: which file it is there.
    func keep(_ blob: IncomingBlob, as hash: BlobHash) throws(DiskFailure) -> FileStamp {
        let (file, folder) = place(of: hash)
        let name = String(folder.suffix(5))
        let parentName = String(name.prefix(2))
        let parent = "\(path)/\(parentName)"
        try make(parent, parentName)
        try make(folder, name)
        let stamp = try blob.place(at: file)
        try syncFolder(folder)
        // A folder that is there may be one that a crash left, or that another has made just now and not waited for.
        for (name, above) in [(name, parent), (parentName, path)] where !durable.contains(name) {
            try syncFolder(above)
            durable.insert(name)
        }
        return stamp
    }

    /// Opens a blob; blocks.
    ///
    /// - Returns: `nil` when there is no file of it.
    func open(_ hash: BlobHash) throws(DiskFailure) -> OpenBlob? {
        do throws(DiskFailure) {
            return try OpenBlob(path: place(of: hash).file)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Removes a blob's file, if there is one; blocks until that is durable.
    func remove(_ hash: BlobHash) throws(DiskFailure) {
        let (file, folder) = place(of: hash)
        if unsafe unlink(file) != 0 {
            guard errno == ENOENT else { throw .last }
            return
        }
        try syncFolder(folder)
    }

    /// The blobs whose names begin with a byte; blocks.
    ///
    /// What has any other name is not ours, and is left alone.
    func hashes(beginningWith byte: UInt8) -> [BlobHash] {
        let files = FileManager.default
        let first = encodeHex([byte])
        // A folder that is not there holds nothing.
        let folders = (try? files.contentsOfDirectory(atPath: "\(path)/\(first)")) ?? []
        return folders.sorted().flatMap { second in
            let names = (try? files.contentsOfDirectory(atPath: "\(path)/\(first)/\(second)")) ?? []
            return names.sorted().compactMap { BlobHash(hex: $0) }.filter { $0.hex.hasPrefix(first + second) }
        }
    }

    /// Makes a folder where there is none; it is not durable then.
    private func make(_ folder: String, _ name: String) throws(DiskFailure) {
        if unsafe mkdir(folder, 0o700) == 0 {
            durable.remove(name)
        } else if errno != EEXIST {
            throw .last
        }
    }
}

/// The folders whose names this process knows to be on the disk.
private final class DurableNames: Sendable {
    private let names = Mutex<Set<String>>([])

    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
}
