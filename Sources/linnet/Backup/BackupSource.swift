import Foundation
import NostrSigner

/// A backup, read line by line; of a file never more than a block is held.
struct BackupSource: Sendable {
    /// Where its bytes are.
    enum Place: Sendable {
        case file(String)
        case memory([UInt8])
    }

    let place: Place
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

    private func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
        var blocks = try Blocks(place)
        // Only read: there is nothing to lose in closing.
        defer { try? blocks.close() }
        while let block = try blocks.next(Self.blockSize) { try body(block) }
    }

    private func forEachBlock(_ body: ([UInt8]) async throws -> Void) async throws {
        var blocks = try Blocks(place)
        // As above.
        defer { try? blocks.close() }
        while let block = try blocks.next(Self.blockSize) { try await body(block) }
    }
}

/// The bytes of a backup from first to last.
private struct Blocks {
    private let file: FileHandle?
    private var rest: ArraySlice<UInt8> = []

    init(_ place: BackupSource.Place) throws {
        switch place {
        case .file(let path):
            guard !Reading.isDirectory(path) else {
                throw CommandFailure("\(path) is a directory: give the file of a backup.")
            }
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw CommandFailure("The file \(path) cannot be read.")
            }
            self.file = file
        case .memory(let bytes):
            file = nil
            rest = bytes[...]
        }
    }

    /// The next bytes, at most so many; `nil` at the end.
    mutating func next(_ size: Int) throws -> [UInt8]? {
        let block: [UInt8]
        if let file {
            block = [UInt8](try file.read(upToCount: size) ?? Data())
        } else {
            block = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return block.isEmpty ? nil : block
    }

    func close() throws {
        try file?.close()
    }
}
