import Foundation
import Logging
import NostrCore
import NostrRelay
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing
import WebSocketNIO

@testable import linnet

/// Whether this run outlives its terminal, as then the programs it starts do.
private let outlivesTerminal = EndingSignals.all.count < 3

@Suite("The files of the running program", .serialized, .timeLimit(.minutes(10)))
struct FilesOfTheProgramTests {
    private let home: AccountHome
    private var data: String { home.directory.path }
    private let files = FileManager.default

    init() throws {
        home = try AccountHome()
    }

    private func relay() throws -> (program: RunningProgram, url: RelayURL) {
        let program = try RunningProgram(["relay", "--port", "0", "--data", data], speaksOfErrors: true)
        return (program, try RelayURL(String(program.line().dropFirst("relay ".count))))
    }

    /// Publishes events one after the other; `between` runs before the last.
    private func publish(_ events: [Event], to relay: RelayURL, between: () throws -> Void = {}) async throws
        -> [PublishOutcome]
    {
        let pool = RelayPool(
            transport: try WebSocketTransport(), wall: { .current }, logger: Logger(label: "test"))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            var outcomes: [PublishOutcome] = []
            for (number, event) in events.enumerated() {
                if number == events.count - 1 { try between() }
                outcomes.append(await pool.publish(event, to: relay, deadline: .seconds(60)))
            }
            return outcomes
        }
    }

    /// The logs that hold something, below the directory.
    private func fullLogs() throws -> [String] {
        try files.subpathsOfDirectory(atPath: data).filter { name in
            name.hasSuffix("-wal") && files.contents(atPath: "\(data)/\(name)")?.isEmpty == false
        }
    }

    @Test("a relay told to end leaves no log behind, whatever the signal", arguments: [SIGTERM, SIGINT, SIGHUP])
    func relayEnds(signal: Int32) async throws {
        guard signal != SIGHUP || !outlivesTerminal else { return }
        let (program, url) = try relay()
        let notes = (0..<5).map { TestPerson.alice.event("note \($0)") }
        #expect(try await publish(notes, to: url).allSatisfy { $0 == .accepted(Reason(nil, "")) })
        #expect(try !fullLogs().isEmpty)
        let end = program.end(by: signal)
        #expect(end.status == 0, "\(end.errors)")
        #expect(try fullLogs() == [])
        #expect(try await home.store().count([Filter()]) == 5)
    }

    @Test("a home told to end leaves no log behind, whatever the signal", arguments: [SIGTERM, SIGHUP])
    func homeEnds(signal: Int32) throws {
        guard signal != SIGHUP || !outlivesTerminal else { return }
        let program = try RunningProgram(["serve", "--port", "0", "--data", data], speaksOfErrors: true)
        #expect(program.line().hasPrefix("open http"))
        let end = program.end(by: signal)
        #expect(end.status == 0, "\(end.errors)")
        #expect(try fullLogs() == [])
    }

    @Test("an import told to end keeps what it read, says how much that is, and leaves no log behind")
    func importEnds() async throws {
        // More than a block and what a pipe holds: once all is written, a block was read.
        let notes = (0..<40).map { TestPerson.alice.event(String(repeating: "word ", count: 4000) + "\($0)") }
        let text = notes.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
        let program = try RunningProgram(
            ["import", "--data", data], speaksOfErrors: true, input: "no event\n" + text)
        let end = program.end(by: SIGTERM)
        #expect(end.errors.hasPrefix("1: "))
        #expect(end.status == 128 + SIGTERM, "\(end.errors)")
        #expect(try fullLogs() == [])
        let kept = try await home.store().count([Filter()])
        #expect(kept > 0 && end.output.contains("\"stored\":\(kept)"), "\(end.output)")
    }

    @Test("a directory has one owner, also when somebody removes the lock file")
    func oneOwner() throws {
        let (program, _) = try relay()
        for isRemoved in [false, true] {
            if isRemoved { try files.removeItem(atPath: "\(data)/lock") }
            for command in [
                ["relay", "--port", "0"], ["serve", "--port", "0"], ["import"],
                ["restore", ProcessInfo.processInfo.arguments[0]],
            ] {
                let other = try Program.run(command + ["--data", data], environment: ["LINNET_PASSWORD": "p"])
                #expect(
                    other.status == 1 && other.errors.contains("Another Linnet is using"), "\(command) \(other.errors)")
                #expect(other.errors.split(separator: "\n").count == 1)
            }
        }
        #expect(program.end(by: SIGTERM).status == 0)
        #expect(try Program.run(["import", "--data", data]).status == 0)
    }

    @Test("a relay whose files are removed acknowledges nothing more, and says at its end why")
    func removed() async throws {
        let (program, url) = try relay()
        let notes = (0..<3).map { TestPerson.alice.event("note \($0)") }
        let outcomes = try await publish(notes, to: url) {
            for ending in ["", "-wal", "-shm"] { try files.removeItem(atPath: home.directory.events + ending) }
        }
        #expect(outcomes.prefix(2).allSatisfy { $0 == .accepted(Reason(nil, "")) })
        #expect(outcomes.last == .rejected(Reason(.error, "the relay could not use its store")))
        let end = program.end(by: SIGTERM)
        #expect(end.status == 1)
        #expect(end.errors.contains("was removed, replaced or changed"), "\(end.errors)")
    }

    @Test("an empty or foreign database is told in a sentence and left as it is", arguments: ["", "a letter"])
    func notOurs(content: String) throws {
        try Data(content.utf8).write(to: URL(filePath: home.directory.events))
        for command in [["relay", "--port", "0"], ["serve", "--port", "0"], ["import"], ["export"]] {
            let run = try Program.run(command + ["--data", data])
            #expect(run.status == 1)
            let last = try #require(run.errors.split(separator: "\n").last)
            #expect(last.contains(content.isEmpty ? "is empty" : "is damaged"), "\(command) \(run.errors)")
            #expect(files.contents(atPath: home.directory.events) == Data(content.utf8))
        }
    }
}
