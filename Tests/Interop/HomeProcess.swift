import Foundation
import NIOCore
import NIOPosix
import NostrCore
import NostrRelay
import NostrTesting

/// `linnet serve` as a process of its own, which can be killed at any moment, and a browser that is logged in.
final class HomeProcess {
    /// The program said nothing, or answered something else.
    struct Surprise: Error, CustomStringConvertible {
        let description: String
    }

    private static let passphrase = "correct horse"

    let began = ContinuousClock.now
    /// Its own relay, which gives out what it keeps.
    let relay: RelayURL
    private let process: Process
    private let port: Int
    private let loginPath: String
    private var cookie = ""

    /// Keeps somebody's key in a data directory, by the program's own verb.
    static func addKey(of person: TestPerson, in folder: String) throws {
        let process = try started(
            ["account", "add", "--data", folder],
            ["NOSTR_SECRET_KEY": person.secretHex, "LINNET_PASSWORD": passphrase], output: FileHandle.nullDevice)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Surprise(description: "the key was not kept") }
    }

    /// Starts it; after a kill the system may take a moment to let go of the directory.
    static func start(in folder: String, indexers: [RelayURL]) async throws -> HomeProcess {
        for _ in 0..<20 {
            if let home = try HomeProcess(in: folder, indexers: indexers) {
                try await home.logIn()
                return home
            }
            try await Task.sleep(for: .milliseconds(300))
        }
        throw Surprise(description: "linnet serve did not begin")
    }

    /// - Returns: `nil` when it ended at once.
    private init?(in folder: String, indexers: [RelayURL]) throws {
        let output = Pipe()
        let process = try Self.started(
            ["serve", "--port", "0", "--data", folder, "--log-level", "error"]
                + indexers.flatMap { ["--indexer", $0.text] }, [:], output: output)
        guard let link = Self.link(in: Self.line(from: output.fileHandleForReading)), let port = link.port else {
            if process.isRunning { process.terminate() }
            return nil
        }
        self.process = process
        self.port = port
        loginPath = link.path + "?" + (link.query ?? "")
        relay = try RelayURL("ws://127.0.0.1:\(port)")
    }

    /// Ends it as a power cut would: it is told nothing, and finishes nothing.
    func strike() async throws {
        kill(process.processIdentifier, SIGKILL)
        try await waitForEnd()
    }

    /// Asks it to end.
    func stop() async throws {
        process.terminate()
        try await waitForEnd()
    }

    private func waitForEnd() async throws {
        for _ in 0..<500 where process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    // MARK: - What it keeps

    /// Those of some events that its relay does not give out, by answers that came to their end.
    func lacks(_ events: [Event], _ pool: RelayPool) async throws -> [Event] {
        var found: Set<EventID> = []
        for start in stride(from: 0, to: events.count, by: 200) {
            found.formUnion(try await answer(about: Set(events[start...].prefix(200).map(\.id)), pool))
        }
        return events.filter { !found.contains($0.id) }
    }

    /// Which of some events its relay gives out; asked again where it was too busy to say all.
    private func answer(about ids: Set<EventID>, _ pool: RelayPool) async throws -> Set<EventID> {
        let asked = ContinuousClock.now
        var (found, last): (Set<EventID>, RelayEnding?) = ([], nil)
        while asked.duration(to: ContinuousClock.now) < AccountOnDisk.patience {
            for await update in await pool.fetch([relay: [Filter(ids: ids)]], deadline: .seconds(60)) {
                switch update {
                case .events(let events, _): found.formUnion(events.map(\.id))
                case .ended(_, let ending): last = ending
                }
            }
            if last == .complete { return found }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw Surprise(description: "its relay gives no whole answer: \(String(describing: last))")
    }

    /// Waits until such a share of some events is there; how long after a moment it is.
    @discardableResult
    func holds(
        _ events: [Event], share: Double = 1, since moment: ContinuousClock.Instant, _ pool: RelayPool, _ what: String
    ) async throws -> Duration {
        let most = events.count - Int((Double(events.count) * share).rounded(.up))
        var missing = try await lacks(events, pool)
        while missing.count > most {
            guard moment.duration(to: ContinuousClock.now) < AccountOnDisk.patience else {
                let some = missing.prefix(5).map(\.content)
                throw Surprise(description: "\(what): \(missing.count) of \(events.count) are missing, as \(some)")
            }
            try await Task.sleep(for: .milliseconds(200))
            missing = try await lacks(missing, pool)
        }
        return moment.duration(to: ContinuousClock.now)
    }

    // MARK: - Its pages

    /// Unlocks the account of a person who is logged in.
    func unlock(_ person: TestPerson) async throws {
        try await post("/welcome/unlock", ["key": person.publicKey.hex, "passphrase": Self.passphrase])
    }

    /// Hands a note over; when this returns, the page has said that it is kept.
    func write(_ text: String) async throws { try await post("/compose", ["text": text]) }

    private func logIn() async throws {
        let answer = try await answer("GET", loginPath)
        let line = answer.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") }
        guard answer.hasPrefix("HTTP/1.1 303"), let line else { throw Surprise(description: "no way in: \(answer)") }
        cookie = line.dropFirst("set-cookie:".count).prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    }

    private func post(_ path: String, _ fields: [String: String]) async throws {
        let page = try await answer("GET", "/welcome")
        guard let start = page.range(of: #"name="csrf" value=""#)?.upperBound,
            let end = page[start...].firstIndex(of: "\"")
        else { throw Surprise(description: "no form: \(page.prefix(200))") }
        var form = "csrf=\(page[start..<end])"
        for (name, value) in fields {
            form += "&\(name)=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }
        let answer = try await answer("POST", path, form: form)
        guard answer.hasPrefix("HTTP/1.1 303") else {
            throw Surprise(description: "\(path) answered \(answer.prefix(200))")
        }
    }

    private func answer(_ method: String, _ path: String, form: String? = nil) async throws -> String {
        var request = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        if !cookie.isEmpty { request += "Cookie: \(cookie)\r\n" }
        if let form {
            request += "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n"
        }
        return try await AnswerListener.exchange(request + "\r\n" + (form ?? ""), port: port)
    }

    // MARK: - The program

    private static func started(
        _ arguments: [String], _ environment: [String: String], output: Any
    ) throws -> Process {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        return process
    }

    /// Where the build put it: beside the tests.
    private static func executable() throws -> URL {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<6 {
            let file = folder.appending(path: "linnet")
            if FileManager.default.isExecutableFile(atPath: file.path), !file.hasDirectoryPath { return file }
            folder.deleteLastPathComponent()
        }
        throw Surprise(description: "linnet was not built")
    }

    private static func line(from file: FileHandle) -> String {
        var bytes: [UInt8] = []
        while let byte = file.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The link in a line that says where to come in.
    private static func link(in line: String) -> URLComponents? {
        line.split(separator: " ").dropFirst().first.flatMap { URLComponents(string: String($0)) }
    }
}

/// What comes over one socket, until the other side closes it.
private final class AnswerListener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let heard: AsyncStream<String>.Continuation

    private init(_ heard: AsyncStream<String>.Continuation) {
        self.heard = heard
    }

    /// Sends a request to this machine, and returns all of the answer.
    static func exchange(_ request: String, port: Int) async throws -> String {
        let (parts, heard) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerListener(heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: request)).get()
        return await parts.reduce("", +)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard.yield(String(buffer: Self.unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        heard.finish()
    }
}
