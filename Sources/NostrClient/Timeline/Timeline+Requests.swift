internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// Requests that a page waits for: older notes, a conversation, a search.
extension Timeline {
    /// So many times relays are asked for older answers to a note.
    private static let mostAnswerPages = 40

    /// Serves one request; returns what changes with its end.
    func perform(_ request: TimelineRequest) async -> AccountChange {
        switch request {
        case .older(let source):
            switch source {
            case .listed(let selection): await load(selection)
            case .trending(let choice): await load(choice)
            case .home, .author, .hashtag, .relays, .people, .topics: await loadOlder(source)
            }
            return .timeline(source)
        case .thread(let id, let hints):
            await loadThread(id, hints: hints)
            return .touched(id)
        case .search(let question):
            await loadSearch(question)
            return .search(question.key)
        case .address(let pointer):
            await loadAddress(pointer)
            return .search(pointer.address.description)
        }
    }

    /// Asks every relay of a timeline for its next older notes, and moves the horizon down.
    private func loadOlder(_ source: TimelineSource) async {
        let limit = source.isOfManyPeople ? 150 : 60
        let before = horizon(of: source)?.since
        var pattern = filter(of: source)
        pattern.until = before
        pattern.limit = limit
        let plan = home.plan
        let requests = await olderRequests(source, pattern, plan)
        let tally = Mutex(StretchTally(limit: limit))
        await gossip.fetch(requests, deadline: context.configuration.deadlines.timeline) { update in
            switch update {
            case .events(let events, let relay):
                tally.withLock { $0.count(events, from: relay) }
                guard await self.gossip.keep(events, from: relay) else { break }
                await self.browse(events, source)
                if source == .home { await self.home.count(events, from: relay) }
            case .ended(let relay, .complete): tally.withLock { $0.didComplete(relay) }
            case .ended(let relay, let ending): await self.noteQuestion(ending, of: relay, source)
            }
        }
        await moveHorizon(of: source, before, tally.withLock { $0 }, plan)
    }

    /// A relay that the person wants to read, and that shows nothing to strangers, is answered by the person.
    private func noteQuestion(_ ending: RelayEnding, of relay: RelayURL, _ source: TimelineSource) async {
        // Nobody asked for the relays of other timelines by name: they are not to learn who reads.
        guard case .relays = source, ending.wantsAuthentication else { return }
        await gossip.noteQuestion(.reading, at: relay)
    }

    /// What a relay would not show before is asked for when a feed of it is looked at next.
    func consentDidChange(for relay: RelayURL) {
        let reads: (TimelineSource) -> Bool = {
            if case .relays(let relays) = $0 { relays.contains(relay) } else { false }
        }
        horizons = horizons.filter { !reads($0.key) }
        let unasked = searches.filter { $0.value.relays.contains(SearchedRelay(relay, .notChosen)) }.map(\.key)
        for search in unasked { searches[search] = nil }
        let keys = Set(unasked.map(\.key))
        gossip.forgetQuestions { question in
            switch question {
            case .older(let source): reads(source)
            case .search(let key): keys.contains(key)
            default: false
            }
        }
    }

    func olderRequests(
        _ source: TimelineSource, _ pattern: Filter, _ plan: ReadPlan
    ) async -> [RelayURL: [Filter]] {
        let router = gossip.router
        let now = context.time.now()
        let relays: [RelayURL]
        switch source {
        case .home: return plan.requests(pattern)
        case .author(let key, _): relays = router.relays(about: key, limit: 4, now: now)
        case .people(let people): return await readPlan(for: people).requests(pattern)
        case .listed, .trending: return [:]
        case .hashtag, .topics:
            relays = Array((router.ownRead.prefix(4) + gossip.searchRelays.prefix(2) + plan.busiest(4)).prefix(8))
        case .relays(let chosen): relays = Array(chosen.sorted().prefix(TimelineSource.mostRelays))
        }
        return Dictionary(relays.map { ($0, [pattern]) }) { first, _ in first }
    }

    private func moveHorizon(
        of source: TimelineSource, _ before: Timestamp?, _ tally: StretchTally, _ plan: ReadPlan
    ) async {
        let now = context.time.now()
        guard !tally.complete.isEmpty else {
            // Nobody answered: what is on disk stays what is shown, and the next try waits a little.
            _ = gossip.shouldAsk(.older(source))
            return
        }
        var horizon = self.horizon(of: source) ?? Horizon(since: before ?? now, until: now)
        if let reach = tally.reach, before.map({ reach < $0 }) ?? true {
            horizon.since = reach
        } else if tally.reach != nil, let before {
            // A second that holds more than one page; stepping over it is better than standing still.
            horizon.since = before - .seconds(1)
        } else {
            horizon.isEnd = true
        }
        if source == .home { await home.setHorizon(horizon, asked: plan) } else { horizons[source] = horizon }
    }

    /// Finds a note, what it answers, and what answers it.
    private func loadThread(_ id: EventID, hints: [RelayURL]) async {
        let deadline = context.configuration.deadlines.thread
        var focus = await stored([id]).first
        if focus == nil {
            let router = gossip.router
            let general = hints.filter(router.trusts).prefix(4) + router.ownRead.prefix(3) + router.indexers.prefix(2)
            let busiest = home.plan.busiest(4)
            await gossip.ask(
                gossip.requests([Filter(ids: [id])], of: Array(general) + busiest), deadline: deadline)
            focus = await stored([id]).first
        }
        guard let focus else { return }
        let root = focus.above.root?.id ?? focus.above.parent?.id ?? id
        var filters = ThreadReader.answers(to: root.hex, limit: ThreadReader.asked)
        if root != id {
            filters += ThreadReader.answers(to: id.hex, limit: ThreadReader.asked)
            filters.append(Filter(ids: Set([root, focus.above.parent?.id].compactMap(\.self))))
        }
        if let address = focus.address?.asked {
            filters += ThreadReader.answers(toAddress: address, limit: ThreadReader.asked)
        } else if let address = focus.commentedAddress, address.asked != nil, address.filter.limit != nil {
            filters.append(address.filter)
        }
        await loadAnswers(gossip.requests(filters, of: threadRelays(focus, hints: hints)), to: id, deadline: deadline)
        await climb(from: focus, deadline: deadline)
    }

    /// Asks for all answers: a relay gives some hundred at once, the newest first, so it is asked for older ones then.
    private func loadAnswers(_ requests: [RelayURL: [Filter]], to id: EventID, deadline: Duration) async {
        var open = requests
        for _ in 0..<Self.mostAnswerPages where !open.isEmpty && !Task.isCancelled {
            let tally = Mutex(AnswerTally(open))
            await gossip.fetch(open, deadline: deadline) { update in
                guard case .events(let events, let relay) = update else { return }
                await self.gossip.keep(events, from: relay)
                tally.withLock { $0.count(events, from: relay) }
            }
            open = tally.withLock { $0.older }
            // What is here so far is shown meanwhile.
            if !open.isEmpty { context.changes.send(.touched(id)) }
        }
    }

    // Parents whose parents are not here: a few steps up, each with the hints of the note below.
    private func climb(from focus: Event, deadline: Duration) async {
        var current = focus
        var fetched = 0
        for _ in 0..<30 {
            guard let parent = current.above.parent, parent.id != current.id else { return }
            if let here = await stored([parent.id]).first {
                current = here
                continue
            }
            guard fetched < 4 else { return }
            fetched += 1
            let holders = await relays(for: parent, limit: 6)
            await gossip.ask(gossip.requests([Filter(ids: [parent.id])], of: holders), deadline: deadline)
            guard let found = await stored([parent.id]).first else { return }
            current = found
        }
    }

    /// Where a conversation is found: hints, where its people read, the account's own relays.
    private func threadRelays(_ focus: Event, hints: [RelayURL]) -> [RelayURL] {
        let router = gossip.router
        let now = context.time.now()
        let above = [focus.above.root, focus.above.parent].compactMap(\.self)
        var relays = hints + above.flatMap(\.relays)
        for author in [focus.pubkey] + above.compactMap(\.author) {
            relays += (router.lists[author]?.read ?? []).prefix(3)
            relays += router.relays(about: author, limit: 2, now: now)
        }
        relays += router.ownRead.prefix(3)
        return Array(relays.filter { router.isWorthAsking($0, now: now) }.uniqued().prefix(12))
    }

    /// Where one event may be found, by what points at it.
    func relays(for pointer: EventPointer, limit: Int) async -> [RelayURL] {
        let (router, plan) = (gossip.router, home.plan)
        let now = context.time.now()
        var relays = pointer.relays
        if let author = pointer.author { relays += router.relays(about: author, limit: 3, now: now) }
        relays += router.ownRead.prefix(2) + router.indexers.prefix(2) + plan.busiest(2)
        return Array(relays.filter { router.isWorthAsking($0, now: now) }.uniqued().prefix(limit))
    }

    /// Events of the store by id; none when the store cannot answer.
    func stored(_ ids: Set<EventID>) async -> [Event] {
        do {
            return try await context.store.query([Filter(ids: ids)])
        } catch {
            context.report("events could not be read from disk", error)
            return []
        }
    }
}

extension TimelineSource {
    /// Whether many people's notes are asked of each relay.
    fileprivate var isOfManyPeople: Bool {
        switch self {
        case .home, .people: true
        case .author, .hashtag, .topics, .relays, .listed, .trending: false
        }
    }
}

extension ReadPlan {
    /// The relays that serve most authors: connected anyway, and likely to hold what others talk about.
    func busiest(_ count: Int) -> [RelayURL] {
        let sorted = relays.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return sorted.prefix(count).map(\.key)
    }
}
