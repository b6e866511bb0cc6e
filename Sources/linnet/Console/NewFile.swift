import Foundation
import NostrSigner

/// A file that appears under its name only once it is whole and on the disk, readable by its owner only.
final class NewFile: Sendable {
    private let path: String
    /// Where its bytes are until it gets its name.
    let temporary: String
    private let handle: FileHandle

    /// Begins a file.
    ///
    /// - Throws: a ``CommandFailure`` when there is one of this name, or it cannot be made.
    init(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("There is a file \(path) already; choose another name.")
        }
        temporary = path + ".part"
        let made = FileManager.default.createFile(
            atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600])
        guard made, let handle = FileHandle(forWritingAtPath: temporary) else {
            throw CommandFailure("The file \(path) cannot be written.")
        }
        self.path = path
        self.handle = handle
    }

    /// Writes what comes next.
    func write(_ bytes: [UInt8]) throws {
        do { try handle.write(contentsOf: Data(bytes)) } catch {
            // What is there is of no use without its end.
            try? FileManager.default.removeItem(atPath: temporary)
            throw CommandFailure("The file \(path) cannot be written; is the disk full?")
        }
    }

    /// Takes what was written away again.
    func discard() {
        // The first failure is the one to tell.
        try? handle.close()
        try? FileManager.default.removeItem(atPath: temporary)
    }

    /// Gives the file its name; returns after it is durable.
    func finish() throws {
        do {
            try handle.synchronize()
            try handle.close()
            try DurableFile.move(temporary, to: path)
        } catch {
            throw CommandFailure("The file \(path) cannot be written; is the disk full?")
        }
    }
}
