import AsyncPrimitives
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import Testing

@testable import NostrWorld

@Suite("Reading the world", .serialized, .timeLimit(.minutes(10)))
struct ReadingTests {
    static let kinds: Set<Kind> = [1, 6, 16]
    static let window: Duration = .seconds(14 * 86_400)

    @Test("brings at least 99 % of what living, readable relays hold of the people one follows")
    func completeness() async throws {
        try await withWorld(size: .hamlet) { running in
            let truth = await expected(running)
            #expect(truth.count > 50)
            let share = try await gather(running, truth)
            #expect(share >= 0.99, "\(share) of \(truth.count)")
        }
    }

    @Test("ends every question in time while every fifth relay is killed")
    func killedRelays() async throws {
        try await withWorld { running in
            let everywhere = running.addresses.relays.map(\.address) + running.addresses.dead.prefix(5)
            let filter = Filter(authors: Set(running.world.heroFollows), kinds: Self.kinds)
            let requests = Dictionary(uniqueKeysWithValues: Set(everywhere).map { ($0, [filter]) })
            let deadline = Duration.seconds(3)
            let start = ContinuousClock.now
            var ended: Set<RelayURL> = []
            var hasKilled = false
            for await update in await running.pool.fetch(requests, deadline: deadline) {
                if case .ended(let relay, _) = update { ended.insert(relay) }
                guard !hasKilled else { continue }
                hasKilled = true
                for relay in running.addresses.relays where relay.number % 5 == 2 {
                    await running.network.kill(relay.address)
                }
            }
            #expect(ended == Set(requests.keys))
            #expect(start.duration(to: .now) < deadline + .seconds(20))
        }
    }

    /// What there is to be had, less what its authors deleted.
    private func expected(_ running: RunningWorld) async -> Set<EventID> {
        let authors = Set(running.world.heroFollows)
        let deleted = running.world.events.compactMap(DeletionRequest.init).flatMap(\.events)
        return await running.network.readableEvents(
            of: authors, kinds: Self.kinds, since: testNow - Self.window + .seconds(60)
        ).subtracting(deleted)
    }

    /// Lets an account read until it has 99 % or a minute has passed; the share it has then.
    private func gather(_ running: RunningWorld, _ truth: Set<EventID>) async throws -> Double {
        let store = MemoryEventStore(now: { testNow })
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(
                indexers: running.addresses.indexers, fallback: running.addresses.indexers,
                allowsPrivateRelays: true),
            searchRelays: [])
        configuration.homeWindow = Self.window
        var log = Logger(label: "reading tests")
        log.logLevel = .critical
        let account = LiveAccount(
            publicKey: running.addresses.hero, signer: nil, store: store, records: MemoryRecordStore(),
            network: running.pool, configuration: configuration,
            time: Time(clock: ContinuousClock(), now: { testNow }), log: log)
        let changes = await store.changes()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await account.run() }
            await withTaskGroup(of: Void.self) { race in
                race.addTask {
                    var missing = truth
                    let mayMiss = truth.count / 100
                    for await change in changes {
                        if case .added(let event) = change { missing.remove(event.id) }
                        if case .missed = change {
                            missing.subtract(await store.query([Filter(ids: missing)]).map(\.id))
                        }
                        if missing.count <= mayMiss { return }
                    }
                }
                race.addTask {
                    // The end of the race; a cancelled sleep means that it was won.
                    try? await Task.sleep(for: .seconds(60))
                }
                await race.next()
                race.cancelAll()
            }
            group.cancelAll()
            let held = await store.query([Filter(ids: truth)])
            return Double(held.count) / Double(max(1, truth.count))
        }
    }
}
