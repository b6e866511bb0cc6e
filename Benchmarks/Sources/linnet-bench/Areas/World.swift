import AsyncPrimitives
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrRelay
import NostrStore
import NostrWorld
import WebSocketNIO

/// The simulated Nostr at the size of the demo: how soon it stands, how much of it an account gathers and how fast,
/// and whether questions end in time while relays die.
let world = Area(name: "world") { setting in
    let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
    var log = Logger(label: "bench")
    log.logLevel = .critical
    let network = WorldNetwork(seed: setting.seed, newPerMinute: 0, clock: ContinuousClock(), now: { now }, log: log)
    let clock = ContinuousClock()
    let began = clock.now
    let addresses = try await network.start()
    let start = Measurement(
        name: "world-start", value: began.duration(to: clock.now) / .seconds(1), unit: "s",
        what: "ports, months of history, relays filled")
    let pool = RelayPool(transport: try WebSocketTransport(), wall: { now }, logger: log)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await network.run() }
        group.addTask { await pool.run() }
        let reading = try await gather(network, addresses, pool, now: now, log: log)
        let dying = await outliveKilledRelays(network, addresses, pool)
        group.cancelAll()
        return [start] + reading + dying
    }
}

private let kinds: Set<Kind> = [1, 6, 16]

/// Lets an account read two weeks of the people it follows, until it has all that there is or 30 seconds have passed.
private func gather(
    _ network: WorldNetwork, _ addresses: WorldAddresses, _ pool: RelayPool, now: Timestamp, log: Logger
) async throws -> [Measurement] {
    guard let world = await network.world else { return [] }
    let window = Duration.seconds(14 * 86_400)
    let deleted = world.events.filter { $0.kind == 5 }.flatMap { event in
        event.tags.named("e").compactMap { tag in tag.value.flatMap { try? EventID(hex: $0) } }
    }
    let truth = await network.readableEvents(
        of: Set(world.heroFollows), kinds: kinds, since: now - window + .seconds(60)
    ).subtracting(deleted)
    let store = MemoryEventStore(now: { now })
    var configuration = AccountConfiguration(
        routing: RoutingPolicy(
            indexers: addresses.indexers, fallback: addresses.indexers, allowsPrivateRelays: true),
        searchRelays: [])
    configuration.homeWindow = window
    let account = LiveAccount(
        publicKey: addresses.hero, signer: nil, store: store, records: MemoryRecordStore(), network: pool,
        configuration: configuration, time: Time(clock: ContinuousClock(), now: { now }), log: log)
    let clock = ContinuousClock()
    let began = clock.now
    var reached: Duration?
    return await withTaskGroup(of: Void.self) { group in
        group.addTask { await account.run() }
        var share = 0.0
        while began.duration(to: clock.now) < .seconds(30), share < 1 {
            // Ends early only when the whole run is cancelled.
            try? await clock.sleep(for: .milliseconds(50))
            share = Double(await store.query([Filter(ids: truth)]).count) / Double(max(1, truth.count))
            if share >= 0.99, reached == nil { reached = began.duration(to: clock.now) }
            if let reached, began.duration(to: clock.now) > reached + .seconds(3) { break }
        }
        group.cancelAll()
        return [
            Measurement(
                name: "world-gathered", value: share, unit: "of 1",
                what: "of \(truth.count) notes that living, readable relays hold"),
            Measurement(
                name: "world-gather-time", value: (reached ?? .seconds(30)) / .seconds(1), unit: "s",
                what: "until 99 % were there"),
        ]
    }
}

/// Asks every relay, dead ones too, kills every fifth when the first answer comes, and looks at the clock.
private func outliveKilledRelays(
    _ network: WorldNetwork, _ addresses: WorldAddresses, _ pool: RelayPool
) async -> [Measurement] {
    let everywhere = Set(addresses.relays.map(\.address) + addresses.dead)
    let requests = Dictionary(uniqueKeysWithValues: everywhere.map { ($0, [Filter(kinds: kinds, limit: 2000)]) })
    let deadline = Duration.seconds(5)
    let clock = ContinuousClock()
    let began = clock.now
    var ended: Set<RelayURL> = []
    var hasKilled = false
    for await update in await pool.fetch(requests, deadline: deadline) {
        if case .ended(let relay, _) = update { ended.insert(relay) }
        guard !hasKilled else { continue }
        hasKilled = true
        for relay in addresses.relays where relay.number % 5 == 2 { await network.kill(relay.address) }
    }
    let late = max(.zero, began.duration(to: clock.now) - deadline)
    return [
        Measurement(
            name: "world-ended", value: Double(ended.count) / Double(everywhere.count), unit: "of 1",
            what: "of \(everywhere.count) relays, every fifth killed meanwhile, came to an end"),
        Measurement(name: "world-late", value: late / .seconds(1), unit: "s", what: "past the deadline of 5 s"),
    ]
}
