import Foundation
import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage

/// Keeps events and names each on standard output once it is acknowledged, until it is killed.
///
/// The subject of the kill test: `store-writer FILE SEED`; with `--as-nobody` it first gives up its rights and then
/// keeps one event; with `--once` it keeps one event and closes the file; with `--signer` it keeps a signer's requests instead. `store-writer --session FILE INBOX SEED` is a member
/// of a group, with `before N` or `after N` at the end one that kills itself at its Nth change.
@main
struct StoreWriter {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--session" { return try await member(arguments.dropFirst()) }
        let asNobody = arguments.first == "--as-nobody"
        let isSigner = arguments.first == "--signer"
        let isOnce = arguments.first == "--once"
        if asNobody || isSigner || isOnce { arguments.removeFirst() }
        guard arguments.count == 2, let seed = UInt64(arguments[1]) else {
            FileHandle.standardError.write(Data("usage: store-writer [--as-nobody|--once|--signer] FILE SEED\n".utf8))
            exit(2)
        }
        if isSigner {
            try await SignerWriter(records: SQLiteSignerRecords(path: arguments[0]), seed: seed).run()
        } else if asNobody {
            guard setgid(65534) == 0, setuid(65534) == 0 else { exit(3) }
            await keepOne(file: arguments[0], seed: seed)
        } else if isOnce {
            await keepOne(file: arguments[0], seed: seed)
        } else {
            try await keepForEver(file: arguments[0], seed: seed)
        }
    }

    private static func member(_ arguments: ArraySlice<String>) async throws {
        let words = Array(arguments)
        guard words.count == 3 || words.count == 5, let seed = UInt64(words[2]) else { exit(2) }
        let death = words.count == 5 ? Int(words[4]).map { (change: $0, isAfter: words[3] == "after") } : nil
        var writer = try SessionWriter(file: words[0], inbox: words[1], seed: seed, death: death)
        try await writer.run()
    }

    /// Keeps one event and prints what came of it, or the code of the error.
    private static func keepOne(file: String, seed: UInt64) async {
        do {
            let store = try SQLiteEventStore(path: file, now: { Timestamp(seconds: 1_700_000_000) })
            let outcomes = try await store.save([TestPerson.alice.event("note \(seed)")], from: nil)
            try store.close()
            printLine(outcomes.map { "\($0)" }.joined())
        } catch let error as StoreError {
            printLine(error.code.rawValue)
        } catch {
            printLine("\(error)")
        }
    }

    /// Three writers at once, so that commits are shared.
    private static func keepForEver(file: String, seed: UInt64) async throws {
        let store = try SQLiteEventStore(path: file, now: { Timestamp(seconds: 1_700_000_000) })
        printLine("ready")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    for number in 0... {
                        let events = (0...number % 7).map {
                            TestPerson.alice.event("note \(seed) \(writer) \(number) \($0)", tags: [["t", "kill"]])
                        }
                        _ = try await store.save(events, from: nil)
                        printLine(events.map(\.id.hex).joined(separator: "\n"))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    static func printLine(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
