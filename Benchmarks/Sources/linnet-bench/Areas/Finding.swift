import AsyncPrimitives
import Foundation
import Logging
import NIOCore
import NIOPosix
import NostrClient
import NostrCore
import NostrRelay
import NostrStore
import SQLiteStorage
import WebSocketNIO

/// What 120 people with messy lists wrote, on eight relays of ours over real sockets: how much of it is found within a
/// minute of the login, and how soon after relays, the program, or both were away nothing of what came meanwhile is
/// missing.
///
/// `Tests/Interop/ForeignWorldTests.swift` asks the same of relays that are not ours, with more patience.
let finding = Area(name: "finding") { setting in
    var relays: [MortalRelay] = []
    for _ in 0..<MessyWorld.relays { relays.append(try await MortalRelay.born()) }
    // Taken, so that nobody else has it, and left.
    let closed = try await MortalRelay.born()
    await closed.stop()
    let mute = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
    let ports = MessyWorld.Ports(
        relays: relays.map(\.port), closed: closed.port, mute: mute.localAddress?.port ?? closed.port)
    let world = MessyWorld(seed: setting.seed, ports: ports, now: SignerBench.now.seconds)
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A folder that stays behind in the temporary one harms nobody.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let measurements = try await measure(world, on: relays, in: folder)
    for relay in relays { await relay.stop() }
    try await mute.close()
    return measurements
}

private func measure(
    _ world: MessyWorld, on relays: [MortalRelay], in folder: String
) async throws -> [Measurement] {
    try await put(world.lists + world.notes, on: relays)
    let indexers = try MessyWorld.indexers.map { try relays[$0].address }
    var measurements = try await FindingAccount.run(world.reader, in: folder, indexers: indexers) { account in
        try await atLogin(account, world) + [try await whileRelaysDie(account, world, relays)]
    }
    let alone = relays[MessyWorld.dyingAlone]
    await alone.stop()
    try await put(world.whileAway + world.whileBothAway, on: relays)
    measurements += try await FindingAccount.run(world.reader, in: folder, indexers: indexers) { account in
        let found = try await account.holds(world.whileAway)
        try await account.loses([alone.port])
        try await alone.start()
        let both = try await account.holds(world.whileBothAway)
        return [
            back("finding-program-back", found, "that came to living relays while the program was away"),
            back("finding-both-back", both, "that came to a relay while it and the program were away"),
        ]
    }
    return measurements
}

/// How much is here a minute after the login, and when it was all but everything.
private func atLogin(_ account: FindingAccount, _ world: MessyWorld) async throws -> [Measurement] {
    let login = try await account.holds(world.notes, share: 0.995, within: .seconds(60))
    // What is said to be here a minute after the login is what is here then.
    let all = try await account.holds(world.notes, within: .seconds(60) - login.time)
    return [
        Measurement(
            name: "finding-share", value: all.share, unit: "of 1",
            what: "of \(world.notes.count) notes that living relays hold, a minute after the login at the latest"),
        Measurement(name: "finding-login", value: login.time / .seconds(1), unit: "s", what: "until 99.5 % were there"),
    ]
}

/// Two relays die, notes come to them meanwhile, and they return.
private func whileRelaysDie(
    _ account: FindingAccount, _ world: MessyWorld, _ relays: [MortalRelay]
) async throws -> Measurement {
    let dying = MessyWorld.dying.map { relays[$0] }
    for relay in dying { await relay.stop() }
    try await put(world.whileRelaysAway, on: relays)
    try await account.loses(dying.map(\.port))
    for relay in dying { try await relay.start() }
    let found = try await account.holds(world.whileRelaysAway)
    return back("finding-relays-back", found, "that came to two relays while they were away")
}

private func back(_ name: String, _ found: FindingAccount.Found, _ what: String) -> Measurement {
    let missing = found.missing == 0 ? "" : "; \(found.missing) are missing still"
    return Measurement(
        name: name, value: found.time / .seconds(1), unit: "s",
        what: "after the return until all \(found.all) notes were there \(what)\(missing)")
}

/// Puts events where they belong; a relay that is down holds them when it is back.
private func put(_ placed: [MessyWorld.Placed], on relays: [MortalRelay]) async throws {
    for (number, relay) in relays.enumerated() {
        await relay.put(placed.filter { $0.relays.contains(number) }.map(\.event))
    }
}

/// The reader's account over the files of a folder and real sockets, waiting as long as the program does.
private struct FindingAccount: Sendable {
    /// How much of what was waited for came, and when.
    struct Found: Sendable {
        let time: Duration
        let all: Int
        let missing: Int

        var share: Double { 1 - Double(missing) / Double(max(1, all)) }
    }

    /// Nobody waits longer than that for anything.
    private static let patience = Duration.seconds(150)

    private let store: SQLiteEventStore
    private let pool: RelayPool

    /// Runs it while `body` runs; the next time it knows what it learned.
    static func run(
        _ reader: PublicKey, in folder: String, indexers: [RelayURL],
        _ body: @escaping @Sendable (FindingAccount) async throws -> [Measurement]
    ) async throws -> [Measurement] {
        let store = try SQLiteEventStore(path: folder + "/events.sqlite", now: { SignerBench.now })
        let records = try SQLiteRecordStore(path: folder + "/account.sqlite")
        let pool = RelayPool(
            transport: try WebSocketTransport(), wall: { SignerBench.now }, logger: SignerBench.log)
        let account = LiveAccount(
            publicKey: reader, signer: nil, store: store, records: records, versions: store, network: pool,
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: indexers, fallback: indexers, allowsPrivateRelays: true),
                searchRelays: []),
            time: Time(clock: ContinuousClock(), now: { SignerBench.now }), log: SignerBench.log)
        let measurements = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await account.run() }
            defer { group.cancelAll() }
            return try await body(FindingAccount(store: store, pool: pool))
        }
        try store.close()
        try records.close()
        return measurements
    }

    /// Waits until such a share of some notes is in the store, or nobody waits any longer.
    func holds(
        _ notes: [MessyWorld.Placed], share: Double = 1, within patience: Duration = patience
    ) async throws -> Found {
        let clock = ContinuousClock()
        let began = clock.now
        let most = notes.count - Int((Double(notes.count) * share).rounded(.up))
        var missing = Set(notes.map(\.event.id))
        while true {
            if !missing.isEmpty { missing.subtract(try await store.query([Filter(ids: missing)]).map(\.id)) }
            let time = began.duration(to: clock.now)
            if missing.count <= most || time >= patience {
                return Found(time: time, all: notes.count, missing: missing.count)
            }
            try await clock.sleep(for: .milliseconds(100))
        }
    }

    /// Waits until the pool has tried some ports in vain, twice, or nobody waits any longer.
    func loses(_ ports: [Int]) async throws {
        let clock = ContinuousClock()
        let began = clock.now
        while began.duration(to: clock.now) < Self.patience {
            let failing = await pool.statistics().filter { _, figures in
                guard case .waiting = figures.state else { return false }
                return figures.failures >= 2
            }
            if Set(failing.keys.map(\.port)).isSuperset(of: ports) { return }
            try await clock.sleep(for: .milliseconds(100))
        }
    }
}
