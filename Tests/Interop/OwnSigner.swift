import AsyncPrimitives
import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import SQLiteStorage
import WebSocketNIO

extension PoolSettings {
    /// For relays that come and go every few seconds.
    static var quick: PoolSettings {
        var settings = PoolSettings()
        settings.retries.first = .milliseconds(200)
        settings.retries.longest = .seconds(2)
        settings.retries.afterRefusal = .milliseconds(200)
        settings.retries.stableAfter = .seconds(1)
        return settings
    }
}

/// Alice's signer on real sockets and a file.
struct OwnSigner {
    let service: LiveSigner
    let records: SQLiteSignerRecords
    let pool: RelayPool

    /// Runs it while `body` runs.
    static func run(
        on relays: [RelayURL], trust: TrustLevel = .full, _ body: (OwnSigner) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "linnet-interop-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var settings = SignerSettings()
        settings.relays = relays
        let records = try SQLiteSignerRecords(path: folder + "/signer.sqlite", defaults: settings)
        let pool = RelayPool(
            transport: try WebSocketTransport(), settings: .quick, wall: { Timestamp(seconds: now()) },
            logger: Logger(label: "interop"))
        let signer = OwnSigner(
            service: LiveSigner(
                signer: LocalSigner(TestPerson.alice.secretKey), records: records, network: pool,
                time: Time(clock: ContinuousClock(), now: { Timestamp(seconds: now()) }), minute: { 720 },
                logger: Logger(label: "interop")),
            records: records, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await signer.service.run() }
            defer { group.cancelAll() }
            try await signer.listens(on: relays)
            try await body(signer)
        }
    }

    /// Waits until it listens everywhere.
    func listens(on relays: [RelayURL]) async throws {
        let changes = await service.changes()
        if try await isListening(on: relays) { return }
        for await _ in changes {
            if try await isListening(on: relays) { return }
        }
    }

    private func isListening(on relays: [RelayURL]) async throws -> Bool {
        let reports = try await service.relays()
        return relays.allSatisfy { relay in reports.contains { $0.relay == relay && $0.state == .listening } }
    }

    /// Trusts every app there is with everything.
    func trustAll() async throws {
        for var client in try await service.clients() {
            client.trust = .full
            try await service.update(client)
        }
    }
}
