internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Feeds beside home: sets of people, lists of notes, topics; and which of them stay live.
extension Timeline {
    /// How often it is looked whether a feed is still open.
    private static let look: Duration = .seconds(60)
    /// Relays beside the plan of a set of people that one feed has open at most.
    private static let mostLiveRelays = 20

    // MARK: - People

    /// Which people are read from which relays; those of whom nothing is known are looked up first.
    func readPlan(for people: Set<PublicKey>) async -> ReadPlan {
        do {
            try await gossip.learnRelayLists(of: people)
        } catch {
            context.report("relay lists could not be read from disk", error)
        }
        let unknown = people.filter { !gossip.isLookedUp($0) && gossip.shouldAsk(.person($0)) }
        if !unknown.isEmpty { await gossip.discover(unknown) }
        return gossip.router.readPlan(for: people, now: context.time.now())
    }

    /// Those of the followed who wrote or liked something in the last minutes, the last first.
    public func activePeople(limit: Int) async throws -> [Person] {
        try await home.load()
        let now = context.time.now()
        let muted = await mutes.upToDate().people
        // As it stands: a set of thousands that somebody is taken out of is made anew, for each page.
        let followed = gossip.followed
        guard !followed.isEmpty else { return [] }
        if !active.isLoaded {
            let filter = Filter(
                authors: followed, kinds: ActivePeople.kinds, since: now - ActivePeople.span, limit: 1000)
            active.load(try await context.store.query([filter]))
        }
        let keys = active.current(among: followed, now: now)
            .filter { $0 != context.publicKey && !muted.contains($0) }.prefix(max(limit, 0))
        guard !keys.isEmpty else { return [] }
        let people = try await people.persons(Set(keys))
        return keys.compactMap { people[$0] }
    }

    // MARK: - Lists of notes

    /// A page of a list's notes, newest first.
    func page(of selection: NoteSelection, before cursor: TimelineCursor?, limit: Int) async throws -> TimelinePage {
        let mutes = await mutes.upToDate()
        let kinds = NoteKinds.timelines.union([1111])
        let all = try await context.store.query(selection.filters).filter { event in
            kinds.contains(event.kind) && event.isAfter(cursor) && !mutes.hides(event)
        }
        let events = Array(all.prefix(limit))
        return TimelinePage(
            notes: try await notes(for: events, mutes), next: events.count < all.count ? events.last?.cursor : nil,
            isLoadingOlder: requests.contains(.older(.listed(selection))))
    }

    /// Asks for what of a list is not here, and for newer versions of its articles.
    func load(_ selection: NoteSelection) async {
        let here = Set(await stored(Set(selection.events.map(\.id))).map(\.id))
        let missing = selection.events.filter { !here.contains($0.id) && gossip.shouldAsk(.event($0.id)) }
        let wanted = missing.map { ($0.id, (pointer: $0, neededBy: Set<EventID>())) }
        await fetch(Dictionary(wanted) { first, _ in first })
        await gossip.ask(
            for: selection.addresses, limit: 4, deadline: context.configuration.deadlines.thread)
        let now = context.time.now()
        var horizon = Horizon(since: now, until: now)
        horizon.isEnd = true
        horizons[.listed(selection)] = horizon
    }

    // MARK: - What is written while a feed is open

    /// Keeps the feeds live that somebody looks at, until cancelled.
    func followFeeds() async {
        while !Task.isCancelled {
            let open = feeds.current(now: context.time.now())
            if open.isEmpty {
                await feeds.bell.wait()
                continue
            }
            let subscription = await context.network.subscribe(await liveRequests(of: open))
            await withDiscardingTaskGroup { group in
                group.addTask { for await update in subscription.updates { await self.receive(update) } }
                await keep(open, in: subscription)
                group.cancelAll()
            }
            await subscription.cancel()
        }
    }

    /// Follows which feeds are open until none is.
    private func keep(_ opened: Set<TimelineSource>, in subscription: any LiveSubscription) async {
        var open = opened
        while !Task.isCancelled, !open.isEmpty {
            await feeds.bell.wait(atMost: Self.look, on: context.time.clock)
            let now = feeds.current(now: context.time.now())
            guard now != open else { continue }
            open = now
            if !open.isEmpty { await subscription.change(to: await liveRequests(of: open)) }
        }
    }

    private func liveRequests(of open: Set<TimelineSource>) async -> [RelayURL: [Filter]] {
        var requests: [RelayURL: [Filter]] = [:]
        for source in open {
            var pattern = filter(of: source)
            // Events reach relays late; what is older comes with the pages.
            pattern.since = context.time.now() - .seconds(600)
            let asked = await olderRequests(source, pattern, home.plan)
            for relay in asked.keys.sorted().prefix(Self.mostLiveRelays) {
                requests[relay, default: []] += asked[relay] ?? []
            }
        }
        return requests
    }

    private func receive(_ update: LiveUpdate) async {
        guard case .events(let events, let relay) = update, await gossip.keep(events, from: relay) else { return }
        let hidden = mutes.current
        for case .relays(let relays) in feeds.current(now: context.time.now()) where relays.contains(relay) {
            let kinds = NoteKinds.timelines
            let fresh = browse(events.filter { kinds.contains($0.kind) }, .relays(relays))
            for event in fresh where !hidden.hides(event) {
                context.changes.send(
                    .feedNote(
                        .relays(relays), event.id, createdAt: event.createdAt, reposts: Repost(event)?.target.id))
            }
        }
    }
}
