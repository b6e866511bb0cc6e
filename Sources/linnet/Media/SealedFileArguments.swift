import ArgumentParser
import Foundation
import NostrClient
import ViewModels

/// A file that goes out sealed.
struct SealedFileArgument: ParsableArguments {
    @Option(
        name: .customLong("file"),
        help: ArgumentHelp("A file to send; it is encrypted before a media server gets it.", valueName: "path"))
    var path: String?

    /// The file; nil where none was named.
    ///
    /// - Throws: a ``CommandFailure`` for one that cannot be read.
    func read() throws -> OutgoingFile? {
        guard let path else { return nil }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("The file \(path) cannot be read.")
        }
        // One byte more than is sent says that it is too large.
        let bytes = [UInt8](try handle.read(upToCount: OutgoingFile.largest + 1) ?? Data())
        return OutgoingFile(bytes: bytes, name: URL(fileURLWithPath: path).lastPathComponent)
    }

    /// What is to be written with it: without a text only the file goes.
    func text(_ given: String?) throws -> String {
        if let given, given != "-" { return given }
        if path != nil, given == nil { return "" }
        return try StandardInput.writing()
    }
}

/// Where an opened file goes.
struct OpenedFileArgument: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to put it; - writes it to standard output.", valueName: "path"))
    var output: String

    /// Writes the file, in clear: that is what was asked for.
    ///
    /// - Throws: a ``CommandFailure`` where there is a file of that name, or it cannot be written.
    func write(_ file: OpenedFile) throws {
        guard output != "-" else { return Output.bytes(file.bytes) }
        let new = try NewFile(output)
        try new.write(file.bytes)
        try new.finish()
        Output.error("\(output): \(file.sort.type), \(file.bytes.count) bytes\n")
    }
}
