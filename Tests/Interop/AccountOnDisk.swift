import AsyncPrimitives
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage
import WebSocketNIO

/// A person's account over the files of a folder and real sockets, waiting as long as the program does.
struct AccountOnDisk {
    /// Something was waited for in vain.
    struct Late: Error, CustomStringConvertible {
        let description: String
    }

    /// How long anything is waited for.
    static let patience: Duration = .seconds(150)

    let store: SQLiteEventStore
    let records: SQLiteRecordStore
    let pool: RelayPool
    /// When it began to work.
    let began: ContinuousClock.Instant

    /// Runs it while `body` runs; the next time it knows what it learned.
    static func run(
        _ person: TestPerson, in folder: String, indexers: [RelayURL], _ counts: NetworkCounts,
        _ body: (AccountOnDisk) async throws -> Void
    ) async throws {
        let wall: @Sendable () -> Timestamp = { Timestamp(seconds: now()) }
        let store = try SQLiteEventStore(path: folder + "/events.sqlite", now: wall)
        let records = try SQLiteRecordStore(path: folder + "/account.sqlite")
        let sockets = try WebSocketTransport()
        let pool = RelayPool(
            transport: CountedTransport(sockets: sockets, counts: counts), wall: wall, logger: Logger(label: "interop"))
        let account = LiveAccount(
            publicKey: person.publicKey, signer: LocalSigner(person.secretKey), store: store, records: records,
            versions: store, network: CountedNetwork(pool: pool, counts: counts),
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: indexers, fallback: indexers, allowsPrivateRelays: true),
                searchRelays: []),
            time: Time(clock: ContinuousClock(), now: wall), log: Logger(label: "interop"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await account.run() }
            defer { group.cancelAll() }
            try await body(AccountOnDisk(store: store, records: records, pool: pool, began: ContinuousClock.now))
        }
        try store.close()
        try records.close()
    }

    /// Waits until such a share of some notes is in the store; how long after a moment it is.
    @discardableResult
    func holds(
        _ notes: [PlacedEvent], share: Double = 1, since moment: ContinuousClock.Instant, _ what: String
    ) async throws -> Duration {
        let most = notes.count - Int((Double(notes.count) * share).rounded(.up))
        var missing = notes
        try await until(since: moment, "\(what): at most \(most) of \(notes.count) notes are missing") {
            missing = try await lacks(missing)
            return missing.count <= most ? nil : "\(missing.count), as \(missing.prefix(5).map(\.event.content))"
        }
        return moment.duration(to: ContinuousClock.now)
    }

    /// Those of some notes that are not in the store.
    func lacks(_ notes: [PlacedEvent]) async throws -> [PlacedEvent] {
        let kept = Set(try await store.query([Filter(ids: Set(notes.map(\.event.id)))]).map(\.id))
        return notes.filter { !kept.contains($0.event.id) }
    }

    /// Waits until it was seen that nobody listens at some ports, also at a second look.
    func loses(_ ports: [Int]) async throws {
        try await until(since: ContinuousClock.now, "relays at \(ports) are tried in vain") {
            let failing = await pool.statistics().filter { _, figures in
                guard case .waiting = figures.state else { return false }
                return figures.failures >= 2
            }
            let found = Set(failing.keys.map(\.port)).intersection(ports)
            return found.count == ports.count ? nil : "\(found.sorted())"
        }
    }

    /// Waits until it is on the disk what a relay gave, so that it is expected back after a start; that is written about
    /// once a minute.
    func remembers(_ port: Int) async throws {
        try await until(since: ContinuousClock.now, within: .seconds(200), "what the relay at \(port) gave is kept") {
            let kept = try await records.records(in: "coverage", prefix: "authors ")
            return kept.contains { $0.key.hasSuffix(":\(port)") } ? nil : "not among \(kept.map(\.key))"
        }
    }

    /// Waits until something holds.
    ///
    /// - Parameter shortfall: what is wrong still; `nil` when nothing is.
    func until(
        since moment: ContinuousClock.Instant, within patience: Duration = patience, _ what: String,
        _ shortfall: () async throws -> String?
    ) async throws {
        while let why = try await shortfall() {
            guard moment.duration(to: ContinuousClock.now) < patience else {
                throw Late(description: "in vain for \(patience): \(what); it is \(why)")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
