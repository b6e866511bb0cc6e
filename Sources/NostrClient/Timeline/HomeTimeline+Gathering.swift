internal import AsyncPrimitives
internal import NostrCore
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// Gathers the notes of a start: from when on, for whom, and what is noted about it.
extension HomeTimeline {
    /// How often relays are asked to go on with what happened to the account.
    private static let mostOwnPages = 10

    /// What happened to the account while the program did not run: answers, reactions, and what other apps published.
    func gatherOwn() async {
        await gossip.ownWasLookedFor()
        let now = context.time.now()
        let lastHeard = horizon?.until ?? now - .seconds(14 * 86_400)
        let since = max(lastHeard - .seconds(86_400), now - .seconds(30 * 86_400))
        var requests: [RelayURL: [Filter]] = [:]
        let readers = gossip.router.homeReaders
        for relay in readers {
            requests[relay, default: []].append(mentions(since: since))
            inbound.ask(.notifications, of: relay)
            inbound.setLive(.notifications, at: relay, standing.passingOn.contains(relay), now: now)
        }
        for relay in gossip.router.ownWrite.prefix(3) { requests[relay, default: []].append(ownEvents(since: since)) }
        await askToTheEnd(requests, now: now)
        // A relay of which nothing was heard by now will not be heard of.
        for relay in readers { inbound.end(.notifications, at: relay, isComplete: false, now: now) }
        ownIsGathered.set(true)
    }

    /// Asks relays, and goes on asking those that gave a whole page for what is older: after weeks away there is more
    /// than a relay gives at once.
    private func askToTheEnd(_ requests: [RelayURL: [Filter]], now: Timestamp) async {
        var open = requests
        for _ in 0..<Self.mostOwnPages where !open.isEmpty && !Task.isCancelled {
            let tally = Mutex(AnswerTally(open))
            let deadline = context.configuration.deadlines.discovery
            await gossip.fetch(open, deadline: deadline) { [gossip, inbound] update in
                switch update {
                case .events(let events, let relay):
                    guard await gossip.keep(events, from: relay) else { return }
                    inbound.receive(.notifications, events.filter(self.namesAccount), from: relay)
                    tally.withLock { $0.count(events, from: relay) }
                case .ended(let relay, let ending):
                    inbound.end(.notifications, at: relay, isComplete: ending == .complete, now: now)
                }
            }
            open = tally.withLock { $0.older }
        }
    }

    /// Asks relays for the window of some authors, and notes how each question ended.
    ///
    /// - Parameter overlap: how far before what a relay was heard until; events reach relays late.
    func gather(
        _ open: [RelayURL: Set<PublicKey>], _ window: GatheringWindow, overlap: Duration = .seconds(86_400)
    ) async {
        let questions = Dictionary(
            uniqueKeysWithValues: open.map { relay, authors in
                (relay, starts(of: authors, at: relay, window, overlap))
            })
        let kinds = context.homeKinds.asked.union([5])
        let requests = questions.mapValues { parts in
            parts.sorted { $0.key > $1.key }.flatMap { since, authors in
                authors.chunked(by: 200).map { Filter(authors: $0, kinds: kinds, since: since) }
            }
        }
        await gossip.fetch(requests, deadline: context.configuration.deadlines.timeline) { update in
            switch update {
            case .events(let events, let relay): await self.keep(events, from: relay)
            case .ended(let relay, let ending): await self.ended(questions[relay] ?? [:], relay, ending)
            }
        }
        // A relay of which nothing was heard by now will not be heard of.
        for (relay, authors) in open where ledger.isOpen(authors, at: relay) {
            ended(questions[relay] ?? [:], relay, .deadline)
        }
        let hasAnswer = open.contains { relay, authors in
            !ledger.complete(authors.intersection(gossip.followed), at: relay).isEmpty
        }
        if horizon == nil, hasAnswer {
            horizon = Horizon(since: window.start, until: context.time.now())
            context.changes.send(.timeline(.home))
        }
        // Where a relay failed another may do; the next plan knows.
        gossip.routing.ring()
    }

    /// From when a relay is asked for each author: from where it was heard until, else for the whole window.
    private func starts(
        of authors: Set<PublicKey>, at relay: RelayURL, _ window: GatheringWindow, _ overlap: Duration
    ) -> [Timestamp: Set<PublicKey>] {
        let start = min(window.start, horizon?.since ?? window.start)
        var starts: [Timestamp: Set<PublicKey>] = [:]
        for author in authors {
            // By hours, so that those who were heard until about the same moment share a question.
            let since = history.until(author, at: relay).map { heard in
                Timestamp(seconds: (heard - overlap).seconds / 3600 * 3600)
            }
            starts[max(since ?? start, window.earliest), default: []].insert(author)
        }
        return starts
    }

    /// The relays beside the plan whose turn it is.
    func nextOfSweep() async -> [Sweep.Part] {
        let (router, plan, now) = (gossip.router, self.plan, context.time.now())
        // Everybody's list is looked through.
        let beside = await inBackground { router.beside(plan, now: now) }
        return sweep.next(beside, &ledger, now: now)
    }

    /// Of the plan's relays, and whom to ask there, what was not asked yet.
    ///
    /// Mostly nothing; as looking through thousands of people takes milliseconds, it is done only where something changed.
    func unasked() -> [RelayURL: Set<PublicKey>] {
        let relays = plan.relays
        if let allAsked, allAsked.forgotten == ledger.forgotten, allAsked.relays == relays { return [:] }
        let open = ledger.unasked(relays)
        allAsked = open.isEmpty ? (relays, ledger.forgotten) : nil
        return open
    }

    /// Asks one relay beside the plan for what it holds of its authors.
    func gatherBeside(_ part: Sweep.Part, _ window: GatheringWindow) async {
        await gather([part.relay: part.authors], window, overlap: .seconds(part.isAgain ? 3 * 3600 : 86_400))
        sweep.ended(part.relay)
        gossip.routing.ring()
    }

    private func ended(_ questions: [Timestamp: Set<PublicKey>], _ relay: RelayURL, _ ending: RelayEnding) {
        let now = context.time.now()
        for (since, authors) in questions {
            ledger.end(authors, of: relay, ending)
            guard ending == .complete else { continue }
            let came = ledger.received(of: authors, from: relay)
            history.complete(authors, at: relay, since: since, came: came, now: now)
        }
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
        let earliest = now - .seconds(30 * 86_400)
        guard let horizon else { return GatheringWindow(start: now - length, earliest: earliest) }
        let resume = max(min(horizon.until - .seconds(86_400), now - .seconds(86_400)), earliest)
        if resume > horizon.until {
            // Away for so long that there is a hole: what lies behind it is asked for again on the way back.
            self.horizon = Horizon(since: resume, until: now)
        }
        let since = min(self.horizon?.since ?? resume, now - length)
        return GatheringWindow(start: max(since, earliest), earliest: earliest)
    }

    /// Notes on disk until when home is here, what each relay gave of whom, and what the choice of relays learned.
    ///
    /// - Parameter isLast: whether the account closes: then what was only counted is written too.
    func remember(isLast: Bool = false) async {
        let now = context.time.now()
        history.setLive(heardLive(), now: now)
        var changes = history.changes(wanted: gossip.homeAuthors, now: now, isLast: isLast)
        changes += inbound.changes(now: now)
        changes += gossip.changesToKeep(now: now, isLast: isLast)
        // Offline, time passes without anything being heard.
        if var horizon, plan.relays.keys.contains(where: gossip.router.health.isConnected) {
            horizon.until = now
            self.horizon = horizon
            changes.append(.put(table: Horizon.table, key: Horizon.key, value: horizon.record))
        }
        guard !changes.isEmpty else { return }
        do {
            try await context.records.apply(changes)
            if !isLast { _ = try await context.store.dropExpired(now: now) }
        } catch {
            context.report("what relays gave could not be kept", error)
        }
    }

    /// Who is read live where: those of whom a relay gave everything before, and passes on what comes.
    func heardLive() -> [RelayURL: Set<PublicKey>] {
        let passingOn = standing.passingOn
        return standing.reading.update(plan.relays.filter { passingOn.contains($0.key) }, ledger)
    }
}

/// From when notes are gathered at a start.
struct GatheringWindow: Sendable {
    /// From when to gather of those of whom a relay gave nothing yet.
    var start: Timestamp
    /// Nothing older is asked for, however long a relay was not heard.
    var earliest: Timestamp
}
