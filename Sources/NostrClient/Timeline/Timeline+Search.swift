internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Searches: what is known here at once, and what relays find as they answer (NIP-50).
extension Timeline {
    /// So many relays are asked in a search over all that are listed, and in the usual one.
    private static let mostListed = 20, mostUsual = 4
    private static let mostSearches = 32
    private static let mostPeople = 12

    /// Searches notes and people, here and on search relays (NIP-50).
    public func search(
        _ question: SearchQuestion, before cursor: TimelineCursor?, limit: Int
    ) async throws -> SearchResult {
        try await gossip.load()
        if let only = try await page(naming: question) { return only }
        guard !question.isTooShort else {
            return SearchResult(people: [], notes: TimelinePage(notes: [], next: nil, isLoadingOlder: false))
        }
        if cursor == nil, question.scope != .here, gossip.shouldAsk(.search(question.key)) { begin(question) }
        let limit = min(max(limit, 1), 200)
        // Beside the notes: both go through much of the index.
        async let named = namedPeople(by: question, isFirst: cursor == nil)
        let (events, isExhausted) = try await found(question, before: cursor, limit: limit)
        let notes = try await notes(for: events, await mutes.upToDate())
        let page = TimelinePage(
            notes: notes, next: isExhausted ? nil : events.last?.cursor,
            isLoadingOlder: requests.contains(.search(question)))
        return SearchResult(people: try await named, notes: page, relays: searches[question]?.relays ?? [])
    }

    /// People whose names match, where they are looked for; they stand above the first notes.
    private nonisolated func namedPeople(by question: SearchQuestion, isFirst: Bool) async throws -> [Person] {
        guard isFirst, question.wantsPeople else { return [] }
        return try await people.matching(question.words, limit: Self.mostPeople)
    }

    /// What the index here and relays have found, newest first, and whether there is no more.
    private func found(
        _ question: SearchQuestion, before cursor: TimelineCursor?, limit: Int
    ) async throws -> (events: [Event], isExhausted: Bool) {
        guard let pattern = question.here else { return ([], true) }
        let mutes = await mutes.upToDate()
        let passes: @Sendable (Event) -> Bool = { pattern.matches($0) && !mutes.hides($0) }
        let here = try await TimelineReader(store: context.store)
            .page(pattern, before: cursor, limit: limit, passesMost: true, where: passes)
        let there = try await (searches[question]?.found ?? BrowsedNotes())
            .page(in: context.store, since: question.since, before: cursor, limit: limit, where: passes)
        var seen: Set<EventID> = []
        let all = (here.events + there.events).filter { seen.insert($0.id).inserted }
            .sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
        return (Array(all.prefix(limit)), here.isExhausted && there.isExhausted && all.count <= limit)
    }

    /// The event that a pasted code names, when it is here; else it is asked for.
    private func page(naming question: SearchQuestion) async throws -> SearchResult? {
        guard let named = question.named else { return nil }
        let stored: [Event]
        let isAsking: Bool
        if case .naddr(let pointer) = named {
            stored = try await context.storedVersion(at: pointer.address).map { [$0] } ?? []
            if stored.isEmpty, gossip.shouldAsk(.search(pointer.address.description)) {
                requests.add(.address(pointer))
            }
            isAsking = requests.contains(.address(pointer))
        } else {
            guard let pointer = named.event else { return nil }
            stored = try await context.store.query([Filter(ids: [pointer.id])])
            if stored.isEmpty, gossip.shouldAsk(.thread(pointer.id)) {
                requests.add(.thread(pointer.id, hints: pointer.relays))
            }
            isAsking = isLoading(threadOf: pointer.id)
        }
        let mutes = await mutes.upToDate()
        let notes = try await notes(for: stored.filter { !mutes.hides($0) }, mutes)
        return SearchResult(people: [], notes: TimelinePage(notes: notes, next: nil, isLoadingOlder: isAsking))
    }

    // MARK: - Asking relays

    private func begin(_ question: SearchQuestion) {
        if searches.count >= Self.mostSearches { searches = searches.filter { requests.contains(.search($0.key)) } }
        searches[question] = SearchProgress(relays(for: question))
        requests.add(.search(question))
    }

    /// Asks relays, and tells pages whenever one has found something.
    func loadSearch(_ question: SearchQuestion) async {
        let relays = relays(for: question)
        searches[question] = searches[question] ?? SearchProgress(relays)
        await gossip.fetch(
            gossip.requests(question.there, of: relays), deadline: context.configuration.deadlines.search
        ) { update in
            switch update {
            case .events(let events, let relay):
                guard await self.gossip.keep(events, from: relay) else { break }
                await self.note(events, of: question)
            case .ended(let relay, let ending):
                await self.end(relay, SearchedRelay.Standing(ending), of: question)
            }
        }
        searches[question]?.close()
    }

    private func note(_ events: [Event], of question: SearchQuestion) {
        searches[question]?.found.insert(events.filter { $0.kind != ProfileMetadata.kind }, now: context.time.now())
        context.changes.send(.search(question.key))
    }

    private func end(_ relay: RelayURL, _ standing: SearchedRelay.Standing, of question: SearchQuestion) {
        searches[question]?.end(relay, standing)
        context.changes.send(.search(question.key))
    }

    private func relays(for question: SearchQuestion) -> [RelayURL] {
        let router = gossip.router
        let relays: [RelayURL]
        switch question.scope {
        case .usual: relays = Array(gossip.searchRelays.prefix(Self.mostUsual))
        case .listed: relays = Array(gossip.searchRelays.prefix(Self.mostListed))
        case .here: relays = []
        // An address leads here as well as a form: a private network is reached only where the person chose the relay,
        // which is for the transport to know.
        case .relay(let relay): relays = router.blocked.contains(relay) || relay.isOnion ? [] : [relay]
        }
        // Words are found where they are indexed; whose notes they are, is known where the person writes too.
        guard let author = question.author, question.scope == .usual else { return relays }
        return (relays + router.relays(about: author, limit: 3, now: context.time.now())).uniqued()
    }

    /// Finds what stands at an address.
    func loadAddress(_ pointer: AddressPointer) async {
        await gossip.ask(for: [pointer], deadline: context.configuration.deadlines.thread)
    }
}

extension SearchedRelay.Standing {
    fileprivate init(_ ending: RelayEnding) {
        switch ending {
        case .complete: self = .answered
        case .failed(.privateAddress), .notAsked(.failedBefore(.privateAddress)): self = .notChosen
        case .deadline, .closed, .unauthenticated, .failed, .notAsked: self = .failed
        }
    }
}

extension TimelineReading {
    /// Searches for what a line of text says, in the usual way.
    public func search(_ text: String, before cursor: TimelineCursor?, limit: Int) async throws -> SearchResult {
        try await search(SearchQuestion(text), before: cursor, limit: limit)
    }
}
