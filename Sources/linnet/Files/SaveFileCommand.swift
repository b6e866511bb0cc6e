import ArgumentParser
import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet files save`: a file by its hash, from wherever it still is.
struct SaveFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Fetch a file by its hash, check it, and save it.",
        discussion: """
            Looks on the servers that a blossom: address (BUD-10) names, then on those of the people it names or --of \
            names, then on yours. What comes is compared with its hash before it is saved.
            """)

    @Argument(help: "A blossom: address, an address that bears a SHA-256, or the SHA-256.") var file: String
    @Option(
        name: .customLong("of"),
        help: ArgumentHelp("Somebody on whose servers it may be; may be given again.", valueName: "npub"))
    var people: [String] = []
    @Option(name: .shortAndLong, help: ArgumentHelp("Where to put it.", valueName: "path")) var output: String
    @OptionGroup var session: AccountSession

    func run() async throws {
        let blob = try Self.blob(file, of: try people.map(Reading.key))
        let target = output
        try await session.run { account in
            guard let files = account.files else { throw AccountError(.readOnly) }
            guard let found = try await files.find(blob) else { throw CommandFailure(FileWords.nowhere) }
            try Self.copy(found, to: target)
            Output.line(Self.text(of: found, blob.hash, at: target))
        }
    }

    /// What was asked for.
    static func blob(_ text: String, of people: [PublicKey]) throws -> BlobAddress {
        if people.isEmpty, let blob = BlobAddress(text) { return blob }
        let named = BlobAddress(text)
        let hash = try named?.hash ?? FilesCommand.blob(text)
        let hints = (named?.servers ?? []).map { "xs=\($0.address)" } + people.map { "as=\($0.hex)" }
        guard let blob = BlobAddress("blossom:\(hash.hex)?" + hints.joined(separator: "&")) else {
            throw CommandFailure("These are too many people for one file.")
        }
        return blob
    }

    private static func copy(_ found: FoundFile, to path: String) throws {
        let new = try NewFile(path)
        let handle = try FileHandle(forReadingFrom: found.file)
        // What cannot be closed was read all the same.
        defer { try? handle.close() }
        while let bytes = try handle.read(upToCount: 256 << 10), !bytes.isEmpty { try new.write([UInt8](bytes)) }
        try new.finish()
    }

    private static func text(of found: FoundFile, _ hash: BlobHash, at path: String) -> String {
        JSONValue.object([
            JSONMember("sha256", .string(hash.hex)), JSONMember("size", .number("\(found.size)")),
            JSONMember("type", .string(found.type)), JSONMember("file", .string(path)),
        ]).text
    }
}
