import Foundation
import Synchronization
import Testing

/// A program that is not ours, running as a child of the test; it ends with its standard input.
final class Peer: Sendable {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let python = root.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".venv-peers/bin/python")

    /// Whether tests with peers run: where the peers are installed, and where they must be.
    static let isWanted =
        FileManager.default.isExecutableFile(atPath: python.path)
        || ProcessInfo.processInfo.environment["CI"] == "true"

    private let process: Process
    private let input: FileHandle
    private let lines: UnreadLines

    private init(_ script: String, _ arguments: [String]) throws {
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = Self.python
        process.arguments = [Self.root.appendingPathComponent("Peers/\(script)").path] + arguments
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        input = standardInput.fileHandleForWriting
        lines = UnreadLines()
        let lines = lines
        standardOutput.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            lines.append(data)
        }
        try #require(FileManager.default.isExecutableFile(atPath: Self.python.path), "scripts/peers.sh has not run")
        try process.run()
    }

    /// Runs a script of `Peers/` while `body` runs; the peer's first line is its greeting.
    static func run<R>(
        _ script: String, _ arguments: [String] = [], _ body: (Peer, String) async throws -> R
    ) async throws -> R {
        let peer = try Peer(script, arguments)
        defer { peer.stop() }
        return try await body(peer, try await peer.line())
    }

    /// The next line the peer prints.
    func line() async throws -> String {
        try #require(await lines.next(), "the peer ended, or said nothing for two minutes")
    }

    /// Sends a JSON array as one line; the answer to it.
    func ask(_ command: [Any]) async throws -> [String] {
        let json = try JSONSerialization.data(withJSONObject: command)
        try input.write(contentsOf: json + Data("\n".utf8))
        return try Self.words(try await line())
    }

    /// The strings of a JSON array, those of arrays within it too.
    static func words(_ line: String) throws -> [String] {
        let array = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
        return array.flatMap { $0 as? [String] ?? ($0 as? String).map { [$0] } ?? [] }
    }

    private func stop() {
        // A peer that has ended already needs no goodbye.
        try? input.close()
        let deadline = Date.now + 5
        while process.isRunning, Date.now < deadline { usleep(20_000) }
        // Nobody waits for its end: Foundation may miss it while other programs are started.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}

/// What a child has printed and nobody has read yet.
private final class UnreadLines: Sendable {
    private let rest = Mutex(Data())
    private let stream: AsyncStream<String>
    private let feed: AsyncStream<String>.Continuation

    init() {
        (stream, feed) = AsyncStream.makeStream(of: String.self)
    }

    func append(_ data: Data) {
        if data.isEmpty { return feed.finish() }
        rest.withLock { rest in
            rest += data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                feed.yield(String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[rest.index(after: end)...])
            }
        }
    }

    func next() async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { [stream] in await stream.first { _ in true } }
            group.addTask {
                // Cancelled when the line comes first.
                try? await Task.sleep(for: .seconds(120))
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
