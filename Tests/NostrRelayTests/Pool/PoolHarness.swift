import Logging
import NostrCore
import NostrRelay
import NostrTesting
import Testing

/// A pool on a scripted network and a clock that only the test moves, alive while `body` runs.
struct PoolHarness {
    let pool: RelayPool
    let network: ScriptedTransport
    let clock: ManualClock
    let blocked: BlockedRelaysInForce

    static func run(
        settings: PoolSettings = PoolSettings(), authenticator: (any RelayAuthenticator)? = nil,
        _ body: (PoolHarness) async throws -> Void
    ) async throws {
        let network = ScriptedTransport()
        let clock = ManualClock()
        let blocked = BlockedRelaysInForce()
        let pool = RelayPool(
            transport: network, blocked: blocked, settings: settings, authenticator: authenticator, clock: clock,
            wall: { Timestamp(seconds: 1_700_000_000) + clock.now.offset }, random: { 0.5 },
            logger: Logger(label: "test"))
        let harness = PoolHarness(pool: pool, network: network, clock: clock, blocked: blocked)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            do { try await body(harness) } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }

    /// Moves the clock step by step until a task is done, so that every wait on the way gets its turn.
    func advancing<R: Sendable>(by step: Duration = .seconds(1), until work: @escaping @Sendable () async -> R) async
        -> R
    {
        await withTaskGroup(of: R?.self) { group in
            group.addTask { await work() }
            group.addTask {
                while !Task.isCancelled {
                    clock.advance(by: step)
                    await Task.yield()
                }
                return nil
            }
            for await result in group {
                if let result {
                    group.cancelAll()
                    return result
                }
            }
            preconditionFailure("the work always returns")
        }
    }
}

func relay(_ name: String) throws -> RelayURL {
    try RelayURL("wss://\(name).example")
}

extension ScriptedConnection {
    /// Answers the next REQ with these events.
    @discardableResult
    func answer(_ events: [Event]) async throws -> [Filter] {
        let (id, filters) = try #require(await request())
        for event in events { deliver(.event(id, event.unverified)) }
        deliver(.eose(id))
        return filters
    }
}

/// Everything a query yielded.
struct Gathered {
    var events: [RelayURL: [Event]] = [:]
    var endings: [RelayURL: RelayEnding] = [:]

    static func all(_ stream: AsyncStream<FetchUpdate>) async -> Gathered {
        var gathered = Gathered()
        for await update in stream {
            switch update {
            case .events(let events, let relay): gathered.events[relay, default: []] += events
            case .ended(let relay, let ending): gathered.endings[relay] = ending
            }
        }
        return gathered
    }
}
