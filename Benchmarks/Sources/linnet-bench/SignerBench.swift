import AsyncPrimitives
import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import RelayServer
import SQLiteStorage
import WebSocketNIO

/// A relay of ours on loopback that ends when it is told to.
final class BenchRelay: Sendable {
    let address: RelayURL
    private let socket: WebSocketServer
    private let server: RelayServer
    private let stopRequest: (asked: AsyncStream<Never>, ask: AsyncStream<Never>.Continuation)

    /// Takes a port, or a free one.
    init(port: Int = 0, now: @escaping @Sendable () -> Timestamp = { SignerBench.now }) async throws {
        socket = try await WebSocketServer.bind(
            WebSocketServer.Configuration(host: "127.0.0.1", port: port), logger: SignerBench.log)
        address = try RelayURL("ws://127.0.0.1:\(socket.port)")
        server = RelayServer(
            store: MemoryEventStore(now: now), policies: RelayPolicies(), information: RelayInformation(),
            addresses: [address], now: now)
        let (asked, ask) = AsyncStream.makeStream(of: Never.self)
        stopRequest = (asked, ask)
    }

    /// Serves until ``stop()`` or cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [server] in await server.run() }
            group.addTask { [server, socket] in
                await socket.run { connection in
                    await server.serve(
                        frames: connection.incoming, send: { try await connection.send($0) },
                        close: { connection.beginClosing() }, peer: connection.request.peer)
                }
            }
            group.addTask { [stopRequest] in
                for await _ in stopRequest.asked {}
            }
            await group.next()
            group.cancelAll()
        }
    }

    func stop() { stopRequest.ask.finish() }

    /// Runs a relay that dies and comes back at the same address, until cancelled.
    static func flap(_ first: BenchRelay, up: Duration, down: Duration) async throws {
        var relay = first
        while !Task.isCancelled {
            let running = relay
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await running.run() }
                try await Task.sleep(for: up)
                running.stop()
                try await group.waitForAll()
            }
            try await Task.sleep(for: down)
            relay = try await BenchRelay(port: running.address.port)
        }
    }
}

/// A signer with its records on the disk, and whatever asks it, on loopback.
struct SignerBench {
    let service: LiveSigner
    let records: SQLiteSignerRecords
    let relays: [RelayURL]

    static var now: Timestamp { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }
    static let log: Logger = {
        var log = Logger(label: "bench")
        log.logLevel = .critical
        return log
    }()

    static func pool() throws -> RelayPool {
        var settings = PoolSettings()
        settings.retries.first = .milliseconds(200)
        settings.retries.longest = .seconds(3)
        settings.retries.afterRefusal = .milliseconds(500)
        settings.retries.stableAfter = .seconds(1)
        settings.requests.publishesInFlight = 256
        return RelayPool(transport: try WebSocketTransport(), settings: settings, wall: { now }, logger: log)
    }

    /// Runs a signer that listens on some relays.
    static func run<R>(on relays: [RelayURL], _ body: (SignerBench) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var settings = SignerSettings()
        settings.relays = relays
        let records = try SQLiteSignerRecords(path: folder + "/signer.sqlite", defaults: settings)
        let pool = try pool()
        var configuration = SignerConfiguration()
        configuration.retention.logLines = 1_000_000
        let service = LiveSigner(
            signer: LocalSigner.generate(), records: records, network: pool, configuration: configuration,
            time: Time(clock: ContinuousClock(), now: { now }), minute: { 720 }, logger: log)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await service.run() }
            defer { group.cancelAll() }
            return try await body(SignerBench(service: service, records: records, relays: relays))
        }
    }

    /// Runs our client, paired and trusted with everything.
    func withClient<R>(
        _ patience: RemotePatience = RemotePatience(), _ body: (RemoteSigner) async throws -> R
    ) async throws -> R {
        let client = LocalSigner.generate()
        let pool = try Self.pool()
        let time = Time<Timestamp>(clock: ContinuousClock(), now: { Self.now })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            let attempt = PairingAttempt(
                token: try await service.invitation().uri, client: client, network: pool, time: time,
                patience: patience,
                log: Self.log)
            let app = RemoteSigner(
                try await attempt.run(), client: client, network: pool, time: time, patience: patience, log: Self.log)
            try await trustAll()
            group.addTask { await app.run { _ in } }
            return try await body(app)
        }
    }

    /// Trusts every app with everything.
    func trustAll() async throws {
        for var client in try await service.clients() {
            client.trust = .full
            try await service.update(client)
        }
    }

    /// Signs so many drafts, some at a time; how many came back.
    static func sign(_ count: Int, atOnce: Int, by app: RemoteSigner) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            var signed = 0
            for number in 0..<count {
                if number >= atOnce, await group.next() == true { signed += 1 }
                group.addTask {
                    let draft = EventDraft(kind: 1, content: "note \(number)", createdAt: now)
                    // A request that is lost is what is counted here.
                    return (try? await app.sign(draft)) != nil
                }
            }
            for await isSigned in group where isSigned { signed += 1 }
            return signed
        }
    }
}
