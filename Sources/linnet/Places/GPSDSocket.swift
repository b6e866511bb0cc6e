import DBus
internal import Location
import NostrClient

/// Where a gpsd listens.
struct GPSDAddress: Hashable, Sendable {
    /// A name or number.
    let host: String
    /// 1…65535.
    let port: Int

    /// The port that IANA gave gpsd.
    static let standardPort = 2947
    /// This machine's.
    static let standard = GPSDAddress(host: "127.0.0.1", port: standardPort)

    /// An address that needs no reading.
    init(host: String, port: Int) {
        (self.host, self.port) = (host, port)
    }

    /// Reads `host`, `host:port`, `[address]:port` or `:port`; `nil` for anything else.
    init?(_ text: String) {
        var host = text[...]
        var port = Self.standardPort
        let colons = text.count { $0 == ":" }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let rest = text[text.index(after: end)...]
            host = text[text.index(after: text.startIndex)..<end]
            guard host.contains(":"), let found = Self.port(rest) else { return nil }
            port = found
        } else if colons == 1, let colon = text.firstIndex(of: ":") {
            guard let found = Self.port(text[colon...]) else { return nil }
            (host, port) = (text[..<colon], found)
        }
        let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/@#?\\[]\"'<>".utf8.contains($0) }
        guard isName, host.utf8.count <= 253, !text.isEmpty else { return nil }
        self.init(host: host.isEmpty ? Self.standard.host : String(host), port: port)
    }

    /// The number behind a colon; the standard one for nothing.
    private static func port(_ text: Substring) -> Int? {
        if text.isEmpty { return standardPort }
        let digits = text.dropFirst()
        guard text.first == ":", (1...5).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), (1...65535).contains(port)
        else { return nil }
        return port
    }
}

extension GPSDAddress: CustomStringConvertible {
    /// As a person writes it.
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Why gpsd gives nothing.
enum GPSDProblem: Error, Hashable, Sendable {
    /// Nobody listens at the address.
    case noAnswer
    /// Something listens there that says nothing, or has fallen silent.
    case silent
}

/// Connects to gpsd over TCP.
struct GPSDSocketConnector: GPSDConnector {
    /// How long everything may take.
    struct Patience: Sendable {
        /// For connecting, for its greeting and for each answer.
        var answer = Duration.seconds(10)
        /// A line that is silent for so long is asked whether it is still there.
        var silence = Duration.seconds(60)
    }

    let address: GPSDAddress
    var patience = Patience()
    var clock: any Clock<Duration> = ContinuousClock()

    /// Connects.
    ///
    /// - Throws: ``GPSDProblem/noAnswer``.
    func connect() async throws -> any GPSDConnection {
        do {
            let socket = try await StreamSocket(
                to: .tcp(host: address.host, port: address.port), within: patience.answer)
            return GPSDSocket(socket, patience: patience, clock: clock)
        } catch is SocketProblem {
            throw GPSDProblem.noAnswer
        }
    }
}

/// One connection to gpsd over TCP.
private actor GPSDSocket: GPSDConnection {
    private let socket: StreamSocket
    private let patience: GPSDSocketConnector.Patience
    private let clock: any Clock<Duration>
    private var hasSpoken = false

    init(_ socket: StreamSocket, patience: GPSDSocketConnector.Patience, clock: any Clock<Duration>) {
        self.socket = socket
        self.patience = patience
        self.clock = clock
    }

    func send(_ bytes: [UInt8]) async throws { try await socket.send(bytes) }

    /// The next bytes.
    ///
    /// gpsd greets at once, and answers `?VERSION;` at any time (gpsd_json(5)): a machine that is gone without a word
    /// is noticed by that. A silent receiver behind a gpsd that answers is no reason to hang up.
    ///
    /// - Throws: ``GPSDProblem/silent``; the connection is closed then, as when cancelled.
    func receive() async throws -> [UInt8]? {
        let bytes = try await withThrowingTaskGroup(of: [UInt8]?.self) { [socket, patience, clock, hasSpoken] group in
            group.addTask { try await socket.receive() }
            group.addTask {
                if hasSpoken {
                    try await clock.sleep(for: patience.silence)
                    try await socket.send(Array("?VERSION;\n".utf8))
                }
                try await clock.sleep(for: patience.answer)
                throw GPSDProblem.silent
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        hasSpoken = true
        return bytes
    }

    func close() async { await socket.close() }
}
