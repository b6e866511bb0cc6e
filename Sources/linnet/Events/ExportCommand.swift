import ArgumentParser
import Foundation
import NostrCore
import NostrStore
import SQLiteStorage
import ViewModels

/// `linnet export`: writes out what the event store holds.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the events of the event store out, one JSON text a line.",
        discussion: """
            Newest first; then the earlier versions of the profiles and lists of this machine's accounts, which linnet \
            import keeps too. Conditions narrow it down; several authors or kinds mean any of them. Private content is \
            written as it rests, encrypted.
            """)

    @Option(help: ArgumentHelp("Only events of this person; can be given several times.", valueName: "npub"))
    var author: [String] = []
    @Option(help: "Only events of this kind; can be given several times.")
    var kind: [UInt16] = []
    @Option(help: ArgumentHelp("Only events from this moment on, in Unix seconds.", valueName: "seconds"))
    var since: Int64?
    @Flag(help: "Leave earlier versions out.")
    var withoutVersions = false
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        let directory = data.directory()
        guard FileManager.default.fileExists(atPath: directory.events) else {
            throw CommandFailure("There is no event store in \(directory.path) yet.")
        }
        do {
            let store = try SQLiteEventStore(path: directory.events, now: { .current })
            let events = StoredEvents(store)
            let filter = try self.filter
            var written = try await events.forEachPage(filter, Self.write)
            if !withoutVersions { written += try await events.forEachVersion(filter, Self.write) }
            try store.close()
            Output.error("\(written) events written.\n")
        } catch let error as StoreError {
            throw CommandFailure(error.sentence)
        }
    }

    private var filter: Filter {
        get throws {
            Filter(
                authors: author.isEmpty ? nil : Set(try author.map(Reading.key)),
                kinds: kind.isEmpty ? nil : Set(kind.map { Kind($0) }),
                since: since.map(Timestamp.init(seconds:)))
        }
    }

    private static func write(_ events: [Event]) throws {
        var bytes: [UInt8] = []
        for event in events {
            bytes += event.json
            bytes.append(UInt8(ascii: "\n"))
        }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            throw CommandFailure("The events cannot be written: is the disk full?")
        }
    }
}
