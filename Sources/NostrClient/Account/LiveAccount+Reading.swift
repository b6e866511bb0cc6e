public import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

extension LiveAccount {
    public func timeline(
        _ source: TimelineSource, before cursor: TimelineCursor?, limit: Int
    ) async throws -> TimelinePage {
        try await load()
        let limit = min(max(limit, 1), 200)
        if cursor == nil { refresh(source) }
        let horizon = horizons[source]
        let mayAsk = gossip.allows(.older(source))
        var pattern = filter(of: source)
        // Before relays have answered once, and while they do not answer, whatever is on disk is shown.
        if let horizon, !horizon.isEnd, mayAsk { pattern.since = horizon.since }
        let (events, isExhausted) = try await TimelineReader(store: store)
            .page(pattern, before: cursor, limit: limit, where: predicate(of: source, await mutes()))
        let mayGoOn = isExhausted && horizon?.isEnd != true
        let job = DemandBoard.Job.older(source)
        // Home is gathered from its window on first; only then is there something older to ask for.
        if mayGoOn, mayAsk, horizon != nil || source != .home { demands.demand(job) }
        let isGathering = source == .home && horizon == nil && !plan.relays.isEmpty
        return TimelinePage(
            notes: try await hydrated(events), next: isExhausted && !mayGoOn ? nil : events.last?.cursor ?? cursor,
            isLoadingOlder: demands.isPending(job) || isGathering)
    }

    // Timelines other than home are not live: looking at one again after a while asks again from the newest.
    private func refresh(_ source: TimelineSource) {
        guard source != .home else { return }
        let now = time.now()
        if let horizon = horizons[source], horizon.until + .seconds(300) > now { return }
        horizons[source] = nil
        if gossip.allows(.older(source)) { demands.demand(.older(source)) }
    }

    public func thread(_ id: EventID, hints: [RelayURL]) async throws -> NoteThread {
        try await load()
        if gossip.shouldAsk(.thread(id)) { demands.demand(.thread(id, hints: hints)) }
        let events = try await ThreadReader(store: store).conversation(around: id)
        guard let focus = events.first(where: { $0.id == id }) else {
            return NoteThread(ancestors: [], focus: nil, replies: [], isLoading: demands.isPending(threadOf: id))
        }
        var mutes = await mutes()
        // Whoever opens a muted conversation wants to see it.
        mutes.threads.subtract([id, focus.above.root?.id, focus.above.parent?.id].compactMap(\.self))
        let conversation = Conversation(events.filter { $0.id == id || !mutes.hides($0) })
        let ancestors = conversation.ancestors(of: id)
        let replies = conversation.replies(to: id, limit: 500)
        let found = try await hydrated(ancestors + [focus] + replies.map(\.event))
        let notes = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let answers = replies.compactMap { reply in
            notes[reply.event.id].map { NoteThread.Reply(note: $0, depth: reply.depth) }
        }
        return NoteThread(
            ancestors: ancestors.compactMap { notes[$0.id] }, focus: notes[id], replies: answers,
            isLoading: demands.isPending(threadOf: id))
    }

    public func person(_ key: PublicKey) async throws -> Person {
        try await load()
        if gossip.shouldAsk(.person(key)) { demands.demand(.person(key)) }
        try await learnRelayLists(of: [key])
        await readOwnLists()
        var person = try await noteReader.person(key, await readingContext)
        let list = try await store.query([Filter(authors: [key], kinds: [FollowList.kind], limit: 1)]).first
        person.followingCount = list.flatMap(FollowList.init)?.keys.count
        return person
    }

    public func people(matching text: String, limit: Int) async throws -> [Person] {
        try await load()
        await readOwnLists()
        return try await PeopleFinder(store: store, people: people)
            .people(matching: text, limit: min(max(limit, 1), 100), await readingContext)
    }

    public func search(_ text: String, before cursor: TimelineCursor?, limit: Int) async throws -> SearchResult {
        try await load()
        let words = SearchQuery(text).words
        guard !words.isEmpty else {
            return SearchResult(people: [], notes: TimelinePage(notes: [], next: nil, isLoadingOlder: false))
        }
        if let named = try await page(naming: words) { return named }
        let job = DemandBoard.Job.search(words)
        if cursor == nil, gossip.shouldAsk(.search(words)) { demands.demand(job) }
        let limit = min(max(limit, 1), 200)
        let mutes = await mutes()
        let unmuted: @Sendable (Event) -> Bool = { !mutes.hides($0) }
        let (events, isExhausted) = try await TimelineReader(store: store).page(
            Filter(kinds: [1, 1111, 30_023], search: words), before: cursor, limit: limit, where: unmuted)
        let notes = try await hydrated(events)
        let found = cursor == nil ? try await people(matching: words, limit: 12) : []
        let page = TimelinePage(
            notes: notes, next: isExhausted ? nil : events.last?.cursor, isLoadingOlder: demands.isPending(job))
        return SearchResult(people: found, notes: page)
    }

    /// The note that a pasted `note` or `nevent` names, when it is here; else it is asked for.
    private func page(naming text: String) async throws -> SearchResult? {
        let code = text.lowercased().hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
        // Whatever does not decode is words.
        guard let pointer = (try? NostrEntity(code))?.event else { return nil }
        let notes = try await hydrated(try await store.query([Filter(ids: [pointer.id])]))
        let job = DemandBoard.Job.thread(pointer.id, hints: pointer.relays)
        if notes.isEmpty, gossip.shouldAsk(.thread(pointer.id)) { demands.demand(job) }
        let page = TimelinePage(notes: notes, next: nil, isLoadingOlder: demands.isPending(threadOf: pointer.id))
        return SearchResult(people: [], notes: page)
    }

    public func connection() async -> ConnectionSummary {
        let statistics = await network.statistics()
        let wanted = Set(plan.relays.keys).union(router.ownRead)
        let connected = wanted.count { statistics[$0]?.state == .connected }
        return ConnectionSummary(
            connected: connected, wanted: wanted.count, queued: await publishing.waiting + mail.outbox.waiting)
    }

    var noteReader: NoteReader { NoteReader(store: store, people: people) }

    /// Notes for events; what they lack is demanded of relays.
    private func hydrated(_ events: [Event]) async throws -> [Note] {
        guard !events.isEmpty else { return [] }
        let (notes, missing) = try await noteReader.notes(for: events, await readingContext)
        demandParts(missing)
        return notes
    }

    private func demandParts(_ missing: DemandBoard.Parts) {
        var asked = missing
        asked.people = missing.people.filter { gossip.shouldAsk(.person($0)) }
        asked.events = missing.events.filter { gossip.shouldAsk(.event($0.key)) }
        asked.engagement = missing.engagement.filter { gossip.shouldAsk(.engagement($0)) }
        demands.demand(asked)
    }

    /// What a timeline is made of, without moments and limits.
    func filter(of source: TimelineSource) -> Filter {
        switch source {
        case .home: Filter(authors: homeAuthors, kinds: configuration.homeKinds)
        case .author(let key, _): Filter(authors: [key], kinds: [1, 6, 16, 30_023])
        case .hashtag(let tag): Filter(kinds: [1, 30_023], tags: ["t": [tag]])
        }
    }

    /// Which of those events a person sees: answers stand in their threads, not on the home timeline.
    func predicate(of source: TimelineSource, _ mutes: Mutes) -> @Sendable (Event) -> Bool {
        switch source {
        case .home, .author(_, replies: false): { !$0.isReply && !mutes.hides($0) }
        case .author, .hashtag: { !mutes.hides($0) }
        }
    }
}
