public import Foundation
internal import Synchronization

/// The folder of an account's files that are on their way, and of those that were found for its pages.
///
/// Only its owner can read it.
struct MediaFolder: Sendable {
    let path: URL

    private var incoming: URL { path.appendingPathComponent("incoming", isDirectory: true) }
    private var outgoing: URL { path.appendingPathComponent("outgoing", isDirectory: true) }
    /// Where copies are prepared: on the same disk as where they wait, so that they are moved whole.
    var preparing: URL { path.appendingPathComponent("preparing", isDirectory: true) }
    var found: URL { path.appendingPathComponent("found", isDirectory: true) }

    /// Pictures of others for the account's pages.
    var pictures: URL { path.appendingPathComponent("pictures", isDirectory: true) }

    /// Where sealed files wait for a media server, those of each sort of chat by themselves.
    func unsent(_ sort: String) -> URL {
        path.appendingPathComponent("unsent", isDirectory: true).appendingPathComponent(sort, isDirectory: true)
    }

    /// Makes a folder in which files wait, and removes from it what does not wait any more.
    ///
    /// - Parameter names: what waits; `nil` where that is not known, and nothing is removed.
    static func prepare(_ folder: URL, keeping names: Set<String>?) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let names else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !names.contains(name) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// Writes a file that only this user can read; it is on the disk, and under its name, before this returns.
    static func write(_ bytes: [UInt8], to file: URL) throws {
        let isWritten = FileManager.default.createFile(
            atPath: file.path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw MediaProblem.notWritten }
        try synchronize(file)
        try synchronize(file.deletingLastPathComponent())
    }

    /// Makes the folders; what came in before a crash and was never taken up goes.
    func prepare(keeping names: Set<String>) throws {
        for folder in [incoming, outgoing, preparing, found] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for folder in [incoming, preparing] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: outgoing.path) where !names.contains(name) {
            try FileManager.default.removeItem(at: outgoing.appendingPathComponent(name))
        }
    }

    /// A new file for what comes in pieces.
    func intake(_ name: String) throws -> FileIntake {
        try FileIntake(incoming.appendingPathComponent(name))
    }

    /// Where a file waits to be sent.
    func outgoing(_ name: String) -> URL { outgoing.appendingPathComponent(name) }

    /// Puts a file where it waits to be sent; it is on the disk, and under its name, before this returns.
    func keep(_ file: URL, as name: String) throws {
        try Self.synchronize(file)
        try FileManager.default.moveItem(at: file, to: outgoing(name))
        try Self.synchronize(outgoing)
    }

    /// Has the system bring a file, or the names in a folder, to the disk.
    private static func synchronize(_ file: URL) throws {
        let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw MediaProblem.notWritten }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw MediaProblem.notWritten }
    }

    /// Drops a file; one that is not there is no failure.
    func remove(_ file: URL) {
        // What cannot be deleted now is found at the next start.
        try? FileManager.default.removeItem(at: file)
    }
}

/// A file that comes in pieces, on disk; it is gone with this.
public final class FileIntake: Sendable {
    private struct State {
        var handle: FileHandle?
        var size: Int64 = 0
    }

    /// Where it lies.
    public let file: URL
    private let state: Mutex<State>

    init(_ file: URL) throws {
        self.file = file
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw MediaProblem.notWritten }
        state = Mutex(State(handle: try FileHandle(forWritingTo: file)))
    }

    deinit {
        // What cannot be deleted now goes at the next start.
        try? FileManager.default.removeItem(at: file)
    }

    /// How many bytes came.
    public var size: Int64 { state.withLock { $0.size } }

    /// Takes more bytes.
    ///
    /// - Throws: when the disk does not.
    public func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            try state.handle?.write(contentsOf: Data(bytes))
            state.size += Int64(bytes.count)
        }
    }

    /// All came.
    public func finish() throws {
        try state.withLock { state in
            try state.handle?.close()
            state.handle = nil
        }
    }
}
