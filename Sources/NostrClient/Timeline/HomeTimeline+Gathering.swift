internal import AsyncPrimitives
internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Gathers the notes of a start: from when on, for whom, and what is noted about it.
extension HomeTimeline {
    private static let homeAuthorsKey = "home-authors"

    /// What happened to the account while the program did not run: answers, reactions, and what other apps published.
    func gatherOwn() async {
        await gossip.ownDiscovered.wait()
        let now = context.time.now()
        let lastHeard = horizon?.until ?? now - .seconds(14 * 86_400)
        let since = max(lastHeard - .seconds(86_400), now - .seconds(30 * 86_400))
        var requests: [RelayURL: [Filter]] = [:]
        for relay in gossip.router.ownRead.prefix(3) { requests[relay, default: []].append(mentions(since: since)) }
        for relay in gossip.router.ownWrite.prefix(3) { requests[relay, default: []].append(ownEvents(since: since)) }
        await gossip.ask(requests, deadline: context.configuration.deadlines.discovery)
    }

    /// Asks relays for the window of some authors, and notes how each question ended.
    func gather(_ open: [RelayURL: Set<PublicKey>], _ window: GatheringWindow) async {
        var requests: [RelayURL: [Filter]] = [:]
        let kinds = context.configuration.homeKinds.union([5])
        for (relay, authors) in open {
            let known = authors.intersection(window.known)
            let new = authors.subtracting(known)
            let start = min(window.start, horizon?.since ?? window.start)
            requests[relay] =
                known.chunked(by: 200).map { Filter(authors: $0, kinds: kinds, since: window.resume) }
                + new.chunked(by: 200).map { Filter(authors: $0, kinds: kinds, since: start) }
        }
        await gossip.fetch(requests, deadline: context.configuration.deadlines.timeline) { update in
            switch update {
            case .events(let events, let relay): await self.keep(events, from: relay)
            case .ended(let relay, let ending): await self.ended(open[relay] ?? [], relay, ending)
            }
        }
        // A relay of which nothing was heard by now will not be heard of.
        for (relay, authors) in open where ledger.isOpen(authors, at: relay) { ended(authors, relay, .deadline) }
        for (relay, authors) in open where ledger.isComplete(authors, at: relay) { gathered.formUnion(authors) }
        let hasAnswer = open.contains { relay, authors in
            !authors.isDisjoint(with: gossip.followed) && ledger.isComplete(authors, at: relay)
        }
        if horizon == nil, hasAnswer {
            horizon = Horizon(since: window.start, until: context.time.now())
            context.changes.send(.timeline(.home))
        }
        // Where a relay failed another may do; the next plan knows.
        gossip.routing.ring()
    }

    /// The relays beside the plan whose turn it is.
    func nextOfSweep() -> [Sweep.Part] {
        let now = context.time.now()
        return sweep.next(gossip.router.beside(plan, now: now), &ledger, now: now)
    }

    /// Asks one relay beside the plan for what it holds of its authors.
    func gatherBeside(_ part: Sweep.Part, _ window: GatheringWindow) async {
        var window = window
        if let since = part.since {
            window.resume = max(since, window.start)
            window.known = part.known
        }
        await gather([part.relay: part.authors], window)
        sweep.ended(part.relay)
        gossip.routing.ring()
    }

    private func ended(_ authors: Set<PublicKey>, _ relay: RelayURL, _ ending: RelayEnding) {
        ledger.end(authors, of: relay, ending)
        let now = context.time.now()
        gossip.learnHealth { $0.questionEnded(ending, at: relay, now: now) }
    }

    /// The window of this run: fixed as soon as it is known whom the account follows.
    func gatheringWindow() async -> GatheringWindow {
        if let window { return window }
        let found = await startOfWindow()
        if !gossip.followed.isEmpty { window = found }
        return found
    }

    // A day of overlap: events arrive late and out of order, and relays were down.
    private func startOfWindow() async -> GatheringWindow {
        let now = context.time.now()
        let length = context.configuration.window(follows: gossip.followed.count)
        guard let horizon else {
            return GatheringWindow(known: [], resume: now - length, start: now - length)
        }
        let resume = max(min(horizon.until - .seconds(86_400), now - .seconds(86_400)), now - .seconds(30 * 86_400))
        if resume > horizon.until {
            // Away for so long that there is a hole: what lies behind it is asked for again on the way back.
            self.horizon = Horizon(since: resume, until: now)
        }
        let since = min(self.horizon?.since ?? resume, now - length)
        return GatheringWindow(
            known: await knownAuthors(), resume: resume, start: max(since, now - .seconds(30 * 86_400)))
    }

    private func knownAuthors() async -> Set<PublicKey> {
        do {
            let bytes = try await context.records.value(Self.homeAuthorsKey, in: Horizon.table) ?? []
            let keys = stride(from: 0, to: bytes.count - bytes.count % 32, by: 32).compactMap { start in
                // Slices of 32 bytes always make a key.
                let part = Array(bytes[start..<start + 32])
                return try? PublicKey(Bytes32(part.span))
            }
            return Set(keys)
        } catch {
            context.report("the horizon could not be read", error)
            return []
        }
    }

    /// Notes on disk up to when, and for whom, the home timeline is here.
    func rememberHorizon() async {
        // Offline, time passes without anything being heard.
        guard var horizon, !gathered.isEmpty,
            plan.relays.keys.contains(where: gossip.router.health.isConnected)
        else { return }
        horizon.until = context.time.now()
        self.horizon = horizon
        let keys = gathered.intersection(gossip.homeAuthors).sorted().flatMap(\.bytes.array)
        do {
            try await context.records.apply([
                .put(table: Horizon.table, key: Horizon.key, value: horizon.record),
                .put(table: Horizon.table, key: Self.homeAuthorsKey, value: keys),
            ])
            _ = try await context.store.dropExpired(now: context.time.now())
        } catch {
            context.report("the horizon could not be kept", error)
        }
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
