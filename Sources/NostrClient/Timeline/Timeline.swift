internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Notes as pages show them: timelines, threads, searches.
///
/// Pages are answered from the store at once; what they lack is requested of relays by `run()` and shows itself
/// through the account's changes.
public actor Timeline {
    private static let mostRequestsAtOnce = 6
    /// How many replies a part of a thread has.
    static let repliesAtOnce = 200

    nonisolated let context: AccountContext
    nonisolated let gossip: Gossip
    nonisolated let people: People
    nonisolated let home: HomeTimeline
    private nonisolated let mutes: MutesInForce
    private nonisolated let reader: NoteReader
    nonisolated let requests: PendingRequests<TimelineRequest>
    /// Rings when ``missing`` has something.
    nonisolated let missingBell = Doorbell()
    var missing = MissingParts()
    /// How far back relays were asked for each timeline but home.
    var horizons: [TimelineSource: Horizon] = [:]
    /// What relays that were browsed gave, each choice of relays for itself.
    private var browsed: [TimelineSource: BrowsedNotes] = [:]
    private static let mostBrowsed = 16

    init(
        _ context: AccountContext, gossip: Gossip, people: People, mutes: MutesInForce, publishing: Publishing,
        home: HomeTimeline, zaps: Zaps
    ) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.mutes = mutes
        self.home = home
        reader = NoteReader(store: context.store, people: people, zaps: zaps) { await publishing.progress(of: $0) }
        requests = PendingRequests(context.changes)
    }

    /// Requests what pages lack until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.requests.serve(atMost: Self.mostRequestsAtOnce, self.perform) }
            group.addTask { await self.requestMissing() }
        }
    }

    /// A page of a timeline, newest first; asks the network for older ones when the store runs out.
    public func page(
        _ source: TimelineSource, before cursor: TimelineCursor?, limit: Int
    ) async throws -> TimelinePage {
        try await home.load()
        let limit = min(max(limit, 1), 200)
        if cursor == nil { refresh(source) }
        let horizon = horizon(of: source)
        let mayAsk = gossip.allows(.older(source))
        var pattern = filter(of: source)
        // Before relays have answered once, and while they do not answer, whatever is on disk is shown.
        if let horizon, !horizon.isEnd, mayAsk { pattern.since = horizon.since }
        let passes = predicate(of: source, await mutes.upToDate())
        let (events, isExhausted) =
            if case .relays = source {
                try await (browsed[source] ?? BrowsedNotes())
                    .page(in: context.store, since: pattern.since, before: cursor, limit: limit, where: passes)
            } else {
                try await TimelineReader(store: context.store)
                    .page(pattern, before: cursor, limit: limit, where: passes)
            }
        let mayGoOn = isExhausted && horizon?.isEnd != true
        // Home is gathered from its window on first; only then is there something older to ask for.
        if mayGoOn, mayAsk, horizon != nil || source != .home { requests.add(.older(source)) }
        let followsNobody = source == .home && gossip.followed.isEmpty
        return TimelinePage(
            notes: try await notes(for: events), next: isExhausted && !mayGoOn ? nil : events.last?.cursor ?? cursor,
            isLoadingOlder: isGathering(source, horizon, followsNobody: followsNobody)
                || requests.contains(.older(source)), followsNobody: followsNobody)
    }

    /// Whether the first notes of home are still being gathered; where nobody is followed, whether that is being found out.
    private func isGathering(_ source: TimelineSource, _ horizon: Horizon?, followsNobody: Bool) -> Bool {
        guard source == .home, horizon == nil else { return false }
        return followsNobody ? !gossip.hasLookedForOwn : !home.plan.relays.isEmpty
    }

    /// One note with its ancestors and a part of its replies, from the store and then the network.
    public func thread(_ id: EventID, hints: [RelayURL], after reply: EventID?) async throws -> NoteThread {
        try await gossip.load()
        if gossip.shouldAsk(.thread(id)) { requests.add(.thread(id, hints: hints)) }
        let events = try await ThreadReader(store: context.store).conversation(around: id)
        guard let focus = events.first(where: { $0.id == id }) else {
            return NoteThread(ancestors: [], focus: nil, replies: [], isLoading: isLoading(threadOf: id))
        }
        var mutes = await mutes.upToDate()
        // A muted conversation that is opened is meant to be seen.
        mutes.threads.subtract([id, focus.above.root?.id, focus.above.parent?.id].compactMap(\.self))
        let conversation = Conversation(events.filter { $0.id == id || !mutes.hides($0) })
        let ancestors = conversation.ancestors(of: id)
        let all = conversation.replies(to: id)
        let start = reply.flatMap { last in all.firstIndex { $0.event.id == last } }.map { $0 + 1 } ?? 0
        let replies = all[start...].prefix(Self.repliesAtOnce)
        let found = try await self.notes(for: ancestors + [focus] + replies.map(\.event))
        let notes = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let answers = replies.compactMap { reply in
            notes[reply.event.id].map { NoteThread.Reply(note: $0, depth: reply.depth) }
        }
        return NoteThread(
            ancestors: ancestors.compactMap { notes[$0.id] }, focus: notes[id], replies: answers,
            next: replies.endIndex < all.endIndex ? replies.last?.event.id : nil,
            isLoading: isLoading(threadOf: id))
    }

    /// Searches notes and people, here and on search relays (NIP-50).
    public func search(_ text: String, before cursor: TimelineCursor?, limit: Int) async throws -> SearchResult {
        try await gossip.load()
        let words = SearchQuery(text).words
        guard !words.isEmpty else {
            return SearchResult(people: [], notes: TimelinePage(notes: [], next: nil, isLoadingOlder: false))
        }
        if let named = try await page(naming: words) { return named }
        if cursor == nil, gossip.shouldAsk(.search(words)) { requests.add(.search(words)) }
        let limit = min(max(limit, 1), 200)
        let mutes = await mutes.upToDate()
        let unmuted: @Sendable (Event) -> Bool = { !mutes.hides($0) }
        let (events, isExhausted) = try await TimelineReader(store: context.store).page(
            Filter(kinds: [1, 1111, 30_023], search: words), before: cursor, limit: limit, where: unmuted)
        let notes = try await notes(for: events)
        let found = cursor == nil ? try await people.matching(words, limit: 12) : []
        let page = TimelinePage(
            notes: notes, next: isExhausted ? nil : events.last?.cursor,
            isLoadingOlder: requests.contains(.search(words)))
        return SearchResult(people: found, notes: page)
    }

    /// The note that a pasted `note` or `nevent` names, when it is here; else it is asked for.
    private func page(naming text: String) async throws -> SearchResult? {
        let code = text.lowercased().hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
        // Whatever does not decode is words.
        guard let pointer = (try? NostrEntity(code))?.event else { return nil }
        let notes = try await notes(for: try await context.store.query([Filter(ids: [pointer.id])]))
        if notes.isEmpty, gossip.shouldAsk(.thread(pointer.id)) {
            requests.add(.thread(pointer.id, hints: pointer.relays))
        }
        let page = TimelinePage(notes: notes, next: nil, isLoadingOlder: isLoading(threadOf: pointer.id))
        return SearchResult(people: [], notes: page)
    }

    private func isLoading(threadOf id: EventID) -> Bool {
        requests.contains { if case .thread(id, _) = $0 { true } else { false } }
    }

    /// Notes for events; what they lack is requested of relays.
    private func notes(for events: [Event]) async throws -> [Note] {
        guard !events.isEmpty else { return [] }
        let (notes, found) = try await reader.notes(for: events, people.readingContext)
        people.request(found.people)
        var parts = found
        parts.events = found.events.filter { gossip.shouldAsk(.event($0.key)) }
        parts.engagement = found.engagement.filter { gossip.shouldAsk(.engagement($0)) }
        if !parts.isEmpty {
            missing.merge(parts)
            missingBell.ring()
        }
        return notes
    }

    // MARK: - How far back a timeline reaches

    func horizon(of source: TimelineSource) -> Horizon? {
        source == .home ? home.horizon : horizons[source]
    }

    /// Notes what came of a relay that is browsed; for other timelines the store knows all there is.
    func browse(_ events: [Event], _ source: TimelineSource) {
        guard case .relays = source else { return }
        if browsed[source] == nil, browsed.count >= Self.mostBrowsed {
            // Asked again when it is looked at again.
            browsed = [:]
            horizons = horizons.filter { if case .relays = $0.key { false } else { true } }
        }
        browsed[source, default: BrowsedNotes()].insert(events, now: context.time.now())
    }

    // Timelines other than home are not live: looking at one again after a while asks again from the newest.
    private func refresh(_ source: TimelineSource) {
        guard source != .home else { return }
        if let horizon = horizons[source], horizon.until + .seconds(300) > context.time.now() { return }
        horizons[source] = nil
        if gossip.allows(.older(source)) { requests.add(.older(source)) }
    }

    // MARK: - What a timeline is made of

    /// The filter of a timeline, without moments and limits.
    nonisolated func filter(of source: TimelineSource) -> Filter {
        switch source {
        case .home: Filter(authors: gossip.homeAuthors, kinds: context.configuration.homeKinds)
        case .author(let key, _): Filter(authors: [key], kinds: [1, 6, 16, 30_023])
        case .hashtag(let tag): Filter(kinds: [1, 30_023], tags: ["t": [tag]])
        case .relays: Filter(kinds: [1, 6, 16, 30_023])
        }
    }

    /// Which of those events a person sees: answers stand in their threads, not on the home timeline.
    private func predicate(of source: TimelineSource, _ mutes: Mutes) -> @Sendable (Event) -> Bool {
        switch source {
        case .home, .author(_, replies: false): { !$0.isReply && !mutes.hides($0) }
        case .author, .hashtag, .relays: { !mutes.hides($0) }
        }
    }
}
