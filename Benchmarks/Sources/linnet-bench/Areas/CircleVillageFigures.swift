import Circles
import Foundation
import NostrClient
import NostrCore
import NostrRelay
import WebSocketNIO

/// Catching up with 5 000 events in fifty circles, and opening them with 10 000 messages.
func villageFigures(in folder: URL, seed: UInt64) async throws -> [Measurement] {
    // Three days ago, so that what is said is dated as it would be.
    let watch = Watch(.seconds(-3 * 86_400))
    let relay = try await BenchRelay(now: { watch.now })
    let pool = RelayPool(transport: try WebSocketTransport(), wall: { watch.now }, logger: SignerBench.log)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await relay.run() }
        group.addTask { await pool.run() }
        defer { group.cancelAll() }
        var village = try await CircleVillage(
            in: folder.appending(path: "village"), at: relay.address, over: pool, watch, seed: seed)
        // What was there before.
        let before = try await village.talk(lines: 103, commits: 0, within: .seconds(86_400))
        _ = try await catchUp(village, lines: before.lines, epoch: 2)
        let missed = try await village.talk(lines: 24, commits: 4, within: .seconds(86_400))
        let time = try await catchUp(village, lines: before.lines + missed.lines, epoch: 6)
        let what = "\(missed.events) events of \(CircleVillage.circles) circles, from connecting to all being shown"
        let opened = try openingFigures(of: village, lines: before.lines + missed.lines)
        return [Measurement(name: "circles-catch-up", value: time, unit: "s", what: what)] + opened
    }
}

/// Runs the account until it shows everything; seconds from before it is connected.
private func catchUp(_ village: CircleVillage, lines: Int, epoch: UInt64) async throws -> Double {
    let start = ContinuousClock.now
    return try await village.run { own in
        try await own.until("all lines", every: .milliseconds(200)) { try await own.unread() == lines }
        let time = (ContinuousClock.now - start) / .seconds(1)
        try await own.until("the last epoch") { try await own.areAll(in: epoch) }
        return time
    }
}

// MARK: - Opening

/// What a process finds that opens the account: how long and how large.
struct OpenedCircles: Codable {
    /// From an opened database and a known key to all circles and one's page; in milliseconds.
    var open: Double
    /// Until the vault is open, and then the list, and then the page.
    var steps: [Double]
    /// The most memory it had, in MB: its own, and with clean pages of files.
    var own: Double
    var all: Double
    /// Lines of others that are unread in all circles.
    var unread: Int
}

/// A process of its own each time, so that its memory is that of an account and nothing else.
private func openingFigures(of village: CircleVillage, lines: Int) throws -> [Measurement] {
    try Data(village.secret.utf8).write(to: village.folder.appending(path: "secret"))
    let rounds = try (0..<9).map { _ in
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [OpenedCircles.argument, village.folder.path]
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let opened = try JSONDecoder().decode(OpenedCircles.self, from: answer)
        guard opened.unread == lines else { throw Late(description: "\(lines) lines, not \(opened.unread)") }
        return opened
    }
    let what = "\(CircleVillage.circles) circles of \(CircleVillage.members), \(lines) messages"
    return [
        Measurement(
            name: "circles-open", value: middle(rounds.map(\.open)), unit: "ms",
            what: "\(what): the key to the list and a page, median of \(rounds.count)"),
        Measurement(name: "circles-unlock", value: middle(rounds.map { $0.steps[0] }), unit: "ms", what: "the vault"),
        Measurement(name: "circles-list", value: middle(rounds.map { $0.steps[1] }), unit: "ms", what: "then the list"),
        Measurement(name: "circles-page", value: middle(rounds.map { $0.steps[2] }), unit: "ms", what: "then a page"),
        Measurement(
            name: "circles-memory", value: rounds.map(\.all).max() ?? .infinity, unit: "MB",
            what: "the whole process at most, the largest of all"),
        Measurement(
            name: "circles-memory-own", value: rounds.map(\.own).max() ?? .infinity, unit: "MB",
            what: "without clean pages of files"),
    ]
}

extension OpenedCircles {
    /// What the program is called with to do this.
    static let argument = "--open-circles"

    /// Opens the account that rests in a folder, and prints what that took.
    static func run(in folder: String) async throws {
        let folder = URL(filePath: folder)
        let secret = try String(contentsOf: folder.appending(path: "secret"), encoding: .utf8)
        let relay = try RelayURL("ws://127.0.0.1:9")
        let own = try CircleAccount(secret: secret, in: folder, at: relay, over: NoRelays(), Watch())
        let marks = try await withThrowingTaskGroup(of: Void.self) { group in
            var marks = [ContinuousClock.now]
            group.addTask { await own.account.run() }
            defer { group.cancelAll() }
            await own.account.keyDidUnlock()
            marks.append(.now)
            let overview = try await own.circles.reader.overview()
            marks.append(.now)
            guard let first = overview.circles.first else { throw Late(description: "there are circles") }
            let page = try await own.circles.reader.page(of: first.id, before: nil, limit: 50)
            marks.append(.now)
            guard page.lines.count == 50 else { throw Late(description: "there are lines") }
            return (marks, overview.circles.reduce(0) { $0 + $1.unread })
        }
        let steps = zip(marks.0, marks.0.dropFirst()).map { ($1 - $0) / .milliseconds(1) }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func megabytes(_ name: String) -> Double {
            status.split(separator: "\n").first { $0.hasPrefix(name) }?
                .split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 } ?? .infinity
        }
        let opened = OpenedCircles(
            open: steps.reduce(0, +), steps: steps, own: megabytes("RssAnon:"), all: megabytes("VmHWM:"),
            unread: marks.1)
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(opened))
    }
}
