import AsyncPrimitives
import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import Testing
import WebSocketNIO

@testable import linnet

@Suite("linnet signer, over real relays", .serialized, .timeLimit(.minutes(10)))
struct SignerCommandTests {
    private static let passphrase = "correct horse"

    /// A data directory with one account, and two relays.
    private struct Place {
        let key: PublicKey
        let directory: DataDirectory
        let relays: [String]

        var environment: [String: String] {
            [
                "LINNET_DATA": directory.path, "LINNET_PASSWORD": SignerCommandTests.passphrase,
                "LINNET_INDEXERS": relays.joined(separator: " "),
            ]
        }

        /// Runs a command to its end, off the threads that tasks share.
        func run(_ arguments: String..., input: String = "") async throws -> Program.Result {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result { try Program.run(arguments, input: input, environment: environment) })
                }
            }
        }

        /// The lines of JSON a command prints.
        func lines(_ arguments: String...) async throws -> [JSONValue] {
            let result: Program.Result = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try Program.run(arguments, environment: environment) })
                }
            }
            #expect(result.status == 0, "\(arguments): \(result.errors)")
            return try result.output.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
        }

        /// Starts the signer and waits until it listens.
        func start() throws -> RunningProgram {
            let program = try RunningProgram(["signer"], environment: environment)
            #expect(program.line().contains(key.npub))
            return program
        }
    }

    private func withPlace(_ body: (Place) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var relays: [(RunningProgram, String)] = []
        for name in ["one", "two"] {
            let relay = try RunningProgram(["relay", "--port", "0", "--data", "\(folder)/\(name)"])
            relays.append((relay, String(relay.line().dropFirst("relay ".count))))
        }
        let directory = DataDirectory(path: folder + "/home")
        try directory.prepare()
        let signer = LocalSigner.generate()
        let keystore = NIP49FileKeystore(directory: directory.keys, logN: 4, now: { .current })
        _ = try await keystore.add(signer, name: "", passphrase: Self.passphrase, handling: .secure)
        try await body(Place(key: signer.publicKey, directory: directory, relays: relays.map(\.1)))
        withExtendedLifetime(relays) {}
    }

    /// Runs our client, paired by the token that `linnet signer invite` prints.
    private func withApp(_ place: Place, _ body: @escaping @Sendable (RemoteSigner) async throws -> Void) async throws {
        let token = try await place.run("signer", "invite")
        #expect(token.status == 0, "\(token.errors)")
        let client = LocalSigner.generate()
        let log = Logger(label: "test")
        let time = Time<Timestamp>(clock: ContinuousClock(), now: { .current })
        let pool = RelayPool(transport: try WebSocketTransport(), wall: { .current }, logger: log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            let pairing = try await PairingAttempt(
                token: try BunkerURI(token.line), client: client, metadata: ClientMetadata(name: "Test app"),
                network: pool, time: time, log: log
            ).run()
            let app = RemoteSigner(pairing, client: client, network: pool, time: time, log: log)
            group.addTask { await app.run { _ in } }
            try await body(app)
        }
    }

    @Test("an app pairs, waits, is approved, refused and unpaired; the log tells of it, also when nothing runs")
    func whole() async throws {
        try await withPlace { place in
            let running = try place.start()
            try await withApp(place) { app in
                let clients = try await place.lines("signer", "clients")
                #expect(clients.first?["title"]?.string == "Test app")
                #expect(clients.first?["title_is_claimed"]?.bool == true)
                #expect(try await place.run("signer", "trust", "Test app", "low", "--name", "Mine").status == 0)

                let draft = EventDraft(kind: 1, content: "hello", createdAt: .current)
                async let signed = app.sign(draft)
                let waiting = try await self.oneWaiting(place)
                #expect(waiting["title"]?.string == "Mine")
                #expect(waiting["kind"]?.integer == 1)
                let id = try #require(waiting["id"]?.string)
                let shown = try await place.lines("signer", "show", String(id.prefix(8)))
                #expect(shown.first?["event"]?["content"]?.string == "hello")
                let approved = try await place.lines("signer", "approve", String(id.prefix(8)))
                #expect(approved.first?["decided"]?.bool == true)
                #expect(try await signed.pubkey == place.key)

                async let refused = app.sign(draft)
                _ = try await self.oneWaiting(place)
                #expect(try await place.run("signer", "refuse", "--all", "--always").status == 0)
                do {
                    _ = try await refused
                    Issue.record("what was refused was signed")
                } catch is SigningFailure {
                    // Refused, as it should be.
                }

                #expect(try await place.run("signer", "approve", "0123456789").status == 1)
                #expect(try await place.lines("signer", "relays").count == 2)
                #expect(try await place.run("signer", "pause").status == 0)
                #expect(try await place.run("signer", "resume").status == 0)
                #expect(try await place.run("signer", "revoke", "Mine").status == 0)
                #expect(try await place.lines("signer", "clients").isEmpty)
            }
            withExtendedLifetime(running) {}
        }
    }

    @Test("what was decided is there after SIGTERM, and is told of while nothing runs")
    func restarts() async throws {
        try await withPlace { place in
            do {
                let running = try place.start()
                try await withApp(place) { app in
                    let draft = EventDraft(kind: 1, content: "hello", createdAt: .current)
                    _ = try await app.sign(draft)
                    #expect(try await place.run("signer", "trust", "Test app", "low", "--per-hour", "9").status == 0)
                }
                withExtendedLifetime(running) {}
            }
            let clients = try await place.lines("signer", "clients")
            #expect(clients.first?["trust"]?.string == "low")
            #expect(clients.first?["per_hour"]?.integer == 9)
            let log = try await place.lines("signer", "log", "--method", "sign_event", "--search", "TEST APP")
            #expect(log.map { $0["outcome"]?.string } == ["done"])
            #expect(try await place.lines("signer", "list").isEmpty)
            let refused = try await place.run("signer", "invite")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("start linnet serve or linnet signer"))
        }
    }

    private func oneWaiting(_ place: Place) async throws -> JSONValue {
        for _ in 0..<100 {
            if let one = try await place.lines("signer", "list").first { return one }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw NothingWaits()
    }

    private struct NothingWaits: Error {}
}
