import Logging
import NostrClient
import NostrCore
import NostrRelay
import NostrStore
import WebSocketNIO

@testable import NostrWorld

/// A world that runs, and a pool that reads it over real sockets.
struct RunningWorld {
    let network: WorldNetwork
    let addresses: WorldAddresses
    let world: World
    let pool: RelayPool

    /// The address of the first relay with a trait.
    func relay(_ trait: RelayTrait) throws -> RelayURL {
        guard let found = addresses.relays.first(where: { $0.trait == trait }) else { throw NoSuchRelay(trait: trait) }
        return found.address
    }

    /// Everything one relay sends for a filter, and how its answer ended.
    func read(_ filter: Filter, at relay: RelayURL, deadline: Duration = .seconds(15)) async -> Answer {
        var answer = Answer()
        for await update in await pool.fetch([relay: [filter]], deadline: deadline) {
            switch update {
            case .events(let events, _): answer.events += events
            case .ended(_, let ending): answer.ending = ending
            }
        }
        return answer
    }

    struct Answer {
        var events: [Event] = []
        var ending: RelayEnding?
    }

    struct NoSuchRelay: Error {
        var trait: RelayTrait
    }
}

extension WorldSize {
    /// Just enough people for eighteen relays.
    static let farm = WorldSize(people: 24, relays: 18, days: 21, heroFollows: 12, busyness: 4)
}

/// Runs a world and a pool for as long as the body takes.
func withWorld(
    size: WorldSize = .farm, seed: UInt64 = 7, answerPause: Duration = .zero,
    settings: PoolSettings = PoolSettings(), authenticator: (any RelayAuthenticator)? = nil,
    body: (RunningWorld) async throws -> Void
) async throws {
    var log = Logger(label: "world tests")
    log.logLevel = .critical
    let network = WorldNetwork(
        seed: seed, size: size, newPerMinute: 0, answerPause: answerPause, clock: ContinuousClock(), now: { testNow },
        log: log)
    let addresses = try await network.start()
    guard let world = await network.world else { return }
    let pool = RelayPool(
        transport: try WebSocketTransport(), settings: settings, authenticator: authenticator, wall: { testNow },
        logger: log)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await network.run() }
        group.addTask { await pool.run() }
        try await body(RunningWorld(network: network, addresses: addresses, world: world, pool: pool))
        group.cancelAll()
    }
}

/// Says yes to every relay, with the demo person's key.
struct WillingHero: RelayAuthenticator {
    let sign: @Sendable (EventDraft) -> Event

    func consent(for relay: RelayURL) async -> AuthenticationConsent { .allow }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? { sign(draft) }
}

/// Signs with the demo person's key.
func heroSigner(seed: UInt64 = 7) throws -> @Sendable (EventDraft) -> Event {
    let person = try hamlet(seed: seed).heroPerson
    return { draft in
        var random = SystemRandomNumberGenerator()
        return Event(signing: draft, with: person.keyholder.key, using: &random)
    }
}
