import Foundation
import NostrSigner

/// A backup's file, read line by line without ever being held whole.
struct BackupSource: Sendable {
    let path: String
    let passphrase: String

    private static let blockSize = 1 << 18

    /// Reads the file to its end without doing anything with it.
    ///
    /// - Throws: ``/NostrSigner/BackupError`` when it is not whole, and a ``CommandFailure`` when it cannot be read.
    func check() throws {
        var opener = BackupOpener(passphrase: passphrase)
        try forEachBlock { _ = try opener.update($0) }
        _ = try opener.finish()
    }

    /// Hands over one line after the other, without their line feeds.
    func forEachLine(_ body: ([UInt8]) async throws -> Void) async throws {
        var opener = BackupOpener(passphrase: passphrase)
        var line: [UInt8] = []
        try await forEachBlock { block in try await split(try opener.update(block), &line, body) }
        try await split(try opener.finish(), &line, body)
        guard line.isEmpty else { throw BackupError.damaged }
    }

    private func split(_ text: [UInt8], _ line: inout [UInt8], _ body: ([UInt8]) async throws -> Void) async throws {
        var rest = text[...]
        while let end = rest.firstIndex(of: 0x0A) {
            line += rest[..<end]
            try await body(line)
            line = []
            rest = rest[(end + 1)...]
        }
        line += rest
        guard line.count <= BackupLine.longest else { throw BackupError.damaged }
    }

    private func open() throws -> FileHandle {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("The file \(path) cannot be read.")
        }
        return file
    }

    private func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
        let file = try open()
        // Only read: there is nothing to lose in closing.
        defer { try? file.close() }
        while let block = try file.read(upToCount: Self.blockSize), !block.isEmpty { try body([UInt8](block)) }
    }

    private func forEachBlock(_ body: ([UInt8]) async throws -> Void) async throws {
        let file = try open()
        // As above.
        defer { try? file.close() }
        while let block = try file.read(upToCount: Self.blockSize), !block.isEmpty { try await body([UInt8](block)) }
    }
}
