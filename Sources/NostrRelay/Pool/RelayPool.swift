internal import AsyncPrimitives
public import Logging
public import NostrCore
public import NostrNIPs
internal import Synchronization

/// All relays of the program: one socket per relay, shared by everything that reads or writes there.
///
/// ``run()`` owns all its tasks; until it runs, requests wait. Every event it hands out is checked. Each relay's answer
/// is reported whole, copies included, so that readers learn where an event is held; a copy costs a scan for its id and
/// no check. A relay of which a large share is forged or unasked for is named and not read for a while; it is written to.
public actor RelayPool {
    private enum Command: Sendable {
        case start(RelayDriver)
        case abandon(QueryID)
        case closeIdle
        case block
    }

    private let context: PoolContext
    private let commands: AsyncStream<Command>
    private let command: AsyncStream<Command>.Continuation
    /// Only the pool changes them; behind a lock for whoever looks: every page does, and is not to wait for a turn of
    /// what is gathered.
    private nonisolated let driving = Mutex<[RelayURL: RelayDriver]>([:])
    private nonisolated var drivers: [RelayURL: RelayDriver] { driving.withLock { $0 } }
    private var readers: [QueryID: Set<RelayURL>] = [:]
    private var expected: Set<RelayURL> = []
    private var count: UInt64 = 0
    private var hasStopped = false

    /// A pool that opens nothing until it is asked.
    ///
    /// - Parameters:
    ///   - transport: opens the sockets.
    ///   - blocked: which relays are never contacted; an open connection to one that is put in there closes.
    ///   - authenticator: decides about NIP-42; without one no relay learns who reads.
    ///   - clock: measures all waits.
    ///   - wall: the time of day, for `since` and for answers to challenges.
    ///   - random: 0..<1, spreads reconnects.
    public init(
        transport: any RelayTransport, blocked: BlockedRelaysInForce = BlockedRelaysInForce(),
        settings: PoolSettings = PoolSettings(), authenticator: (any RelayAuthenticator)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), wall: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        logger: Logger
    ) {
        let (commands, command) = AsyncStream.makeStream(of: Command.self)
        self.commands = commands
        self.command = command
        context = PoolContext(
            transport: UnblockedTransport(transport: transport, blocked: blocked), blocked: blocked, settings: settings,
            time: Time(clock: clock, now: wall), random: random,
            memory: RecentEvents(capacity: settings.memory.events, maxBytes: settings.memory.bytes),
            permits: ConnectionPermits(standing: settings.connections.standing, spare: settings.connections.spare) {
                command.yield(.closeIdle)
            },
            authenticator: authenticator, logger: logger)
        blocked.onChange { command.yield(.block) }
    }

    /// Works until cancelled; then every query ends and every socket closes.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await command in commands {
                switch command {
                case .start(let driver): group.addTask { await driver.run() }
                case .abandon(let id): await abandon(id)
                case .closeIdle: for driver in drivers.values { await driver.closeIfIdle() }
                case .block: for driver in drivers.values { await driver.applyBlock() }
                }
            }
            hasStopped = true
            group.cancelAll()
            // One whose start was still waiting in line would else keep its readers for ever.
            for driver in drivers.values { await driver.shutDown() }
        }
    }

    // MARK: Reading

    /// Asks each relay its filters; the stream ends when every relay has ended, at the latest at the deadline.
    ///
    /// Dropping the stream ends the query.
    public func fetch(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> AsyncStream<FetchUpdate> {
        let id = QueryID(number: next())
        let sink = FetchSink(relays: Set(requests.keys), capacity: context.settings.memory.waitingEvents)
        let token = AbandonToken { [command] in
            sink.queue.finish()
            command.yield(.abandon(id))
        }
        readers[id] = Set(requests.keys)
        for (relay, filters) in requests {
            guard let driver = driver(relay) else {
                sink.notice(.ended(.notAsked(.shuttingDown)), from: relay)
                continue
            }
            await driver.fetch(id, filters, within: deadline, into: sink)
        }
        return AsyncStream(unfolding: { await token.holding { await sink.queue.receive() } })
    }

    /// Opens a standing subscription.
    ///
    /// Releasing it ends it.
    public func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription {
        let id = QueryID(number: next())
        let sink = LiveSink(capacity: context.settings.memory.waitingEvents)
        let token = AbandonToken { [command] in
            sink.queue.finish()
            command.yield(.abandon(id))
        }
        let subscription = PoolSubscription(pool: self, id: id, sink: sink, token: token)
        await change(id, to: requests, sink)
        return subscription
    }

    fileprivate func change(_ id: QueryID, to requests: [RelayURL: [Filter]], _ sink: LiveSink) async {
        let left = (readers[id] ?? []).subtracting(requests.keys)
        readers[id] = Set(requests.keys)
        for (relay, filters) in requests {
            guard let driver = driver(relay) else {
                sink.notice(.interrupted(.notAsked(.shuttingDown)), from: relay)
                continue
            }
            await driver.subscribe(id, filters, into: sink)
        }
        for relay in left { await drivers[relay]?.cancel(id) }
    }

    fileprivate func abandon(_ id: QueryID) async {
        for relay in readers.removeValue(forKey: id) ?? [] { await drivers[relay]?.cancel(id) }
    }

    /// How many events a relay holds for these filters, by its own word; `nil` when it does not say in time (NIP-45).
    public func count(_ filters: [Filter], at relay: RelayURL, deadline: Duration) async -> Int? {
        await driver(relay)?.count(QueryID(number: next()), filters, within: deadline)
    }

    // MARK: Writing

    /// Offers an event to one relay.
    public func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome {
        guard let driver = driver(relay) else { return .shuttingDown }
        return await driver.publish(PublishID(number: next()), event, within: deadline)
    }

    /// How much work (NIP-13) an event must carry to be taken by all of some relays, in bits, by what they say of
    /// themselves (NIP-11).
    public func requiredWork(at relays: Set<RelayURL>, deadline: Duration) async -> Int {
        let drivers = relays.compactMap { driver($0) }
        return await withTaskGroup(of: Int.self) { group in
            for driver in drivers { group.addTask { await driver.requiredWork(within: deadline) } }
            return await group.reduce(0) { max($0, $1) }
        }
    }

    // MARK: Knowing and steering

    /// What a relay says of itself (NIP-11), as it last said it; one that was not met yet is asked, and not remembered.
    ///
    /// - Returns: `nil` where it says nothing in time, and for one the person blocked.
    public func information(of relay: RelayURL, deadline: Duration) async -> RelayInformation? {
        if let driver = drivers[relay] { return await driver.information(within: deadline) }
        return await context.information(of: relay, within: deadline)
    }

    /// What is known of every relay met so far; a look that waits for no turn.
    public nonisolated func statistics() async -> [RelayURL: RelayStatistics] {
        drivers.mapValues { $0.statistics }
    }

    /// Names the relays that were read at earlier starts: one that is away is tried as soon again as if it had been
    /// connected since.
    ///
    /// Replaces the earlier set.
    public func expect(_ relays: Set<RelayURL>) async {
        for relay in expected.symmetricDifference(relays) { await drivers[relay]?.expect(relays.contains(relay)) }
        expected = relays
    }

    /// Asks the authenticator again what a relay may know, after the person changed their mind or what signs came back.
    public func refreshConsent(of relay: RelayURL) async {
        await drivers[relay]?.refreshConsent()
    }

    /// Tries a relay again at once if it is wanted, instead of when its rest is over: the person has allowed it.
    public func retryNow(_ relay: RelayURL) async {
        await drivers[relay]?.retryNow()
    }

    private func driver(_ relay: RelayURL) -> RelayDriver? {
        if hasStopped { return nil }
        if let driver = drivers[relay] { return driver }
        let driver = RelayDriver(relay: relay, context: context, isExpected: expected.contains(relay))
        driving.withLock { $0[relay] = driver }
        command.yield(.start(driver))
        return driver
    }

    private func next() -> UInt64 {
        count += 1
        return count
    }
}

/// The pool's side of a ``LiveSubscription``.
private final class PoolSubscription: LiveSubscription {
    let updates: AsyncStream<LiveUpdate>
    private let pool: RelayPool
    private let id: QueryID
    private let sink: LiveSink
    private let token: AbandonToken

    init(pool: RelayPool, id: QueryID, sink: LiveSink, token: AbandonToken) {
        self.pool = pool
        self.id = id
        self.sink = sink
        self.token = token
        updates = AsyncStream(unfolding: { await sink.queue.receive() })
    }

    func change(to requests: [RelayURL: [Filter]]) async {
        await pool.change(id, to: requests, sink)
    }

    func cancel() async {
        sink.queue.finish()
        await pool.abandon(id)
    }
}

/// Tells the pool that a reader is gone.
private final class AbandonToken: Sendable {
    private let abandoned: @Sendable () -> Void

    init(_ abandoned: @escaping @Sendable () -> Void) {
        self.abandoned = abandoned
    }

    /// Lives at least as long as the closure that calls this.
    func holding<R>(_ body: () async -> R) async -> R {
        await body()
    }

    deinit { abandoned() }
}
