internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// The home timeline: which relays serve it, what is asked of them at the start, and what stays open.
extension LiveAccount {
    private static let homeAuthorsKey = "home-authors"

    /// Kinds that are kept up to date for followed people beside their notes.
    private var followedKinds: Set<Kind> { configuration.homeKinds.union([0, 5, 10_002]) }

    /// What happened to the account while the program did not run: answers, reactions, and what other apps published.
    func gatherOwn() async {
        await gossip.ownDiscovered.wait()
        let now = time.now()
        let lastHeard = horizons[.home]?.until ?? now - .seconds(14 * 86_400)
        let since = max(lastHeard - .seconds(86_400), now - .seconds(30 * 86_400))
        var requests: [RelayURL: [Filter]] = [:]
        for relay in router.ownRead.prefix(3) { requests[relay, default: []].append(mentions(since: since)) }
        for relay in router.ownWrite.prefix(3) { requests[relay, default: []].append(ownEvents(since: since)) }
        await ask(requests, deadline: configuration.deadlines.discovery)
    }

    /// Makes routes again when something changed or time has passed, and gathers what a new route can bring.
    func route() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await reroute()
                for relay in plan.relays.keys { ledger.forgetFailures(at: relay) }
                let window = await gatheringWindow()
                let open = ledger.unasked(plan)
                if !open.isEmpty {
                    for (relay, authors) in open { ledger.ask(authors, of: relay) }
                    // Whoever is new may have written before what was the end without them.
                    horizons[.home]?.isEnd = false
                    group.addTask { await self.gather(open, window) }
                } else {
                    await rememberHorizon()
                }
                await gossip.routing.wait(atMost: configuration.housekeeping, time)
                // Lists arrive in bursts; one plan for all of them.
                await time.pause(configuration.coalescing)
            }
        }
    }

    /// Looks at the pool, makes the plan, and changes the standing subscription where the plan changed.
    func reroute() async {
        let now = time.now()
        let statistics = await network.statistics()
        gossip.learnHealth { $0.observe(statistics, now: now) }
        // Whoever has not been looked up yet would be sought on indexers, in vain for most.
        let ready = homeAuthors.filter(gossip.isLookedUp)
        plan = router.readPlan(for: ready, now: now)
        await network.block(router.blocked)
        if let since = liveSince, since + .seconds(6 * 3600) < now { liveSince = now - .seconds(120) }
        await live?.change(to: standingRequests())
        feed.send(.connection)
    }

    /// Keeps the standing subscription and takes what it brings.
    func followLive() async {
        while !Task.isCancelled {
            liveSince = time.now() - .seconds(120)
            let subscription = await network.subscribe(standingRequests())
            live = subscription
            for await update in subscription.updates { await take(update) }
            live = nil
            await subscription.cancel()
            // It ends when cancelled, or when the pool goes away.
            await time.pause(.seconds(5))
        }
    }

    /// What stays open at which relay: followed people's notes, what mentions oneself, one's own lists.
    func standingRequests() -> [RelayURL: [Filter]] {
        let since = liveSince
        var requests = plan.requests(Filter(kinds: followedKinds, since: since))
        let mentions = mentions(since: since)
        let own = ownEvents(since: since)
        let read = Set(router.ownRead)
        for relay in router.homeBase(now: time.now()) {
            if read.contains(relay) { requests[relay, default: []].append(mentions) }
            requests[relay, default: []].append(own)
        }
        return requests
    }

    /// What names oneself.
    func mentions(since: Timestamp?) -> Filter {
        Filter(kinds: NoteReader.countedKinds, tags: ["p": [publicKey.hex]], since: since)
    }

    /// What one wrote, perhaps with another app.
    func ownEvents(since: Timestamp?) -> Filter {
        Filter(authors: [publicKey], kinds: Gossip.ownKinds.union(NoteReader.countedKinds).union([5]), since: since)
    }

    private func take(_ update: LiveUpdate) async {
        switch update {
        case .events(let events, let relay): await ingestHome(events, from: relay)
        case .live(let relay):
            gossip.learnHealth { $0.cameBack(relay) }
            await publishing.relayIsBack(relay)
            if ledger.forgetFailures(at: relay) > 0 { gossip.routing.ring() }
            feed.send(.connection)
        case .interrupted: feed.send(.connection)
        }
    }

    /// Asks relays for the window of some authors, and notes how each question ended.
    private func gather(_ open: [RelayURL: Set<PublicKey>], _ window: GatheringWindow) async {
        var requests: [RelayURL: [Filter]] = [:]
        let kinds = configuration.homeKinds.union([5])
        for (relay, authors) in open {
            let known = authors.intersection(window.known)
            let new = authors.subtracting(known)
            let start = min(window.start, horizons[.home]?.since ?? window.start)
            requests[relay] =
                known.chunked(by: 200).map { Filter(authors: $0, kinds: kinds, since: window.resume) }
                + new.chunked(by: 200).map { Filter(authors: $0, kinds: kinds, since: start) }
        }
        await fetch(requests, deadline: configuration.deadlines.timeline) { update in
            switch update {
            case .events(let events, let relay): await self.ingestHome(events, from: relay)
            case .ended(let relay, let ending): await self.ended(open[relay] ?? [], relay, ending)
            }
        }
        // A relay of which nothing was heard by now will not be heard of.
        for (relay, authors) in open where ledger.isOpen(authors, at: relay) { ended(authors, relay, .deadline) }
        for (relay, authors) in open where ledger.isComplete(authors, at: relay) { gathered.formUnion(authors) }
        let hasAnswer = open.contains { relay, authors in
            !authors.isDisjoint(with: followed) && ledger.isComplete(authors, at: relay)
        }
        if horizons[.home] == nil, hasAnswer {
            horizons[.home] = Horizon(since: window.start, until: time.now())
            feed.send(.timeline(.home))
        }
        // Where a relay failed another may do; the next plan knows.
        gossip.routing.ring()
    }

    private func ended(_ authors: Set<PublicKey>, _ relay: RelayURL, _ ending: RelayEnding) {
        ledger.end(authors, of: relay, ending)
        let now = time.now()
        gossip.learnHealth { $0.questionEnded(ending, at: relay, now: now) }
    }
}

/// From when notes are gathered at a start.
struct GatheringWindow: Sendable {
    /// People whose notes are here up to some moment.
    var known: Set<PublicKey>
    /// From when to go on for those.
    var resume: Timestamp
    /// From when to gather for everybody else.
    var start: Timestamp
}

extension LiveAccount {
    /// The window of this run: fixed as soon as it is known whom one follows.
    private func gatheringWindow() async -> GatheringWindow {
        if let window { return window }
        let found = await startOfWindow()
        if !followed.isEmpty { window = found }
        return found
    }

    // A day of overlap: events arrive late and out of order, and relays were down.
    private func startOfWindow() async -> GatheringWindow {
        let now = time.now()
        let length = configuration.window(follows: followed.count)
        guard let horizon = horizons[.home] else {
            return GatheringWindow(known: [], resume: now - length, start: now - length)
        }
        let resume = max(min(horizon.until - .seconds(86_400), now - .seconds(86_400)), now - .seconds(30 * 86_400))
        if resume > horizon.until {
            // Away for so long that there is a hole: what lies behind it is asked for again on the way back.
            horizons[.home] = Horizon(since: resume, until: now)
        }
        let since = min(horizons[.home]?.since ?? resume, now - length)
        return GatheringWindow(
            known: await knownAuthors(), resume: resume, start: max(since, now - .seconds(30 * 86_400)))
    }

    private func knownAuthors() async -> Set<PublicKey> {
        do {
            let bytes = try await records.value(Self.homeAuthorsKey, in: Horizon.table) ?? []
            let keys = stride(from: 0, to: bytes.count - bytes.count % 32, by: 32).compactMap { start in
                // Slices of 32 bytes always make a key.
                let part = Array(bytes[start..<start + 32])
                return try? PublicKey(Bytes32(part.span))
            }
            return Set(keys)
        } catch {
            report("the horizon could not be read", error)
            return []
        }
    }

    /// Notes on disk up to when, and for whom, the home timeline is here.
    private func rememberHorizon() async {
        // Offline, time passes without anything being heard.
        guard var horizon = horizons[.home], !gathered.isEmpty,
            plan.relays.keys.contains(where: router.health.isConnected)
        else { return }
        horizon.until = time.now()
        horizons[.home] = horizon
        let keys = gathered.intersection(homeAuthors).sorted().flatMap(\.bytes.array)
        do {
            try await records.apply([
                .put(table: Horizon.table, key: Horizon.key, value: horizon.record),
                .put(table: Horizon.table, key: Self.homeAuthorsKey, value: keys),
            ])
            _ = try await store.dropExpired(now: time.now())
        } catch {
            report("the horizon could not be kept", error)
        }
    }
}
