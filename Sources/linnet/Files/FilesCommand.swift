import ArgumentParser
import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet files`: files on media servers (Blossom).
struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "Prepare files, upload them to your media servers, list, copy and delete them.",
        discussion: """
            Files go to the first server on your list (kind 10063) that takes them, and are copied to the others. Servers \
            that you name here may be on your own machine or network, as http://127.0.0.1:4871. Each line \
            printed is JSON. What failed is said for each server, and the exit status is 1 when no server did it.
            """,
        subcommands: [
            Upload.self, List.self, SaveFileCommand.self, Delete.self, Mirror.self, Servers.self,
            PrepareFileCommand.self,
            PublishFileCommand.self, PictureCacheCommand.self,
        ])

    /// Which servers, and whose account.
    struct Where: ParsableArguments {
        @Option(
            name: .customLong("server"),
            help: ArgumentHelp("A server in place of those on your list; may be given again.", valueName: "url"))
        var servers: [String] = []
        @OptionGroup var session: AccountSession

        /// Does something with files and the servers they are on.
        func run(
            _ body: @escaping @Sendable (any FileKeeping, [MediaServer]) async throws -> Void
        ) async throws {
            let named = try servers.map(FilesCommand.server)
            try await session.run { account in
                guard account.canSign, let files = account.files else { throw AccountError(.readOnly) }
                try await files.keepTyped(named, true)
                let own = try await files.servers()
                let chosen = named.isEmpty ? own.inUse : named
                guard !chosen.isEmpty else { throw CommandFailure(FileWords.noServers) }
                do { try await body(files, chosen) } catch let problem as any SpokenError {
                    throw CommandFailure(problem.sentence)
                } catch let problem as MediaProblem {
                    throw CommandFailure(Trouble(problem).sentence)
                }
            }
        }
    }

    static func server(_ text: String) throws -> MediaServer {
        guard let server = MediaServer(text) else {
            throw CommandFailure("\(Shown.text(text)): \(FileWords.noServer)")
        }
        return server
    }

    static func blob(_ text: String) throws -> BlobHash {
        guard let hash = BlobHash(hex: text) ?? BlobHash(inAddress: text) else {
            throw CommandFailure("\(Shown.text(text)) does not name a file: give its SHA-256, or its address.")
        }
        return hash
    }

    /// `linnet files upload`.
    struct Upload: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Upload files; prints where each is.")
        @Argument(help: "The files.", completion: .file()) var files: [String]
        @Option(help: "What can be seen or heard in a file; one for each, in their order.") var alt: [String] = []
        @Option(help: "The MIME type, where the ending does not say it.") var type: String?
        @Option(help: "A picture that shows a film before it plays.", completion: .file()) var still: String?
        @OptionGroup var place: Where

        func run() async throws {
            guard alt.count <= files.count else { throw CommandFailure("There are more --alt than files.") }
            guard still == nil || files.count == 1 else { throw CommandFailure("--still goes with one film.") }
            try Secrets.refuse(in: alt)
            try await place.run { [files, alt, type, still] keeper, servers in
                var ids: [String] = []
                for (number, path) in files.enumerated() {
                    let facts = FileFacts(
                        name: URL(fileURLWithPath: path).lastPathComponent,
                        type: type ?? MediaAttachment.type(ofEnding: path) ?? BlobDescriptor.unknownType,
                        description: number < alt.count ? alt[number] : "")
                    let intake = try await keeper.intake()
                    try FilesCommand.copy(path, into: intake)
                    ids.append(try await keeper.add(intake, facts, to: servers).file.id)
                }
                if let still, let film = ids.first {
                    let intake = try await keeper.intake()
                    try FilesCommand.copy(still, into: intake)
                    try await keeper.addStill(intake, of: film)
                }
                let uploads = try await keeper.wait(for: ids, atMost: .seconds(300))
                for upload in uploads { Output.line(FilesJSON.text(of: upload)) }
                if uploads.contains(where: { $0.file.standing != .stored }) { throw ExitCode.failure }
            }
        }
    }

    /// Copies a file, piece by piece, to where files come in.
    static func copy(_ path: String, into intake: FileIntake) throws {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // What cannot be closed was read all the same.
            defer { try? handle.close() }
            while let bytes = try handle.read(upToCount: 256 << 10), !bytes.isEmpty { try intake.write([UInt8](bytes)) }
        } catch {
            throw CommandFailure("The file \(Shown.text(path)) cannot be read.")
        }
    }

    /// `linnet files list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the files that your servers keep.")
        @OptionGroup var place: Where

        func run() async throws {
            try await place.run { keeper, servers in
                let listing = try await keeper.listing(of: servers)
                for file in listing.files { Output.line(FilesJSON.text(of: file)) }
                try FilesCommand.report(listing.servers)
            }
        }
    }

    /// `linnet files delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a file from your servers.")
        @Argument(help: "Its SHA-256, or its address.") var file: String
        @OptionGroup var place: Where

        func run() async throws {
            let hash = try FilesCommand.blob(file)
            try await place.run { keeper, servers in
                try FilesCommand.report(try await keeper.delete(hash, at: servers))
            }
        }
    }

    /// `linnet files mirror`.
    struct Mirror: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Have servers copy a file that another of yours has.")
        @Argument(help: "Its SHA-256, or its address.") var file: String
        @Option(help: ArgumentHelp("A server to copy it to; may be given again.", valueName: "url")) var to: [String] =
            []
        @OptionGroup var place: Where

        func run() async throws {
            let hash = try FilesCommand.blob(file)
            let named = try to.map(FilesCommand.server)
            try await place.run { keeper, servers in
                let listing = try await keeper.listing(of: servers)
                guard let blob = listing.files.first(where: { $0.hash == hash }) else {
                    throw CommandFailure(FileWords.unknown)
                }
                try await keeper.keepTyped(named, true)
                let targets = (named.isEmpty ? servers : named).filter { !blob.holders.contains($0) }
                guard !targets.isEmpty else {
                    Output.line(FilesJSON.text(of: blob))
                    return Output.error("Nothing to copy: each of these servers has this file.\n")
                }
                try await keeper.mirror(blob, to: targets)
                _ = try await isTrue(within: .seconds(150), every: .milliseconds(300)) {
                    try await FilesCommand.copied(blob, keeper).map { upload in
                        !upload.file.places.contains { place in
                            place.standing == .waiting && place.refusal == nil
                        }
                    } ?? true
                }
                guard let upload = try await FilesCommand.copied(blob, keeper) else { return }
                Output.line(FilesJSON.text(of: upload))
                if !targets.allSatisfy({ upload.file.holders.contains($0) }) { throw ExitCode.failure }
            }
        }
    }

    /// A file that servers copy, as it stands.
    static func copied(_ blob: ListedFile, _ files: any FileKeeping) async throws -> FileUpload? {
        try await files.uploads().first { $0.file.stored?.hash == blob.hash.hex }
    }

    /// Says what each server said; fails when none did it.
    static func report(_ outcomes: [ServerOutcome]) throws {
        for outcome in outcomes {
            guard let refusal = outcome.refusal else { continue }
            Output.error("\(outcome.server): \(refusal.sentence)\n")
        }
        if !outcomes.isEmpty, outcomes.allSatisfy({ $0.refusal != nil }) { throw ExitCode.failure }
    }

    /// `linnet files servers`.
    struct Servers: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print your media servers (kind 10063), or publish another list.",
            discussion: "Without --set prints one server a line, as JSON; with it publishes these, in their order.")
        @Option(help: ArgumentHelp("A server of the new list; may be given again.", valueName: "url"))
        var set: [String] = []
        @OptionGroup var session: AccountSession

        func run() async throws {
            let list = try set.map(FilesCommand.server)
            try await session.run { account in
                guard let files = account.files else { throw AccountError(.readOnly) }
                let own = try await files.servers()
                if !list.isEmpty {
                    try await files.keepTyped(own.servers.filter { !list.contains($0) }, false)
                    try await files.keepTyped(list, true)
                    return try await account.report(published: try await files.setServers(list))
                }
                for server in own.inUse {
                    let members = [
                        JSONMember("server", .string(server.address)), JSONMember("published", .bool(own.isPublished)),
                    ]
                    Output.line(JSONValue.object(members).text)
                }
            }
        }
    }
}

/// Files as lines of JSON.
enum FilesJSON {
    /// One that was uploaded from here.
    static func text(of upload: FileUpload) -> String {
        let file = upload.file
        var members = [
            JSONMember("name", .string(file.name)), JSONMember("standing", .string(file.standing.rawValue)),
            JSONMember("sha256", .string(file.stored?.hash ?? file.hash)),
            JSONMember("size", .number("\(file.stored?.size ?? file.size)")),
            JSONMember("type", .string(file.stored?.type ?? file.type)),
        ]
        if let url = file.stored?.url { members.append(JSONMember("url", .string(url))) }
        if let tag = file.attachment {
            members.append(JSONMember("imeta", .array(tag.elements.map { .string($0) })))
        }
        members.append(JSONMember("servers", .array(file.places.map(place))))
        return JSONValue.object(members).text
    }

    private static func place(_ place: OwnFile.Place) -> JSONValue {
        var members = [
            JSONMember("server", .string(place.address)), JSONMember("standing", .string(place.standing.rawValue)),
        ]
        if let refusal = place.refusal {
            members.append(JSONMember("problem", .string(refusal.code.rawValue)))
            members.append(JSONMember("words", .string(refusal.sentence)))
        }
        return .object(members)
    }

    /// One that servers keep.
    static func text(of file: ListedFile) -> String {
        JSONValue.object([
            JSONMember("sha256", .string(file.hash.hex)), JSONMember("url", .string(file.url)),
            JSONMember("size", .number("\(file.size)")), JSONMember("type", .string(file.type)),
            JSONMember("uploaded", .number("\(file.uploaded.seconds)")),
            JSONMember("servers", .array(file.holders.map { .string($0.address) })),
            JSONMember("alt", .string(file.own?.file.description ?? "")),
        ]).text
    }
}
