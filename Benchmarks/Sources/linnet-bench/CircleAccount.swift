import AsyncPrimitives
import Circles
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import NostrStore
import SQLiteStorage
import Synchronization
import WebSocketNIO

/// A person's whole account as the program runs it: its records and events on the disk, its relay on loopback.
struct CircleAccount {
    let key: PublicKey
    let account: LiveAccount
    /// The account's circles, once it is unlocked.
    var circles: AccountCircles {
        get throws {
            guard let circles = account.circles else { throw CircleError(.locked) }
            return circles
        }
    }

    /// Takes what rests in a folder of its own.
    init(secret hex: String, in folder: URL, at relay: RelayURL, over network: any RelayNetwork, _ watch: Watch) throws
    {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let now: @Sendable () -> Timestamp = { watch.now }
        key = try SecretKey(hex: hex).publicKey
        account = LiveAccount(
            publicKey: key, signer: LocalSigner(try SecretKey(hex: hex)),
            store: try SQLiteEventStore(path: folder.appending(path: "events.sqlite").path, now: now),
            records: try SQLiteRecordStore(path: folder.appending(path: "account.sqlite").path), network: network,
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: [relay], fallback: [relay]),
                searchRelays: []),
            time: Time(clock: ContinuousClock(), now: now), log: SignerBench.log,
            unlocked: [AccountCircles.factory()])
    }

    /// Runs it at its relay while `body` runs.
    static func run<R>(
        secret hex: String, in folder: URL, at relay: RelayURL, _ watch: Watch = Watch(),
        _ body: (CircleAccount) async throws -> R
    ) async throws -> R {
        let pool = RelayPool(
            transport: try WebSocketTransport(), wall: { watch.now }, logger: SignerBench.log)
        let own = try CircleAccount(secret: hex, in: folder, at: relay, over: pool, watch)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await own.account.run() }
            defer { group.cancelAll() }
            await own.account.keyDidUnlock()
            return try await body(own)
        }
    }

    /// Looks until something holds, a minute at most.
    func until(_ what: String, every pause: Duration = .milliseconds(20), _ holds: () async throws -> Bool) async throws
    {
        let end = ContinuousClock.now + .seconds(60)
        while try await !holds() {
            guard ContinuousClock.now < end else { throw Late(description: "in vain for a minute: \(what)") }
            try await Task.sleep(for: pause)
        }
    }

    /// How many lines of others came in all circles since they were read.
    func unread() async throws -> Int { try await circles.reader.overview().circles.reduce(0) { $0 + $1.unread } }

    /// Whether all circles are in an epoch, and nothing of one's own is under way.
    func areAll(in epoch: UInt64) async throws -> Bool {
        for circle in try await circles.reader.overview().circles {
            let health = try await circles.reader.health(of: circle.id)
            guard health.epoch == epoch, health.pending == 0 else { return false }
        }
        return true
    }
}

/// Somebody waited in vain.
struct Late: Error, CustomStringConvertible {
    let description: String
}

/// A watch that can be put forward.
final class Watch: Sendable {
    private let error: Mutex<Duration>

    init(_ error: Duration = .zero) { self.error = Mutex(error) }

    var now: Timestamp { SignerBench.now + error.withLock { $0 } }

    func advance(by span: Duration) { error.withLock { $0 += span } }
}
