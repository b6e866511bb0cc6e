internal import AsyncPrimitives
public import Logging
public import NostrCore
public import NostrRelay
public import NostrStore
internal import Synchronization

/// How a push proxy works.
public struct WakeSettings: Sendable {
    /// Relays whose requests all are read, whoever they are for.
    public var primaryRelays: Set<RelayURL> = []
    /// By which addresses devices reach relays that the proxy reads by addresses of its own, as on its own machine.
    public var publicAddresses: [RelayURL: RelayURL] = [:]
    /// How many other relays are watched.
    public var mostRelays = 500
    /// How many of those pairings from one network may take.
    public var mostRelaysPerNetwork = 32
    /// How often requests wake.
    public var limits = WakeLimits()
    /// How often the registry is asked whether another proxy changed it.
    public var refresh: Duration = .seconds(2)
    /// How long a device that does not register again is kept.
    public var keepsUnseen: Duration = .seconds(180 * 86_400)

    /// The defaults, with no relay.
    public init() {}

    /// What the pool of relays should bear for this.
    public var pool: PoolSettings {
        var settings = PoolSettings()
        settings.connections.standing = primaryRelays.count + mostRelays
        settings.connections.spare = 1
        settings.requests.resumeOverlap = limits.freshness
        settings.retries.longest = .seconds(600)
        settings.memory.events = 4096
        settings.memory.bytes = 8 << 20
        return settings
    }
}

/// Watches relays for requests to registered signers, and wakes their devices.
///
/// It sees who asks whom and when, as the relays do; never a key, never what is asked. Requests that came while no proxy
/// ran are asked for at the start, as far as relays keep them, and no request wakes twice: the registry remembers.
public final class WakeService: Sendable {
    private let settings: WakeSettings
    private let registry: any PushRegistry
    private let pool: RelayPool
    private let deliveries: Deliveries
    private let senders: Senders
    private let time: Time<Timestamp>
    private let log: Logger
    private let arrivals = BoundedQueue<Arrival>(capacity: 8192)
    private let rules: Mutex<WakeRules>
    private let plan: Mutex<WatchPlan>
    private let memory: Duration
    /// When a delivery over a relay was noted, within the last day.
    private let noted = Mutex<[RelayURL: Timestamp]>([:])
    private let live = Mutex<Set<RelayURL>>([])
    /// Rings when a registration or a pairing may have changed.
    private let changes = Doorbell()
    /// What is counted.
    public let metrics: PushMetrics

    private struct Arrival: Sendable {
        let events: [Event]
        let relay: RelayURL
        let since: Duration
    }

    /// A service that is ready to run; nothing is opened before ``run()``.
    ///
    /// - Parameters:
    ///   - apns: wakes Apple's devices; without it they are kept but not woken.
    ///   - web: wakes browsers and UnifiedPush distributors.
    public init(
        settings: WakeSettings, registry: any PushRegistry, pool: RelayPool, apns: (any PushSender)?,
        web: (any PushSender)?, metrics: PushMetrics, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp, log: Logger
    ) {
        self.settings = settings
        self.registry = registry
        self.pool = pool
        self.metrics = metrics
        time = Time(clock: clock, now: now)
        self.log = log
        senders = Senders(apns: apns, web: web)
        deliveries = Deliveries(senders: senders, registry: registry, metrics: metrics, clock: clock, log: log)
        let rules = WakeRules(settings.limits)
        memory = rules.memory
        self.rules = Mutex(rules)
        plan = Mutex(
            WatchPlan(
                primary: settings.primaryRelays, start: now() - settings.limits.freshness,
                mostRelays: settings.mostRelays, mostPerNetwork: settings.mostRelaysPerNetwork))
    }

    /// Works until ``stop()``; then what was received is delivered, and everything closes.
    public func run() async {
        let subscription = await pool.subscribe(plan.withLock { $0.requests })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.read(subscription) }
            group.addTask { await self.followChanges(of: subscription) }
            group.addTask { await self.keepHouse() }
            group.addTask { await self.deliveries.run() }
            changes.ring()
            await wakeAll()
            group.cancelAll()
        }
        await subscription.cancel()
        await senders.close()
    }

    /// Takes no more requests.
    public func stop() {
        arrivals.finish()
    }

    /// Tells that a registration or a pairing changed, so that the relays are asked anew at once.
    func registryChanged() {
        changes.ring()
    }

    /// Tells the browsers of a signer that something happened, without saying what; returns within seconds.
    ///
    /// Distributors of UnifiedPush and Apple's devices start a signer for what they get, so they are not told.
    ///
    /// - Returns: how many browsers' push services took it.
    func notify(_ signer: PublicKey) async throws -> Int {
        let devices = try await registry.devices(of: [signer])[signer] ?? []
        return await withTaskGroup(of: Bool.self) { group in
            for device in devices {
                guard case .webPush = device.address, let slot = deliveries.slot(for: device) else { continue }
                group.addTask { [deliveries] in await deliveries.notify(device, in: slot) }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    /// Relays that signers paired on and that are not watched, because there are too many.
    var relaysLeftOut: Int { plan.withLock { $0.leftOut } }

    /// How many relays have answered and are listened to now.
    var relaysLive: Int { live.withLock { $0.count } }

    // MARK: - Reading

    private func read(_ subscription: any LiveSubscription) async {
        for await update in subscription.updates {
            switch update {
            case .events(let events, let relay):
                await arrivals.send(Arrival(events: events, relay: relay, since: time.uptime()), weight: events.count)
            case .live(let relay): _ = live.withLock { $0.insert(relay) }
            case .interrupted(let relay, _): _ = live.withLock { $0.remove(relay) }
            }
        }
    }

    /// Asks relays anew when the registry changed, here or through another proxy.
    private func followChanges(of subscription: any LiveSubscription) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [time, settings, changes] in
                while (try? await time.sleep(for: settings.refresh)) != nil { changes.ring() }
            }
            var known: Int64?
            while !Task.isCancelled {
                await changes.wait()
                do {
                    let revision = try await registry.revision()
                    guard revision != known else { continue }
                    let watched = try await registry.watchedRelays()
                    let since = time.now() - settings.limits.freshness
                    await subscription.change(to: plan.withLock { $0.update(watched, since: since) })
                    known = revision
                    // Many registrations in a row are one change.
                    try await time.sleep(for: .milliseconds(500))
                } catch is CancellationError {
                    break
                } catch {
                    metrics.count(.registryFailures)
                    log.warning("the registry could not be read", metadata: ["why": "\(Self.code(error))"])
                }
            }
            group.cancelAll()
        }
    }

    private func keepHouse() async {
        for minute in 0... {
            do {
                try await registry.dropClaims(expiredBy: time.now())
                if minute % 60 == 0 { try await registry.dropUnseen(since: time.now() - settings.keepsUnseen) }
            } catch {
                metrics.count(.registryFailures)
            }
            guard (try? await time.sleep(for: .seconds(60))) != nil else { return }
        }
    }

    // MARK: - Waking

    private func wakeAll() async {
        await withDiscardingTaskGroup { group in
            while let batch = await arrivals.receive(atMost: 256) {
                for wake in await decide(batch) {
                    guard let slot = deliveries.slot(for: wake.device) else { continue }
                    group.addTask { [self] in
                        let isDelivered = await deliveries.deliver(wake.request, to: wake.device, in: slot)
                        if isDelivered, wake.isPaired { await noteDelivery(over: wake.request.relay) }
                        metrics.answered(within: time.uptime() - wake.since)
                    }
                }
            }
        }
    }

    private struct Wake: Sendable {
        let request: WakeRequest
        let device: PushDevice
        let since: Duration
        /// Whether a paired app asks.
        let isPaired: Bool
    }

    /// Remembers which relays real wakes come over; once a day for each is enough.
    private func noteDelivery(over relay: RelayURL) async {
        let moment = time.now()
        let isNew = noted.withLock { noted in
            guard noted[relay].map({ $0 + .seconds(86_400) <= moment }) ?? true else { return false }
            noted = noted.filter { $0.value + .seconds(86_400) > moment }
            noted[relay] = moment
            return true
        }
        guard isNew, !settings.primaryRelays.contains(relay) else { return }
        do { try await registry.noteDeliveries(over: [relay], at: moment) } catch {
            noted.withLock { $0[relay] = nil }
            metrics.count(.registryFailures)
        }
    }

    /// Which devices a batch of events wakes.
    private func decide(_ batch: [Arrival]) async -> [Wake] {
        let moment = time.now()
        metrics.received(batch.reduce(0) { $0 + $1.events.count }, at: moment)
        var requests: [(request: WakeRequest, since: Duration)] = []
        rules.withLock { rules in
            for arrival in batch {
                for event in arrival.events {
                    let known = settings.publicAddresses[arrival.relay]
                    switch rules.request(event, from: arrival.relay, known: known, now: moment) {
                    case .success(let request): requests.append((request, arrival.since))
                    case .failure(let refusal): note(refusal)
                    }
                }
            }
        }
        guard !requests.isEmpty else { return [] }
        for attempt in 1...3 {
            do {
                return try await wakes(requests, moment)
            } catch {
                metrics.count(.registryFailures)
                log.error(
                    "the registry failed", metadata: ["why": "\(Self.code(error))", "attempt": "\(attempt)"])
                // Without the registry nothing can be done; what comes meanwhile waits in line.
                await time.pause(for: .milliseconds(500))
            }
        }
        return []
    }

    private func wakes(
        _ requests: [(request: WakeRequest, since: Duration)], _ moment: Timestamp
    ) async throws -> [Wake] {
        let devices = try await registry.devices(of: Set(requests.map(\.request.signer)))
        let clients = try await registry.clients(of: Set(devices.keys))
        var admitted: [(request: WakeRequest, since: Duration, isPaired: Bool)] = []
        rules.withLock { rules in
            for (request, since) in requests {
                guard devices[request.signer] != nil else {
                    note(.unregistered)
                    continue
                }
                let isPaired = clients[request.signer]?.contains(request.client) ?? false
                if let refusal = rules.admit(request, isPaired: isPaired, uptime: time.uptime()) {
                    note(refusal)
                } else {
                    admitted.append((request, since, isPaired))
                }
            }
        }
        let won = await claim(admitted.map(\.request.event.id), moment)
        var wakes: [Wake] = []
        for (request, since, isPaired) in admitted {
            guard won.contains(request.event.id) else {
                note(.claimedElsewhere)
                continue
            }
            metrics.count(.woken)
            for device in devices[request.signer] ?? [] {
                wakes.append(Wake(request: request, device: device, since: since, isPaired: isPaired))
            }
        }
        return wakes
    }

    /// Claims requests among all proxies; when the registry fails here, waking twice is better than not at all.
    private func claim(_ ids: [EventID], _ moment: Timestamp) async -> Set<EventID> {
        guard !ids.isEmpty else { return [] }
        do {
            return try await registry.claim(ids, for: .wake, until: moment + memory)
        } catch {
            metrics.count(.registryFailures)
            return Set(ids)
        }
    }

    private func note(_ refusal: WakeRules.Refusal) {
        switch refusal {
        case .notARequest: metrics.count(.notARequest)
        case .stale: metrics.count(.stale)
        case .repeated: metrics.count(.repeated)
        case .unregistered: metrics.count(.unregistered)
        case .limited: metrics.count(.limited)
        case .claimedElsewhere: metrics.count(.claimedElsewhere)
        }
    }

    private static func code(_ error: any Error) -> String {
        (error as? StoreError)?.code.rawValue ?? "\(type(of: error))"
    }
}
