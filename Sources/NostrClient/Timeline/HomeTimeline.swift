internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// The home timeline: which relays serve it, what is asked of them at the start, and what stays open.
actor HomeTimeline {
    nonisolated let context: AccountContext
    nonisolated let gossip: Gossip
    nonisolated let publishing: Publishing
    nonisolated let inbound: InboundLedger

    /// What pages look at: for thousands of people each turn of the actor takes a while, and no page is to wait for it.
    private nonisolated let shown = Mutex(Shown())
    /// What was asked of which relay for whom since the start, and what came.
    var ledger = CoverageLedger()
    /// What every relay has given of whom, over restarts.
    var history = CoverageHistory()
    var window: GatheringWindow?
    /// What stays open at the relays.
    var standing = StandingSubscription()
    /// The plan of which all was asked, as far as nothing was forgotten since.
    var allAsked: (relays: [RelayURL: Set<PublicKey>], forgotten: Int)?
    /// Whether relays were asked since the start for what happened to the account while it was away.
    nonisolated let ownIsGathered = CurrentValue(false)
    /// When relays beside the plan were last asked, and how many are being asked.
    var sweep = Sweep()
    /// When the whole plan was made last.
    private var planned: Timestamp?
    /// What decides which relays are tried: the same until the program ends.
    private let draws: UInt64

    private struct Shown {
        /// `nil` before the first was made.
        var plan: ReadPlan?
        var horizon: Horizon?
        var completeness = HomeCompleteness()
        var isLoaded = false
    }

    init(_ context: AccountContext, gossip: Gossip, publishing: Publishing, inbound: InboundLedger) {
        self.inbound = inbound
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
        var generator = context.random.generator
        draws = generator.next()
    }

    /// Which authors are read from which relays.
    ///
    /// Only the actor changes it.
    nonisolated var plan: ReadPlan {
        get { shown.withLock { $0.plan } ?? ReadPlan() }
        set {
            // Let go of outside the lock: of thousands of people it takes a millisecond, and each page looks there.
            _ = shown.withLock { exchange(&$0.plan, with: newValue) }
        }
    }
    /// Whether it is known which relays to read: at a start that takes a moment, in which nothing is asked yet.
    nonisolated var isPlanned: Bool { shown.withLock { $0.plan != nil } }
    /// How far back and until when home is here; `nil` before relays have answered once.
    ///
    /// Only the actor changes it.
    nonisolated var horizon: Horizon? {
        get { shown.withLock { $0.horizon } }
        set { shown.withLock { $0.horizon = newValue } }
    }
    /// How complete home is, as it was counted last.
    ///
    /// Only the actor changes it.
    nonisolated var completeness: HomeCompleteness {
        get { shown.withLock { $0.completeness } }
        set { shown.withLock { $0.completeness = newValue } }
    }
    private nonisolated var isLoaded: Bool { shown.withLock { $0.isLoaded } }

    /// Reads from disk how far home is here; does nothing the second time.
    nonisolated func load() async throws {
        if !isLoaded { try await read() }
    }

    private func read() async throws {
        try await publishing.load()
        try await context.homeKinds.load()
        let kept = try await context.records.value(Horizon.key, in: Horizon.table).flatMap(Horizon.init(record:))
        let heard = try await context.records.records(in: CoverageHistory.table, prefix: "")
        let sent = try await context.records.records(in: InboundTally.table, prefix: "")
        guard !isLoaded else { return }
        inbound.load(sent)
        if let kept { horizon = kept }
        history = CoverageHistory(records: heard, now: context.time.now())
        shown.withLock { $0.isLoaded = true }
    }

    /// Gathers home and keeps it live until cancelled; what was heard until then is on disk when it returns.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followLive() }
            group.addTask { await self.route() }
            group.addTask { await self.gatherOwn() }
        }
        if isLoaded { await remember(isLast: true) }
    }

    /// Takes what asking for older notes has shown.
    ///
    /// It is no end when the plan has changed since: the relays that are new in it have not been asked.
    func setHorizon(_ horizon: Horizon, asked plan: ReadPlan) {
        var horizon = horizon
        if plan.relays != self.plan.relays { horizon.isEnd = false }
        self.horizon = horizon
    }

    /// Events that came for the home timeline count towards the coverage.
    func count(_ events: [Event], from relay: RelayURL) {
        history.count(ledger.receive(events, from: relay), from: relay)
    }

    func keep(_ events: [Event], from relay: RelayURL) async {
        if await gossip.keep(events, from: relay) { count(events, from: relay) }
    }

    /// Kinds that are kept up to date for followed people beside their notes.
    private var followedKinds: Set<Kind> { context.homeKinds.asked.union([0, 5, 10_002]) }

    /// Makes routes again when something changed or time has passed, and gathers what a new route can bring.
    func route() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await reroute()
                for relay in plan.relays.keys { ledger.forgetFailures(at: relay) }
                let window = await gatheringWindow()
                let open = unasked()
                if !open.isEmpty {
                    for (relay, authors) in open { ledger.ask(authors, of: relay) }
                    // Whoever is new may have written before what was the end without them.
                    horizon?.isEnd = false
                    group.addTask { await self.gather(open, window) }
                } else {
                    for part in await nextOfSweep() { group.addTask { await self.gatherBeside(part, window) } }
                    await remember()
                }
                await measureCompleteness()
                await gossip.routing.wait(atMost: untilNextLook, on: context.time.clock)
                // Lists arrive in bursts; one plan for all of them.
                await context.time.pause(for: context.configuration.coalescing)
            }
        }
    }

    /// A relay that rests for seconds is tried again when it has rested; all else is looked at regularly.
    private var untilNextLook: Duration {
        let regular = context.configuration.housekeeping
        guard let next = gossip.router.health.untilNextTry(now: context.time.now()) else { return regular }
        return min(max(next, .seconds(5)), regular)
    }

    /// Looks at the pool, makes the plan, and changes the standing subscription where the plan changed.
    func reroute() async {
        let now = context.time.now()
        await context.network.expect(history.lately(now))
        let statistics = await context.network.statistics()
        gossip.learnHealth { $0.observe(statistics, now: now) }
        // Whoever has not been looked up yet would be sought on indexers, in vain for most.
        let ready = gossip.readyAuthors
        let isRecent = planned.map { $0 + context.configuration.housekeeping > now } ?? false
        let planning = HomePlanning(
            router: gossip.router, history: history, draws: draws, authors: ready, current: plan, isRecent: isRecent,
            now: now)
        // Away from the actor, and below pages: for thousands of people it takes tens of milliseconds of a processor.
        let next = await inBackground { planning.plan() }
        plan = next.plan
        if next.isWhole { planned = now }
        if let open = standing.open { await open.change(to: standingRequests()) }
        context.changes.send(.connection)
    }

    /// Keeps the standing subscription and takes what it brings.
    func followLive() async {
        while !Task.isCancelled {
            // Events reach relays late; a relay passes on only what lies within the filter's dates.
            standing.since = context.time.now() - .seconds(3 * 3600)
            let subscription = await context.network.subscribe(standingRequests())
            standing.open = subscription
            for await update in subscription.updates { await receive(update) }
            standing.open = nil
            history.setLive(heardLive(), now: context.time.now())
            standing.passingOn = []
            await subscription.cancel()
            // It ends when cancelled, or when the pool goes away.
            await context.time.pause(for: .seconds(5))
        }
    }

    /// What stays open at which relay: followed people's notes, what mentions the account, its own lists.
    func standingRequests() -> [RelayURL: [Filter]] {
        let since = standing.since
        standing.authors.update(plan.relays.filter { !$0.value.isEmpty })
        var requests = standing.authors.requests(Filter(kinds: followedKinds, since: since))
        let mentions = mentions(since: since)
        let own = ownEvents(since: since)
        let read = Set(gossip.router.ownRead)
        for relay in gossip.router.homeBase(now: context.time.now()) {
            if read.contains(relay) { requests[relay, default: []].append(mentions) }
            requests[relay, default: []].append(own)
        }
        return requests
    }

    /// What names the account.
    func mentions(since: Timestamp?) -> Filter {
        Filter(kinds: NoteKinds.naming, tags: ["p": [context.publicKey.hex]], since: since)
    }

    /// Whether an event is one that ``mentions(since:)`` asks for.
    nonisolated func namesAccount(_ event: Event) -> Bool {
        NoteKinds.naming.contains(event.kind)
            && event.tags.contains { $0.name == "p" && $0.publicKey(at: 1) == context.publicKey }
    }

    /// What the account wrote, perhaps with another app.
    func ownEvents(since: Timestamp?) -> Filter {
        Filter(
            authors: [context.publicKey], kinds: Gossip.ownKinds.union(NoteKinds.counted).union([5]), since: since
        )
    }

    private func receive(_ update: LiveUpdate) async {
        switch update {
        case .events(let events, let relay):
            await keep(events, from: relay)
            if gossip.isOwn(relay) { inbound.receive(.notifications, events.filter(namesAccount), from: relay) }
        case .live(let relay):
            standing.passingOn.insert(relay)
            inbound.setLive(.notifications, at: relay, true, now: context.time.now())
            gossip.learnHealth { $0.cameBack(relay) }
            await publishing.relayIsBack(relay)
            if ledger.forgetFailures(at: relay) > 0 { gossip.routing.ring() }
            context.changes.send(.connection)
        case .interrupted(let relay, _):
            standing.passingOn.remove(relay)
            inbound.setLive(.notifications, at: relay, false, now: context.time.now())
            context.changes.send(.connection)
        }
    }
}
