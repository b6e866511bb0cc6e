import Foundation
import NostrClient
import NostrNIPs
import Synchronization

/// A blob on its way to disk, and the hash of what came so far.
final class BlobFile: Sendable {
    private struct State {
        var hasher = BlobHasher()
        var size: Int64 = 0
        var handle: FileHandle?
    }

    private let file: URL
    private let state: Mutex<State>

    /// Makes the file, which only this user may read; one that lies there is emptied.
    init(_ file: URL) throws {
        self.file = file
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw MediaProblem.notWritten }
        state = Mutex(State(handle: try FileHandle(forWritingTo: file)))
    }

    /// Takes more bytes.
    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            try state.handle?.write(contentsOf: Data(bytes))
            state.hasher.update(bytes)
            state.size += Int64(bytes.count)
        }
    }

    /// All came.
    func finish(type: String) throws -> FetchedBlob {
        try state.withLock { state in
            try state.handle?.close()
            return FetchedBlob(hash: state.hasher.finish(), size: state.size, type: type)
        }
    }

    /// Drops what came.
    func discard() {
        // What cannot be deleted now is found at the next start.
        try? FileManager.default.removeItem(at: file)
    }
}
