import ArgumentParser
import Foundation
import NostrCore
import NostrSigner
import NostrStore
import SQLiteStorage
import ViewModels

/// `linnet import`: checks events in a file and keeps them.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Check events and keep them in the event store.",
        discussion: """
            Reports each line that was not kept as LINE: reason on standard error, then prints one line of JSON. An event \
            counts as duplicate when the store holds it, or a newer version of it. Ends with 0 only when every event is \
            in the store. Of this machine's accounts every version of profiles and lists is kept. Stopped by a signal, it \
            keeps what it has read, and says how much that is. Stop linnet serve and linnet relay first.
            """)

    @OptionGroup var input: EventFile
    @Option(
        name: .customLong("versions-of"),
        help: ArgumentHelp("Keep every version of this person's profile and lists too.", valueName: "npub"))
    var versioned: [String] = []
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        let reader = try input.open()
        let directory = data.directory()
        try directory.prepare()
        let lock = try DirectoryLock(directory)
        defer { _ = lock }
        let keystore = NIP49FileKeystore(directory: directory.keys, now: { .current })
        let accounts = try await keystore.accounts().map(\.key)
        let authors = Set(try versioned.map(Reading.key)).union(accounts)
        var tally = Tally()
        let signal: Int32?
        do {
            let store = try SQLiteEventStore(path: directory.events, options: .bulk, now: { .current })
            signal = try await OpenFiles([store.close]).closing {
                try await store.keepVersions(of: authors)
                return try await EndingSignals.heeded(stop: { await reader.stop() }) {
                    try await tally.add(from: reader, to: store) { Output.error($0) }
                }
            }
        } catch let error as StoreError {
            // What was kept before is told too: it is on the disk.
            Output.line(tally.json)
            Output.error(error.sentence + "\n")
            throw ExitCode.failure
        }
        Output.line(tally.json)
        // As the shell has it for a program that a signal ended.
        if let signal { throw ExitCode(128 + signal) }
        if tally.rejected > 0 { throw ExitCode.failure }
    }

    /// What became of the lines.
    struct Tally: Sendable, Equatable {
        private(set) var stored = 0
        private(set) var duplicate = 0
        private(set) var rejected = 0
        private(set) var seconds = 0.0

        /// Checks every line a reader gives and keeps the events.
        ///
        /// Blocks are checked on all cores while earlier ones are written; those that wait share one commit.
        ///
        /// - Parameter complain: takes the reports of lines that were not kept, in order.
        mutating func add(
            from reader: LineReader, to store: some EventStore & VersionStore, complain: (String) -> Void
        ) async throws {
            let start = ContinuousClock.now
            defer { seconds = start.duration(to: .now).inSeconds }
            try await forEachBlock(of: reader, window: 24) { block in
                let checked = CheckedLines(block)
                var outcomes = try await store.save(checked.events.map(\.event), from: nil)
                for (index, outcome) in outcomes.enumerated() where outcome == .deleted {
                    // Your own history stays, whatever was deleted.
                    if try await store.version(checked.events[index].event.id) != nil { outcomes[index] = .superseded }
                }
                return (checked, outcomes)
            } report: { checked, outcomes in
                add(checked, outcomes, complain: complain)
            }
        }

        private mutating func add(_ checked: CheckedLines, _ outcomes: [SaveOutcome], complain: (String) -> Void) {
            var bad = checked.bad
            for (line, outcome) in zip(checked.events.map(\.line), outcomes) {
                switch outcome {
                case .stored: stored += 1
                case .duplicate, .superseded: duplicate += 1
                case .deleted: bad.append(BadLine(number: line, reason: "deleted by its author"))
                case .expired: bad.append(BadLine(number: line, reason: "expired"))
                case .ephemeral: bad.append(BadLine(number: line, reason: "of a kind that is never kept"))
                }
            }
            rejected += bad.count
            for line in bad.sorted(by: { $0.number < $1.number }) { complain(line.report) }
        }

        var json: String {
            let read = stored + duplicate + rejected
            return
                #"{"read":\#(read),"stored":\#(stored),"duplicate":\#(duplicate),"rejected":\#(rejected),"seconds":\#(seconds)}"#
        }
    }
}
