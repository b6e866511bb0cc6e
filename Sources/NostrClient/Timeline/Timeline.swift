internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Notes as pages show them: timelines, threads, searches.
///
/// Pages are answered from the store at once; what they lack is requested of relays by `run()` and shows itself
/// through the account's changes.
/// Most of its properties are services below it and what its readers share; each sort of request has a file, and all of
/// them go through the same queue of what is missing.
public actor Timeline {
    private static let mostRequestsAtOnce = 6
    /// How many replies a part of a thread has.
    static let repliesAtOnce = 200

    nonisolated let context: AccountContext
    nonisolated let gossip: Gossip
    nonisolated let people: People
    nonisolated let home: HomeTimeline
    nonisolated let mutes: MutesInForce
    private nonisolated let reader: NoteReader
    nonisolated let requests: PendingRequests<TimelineRequest>
    nonisolated let zaps: Zaps
    /// The feeds beside home that somebody looks at.
    nonisolated let feeds = OpenFeeds()
    /// The articles, films and streams that pages showed lately.
    nonisolated let addressesInView = AddressesInView()
    /// Who of the followed is there.
    nonisolated let active = ActivePeople()
    /// What much is made of, as counted or told last.
    var trending: [TrendingChoice: TrendingNotes] = [:]
    /// Rings when ``missing`` has something.
    nonisolated let missingBell = Doorbell()
    var missing = MissingParts()
    /// How far back relays were asked for each timeline but home.
    var horizons: [TimelineSource: Horizon] = [:]
    /// What relays that were browsed gave, each choice of relays for itself.
    private var browsed: [TimelineSource: BrowsedNotes] = [:]
    private static let mostBrowsed = 16
    /// What relays have said to searches.
    var searches: [SearchQuestion: SearchProgress] = [:]

    init(
        _ context: AccountContext, gossip: Gossip, people: People, mutes: MutesInForce, publishing: Publishing,
        home: HomeTimeline, zaps: Zaps, polls: Polls
    ) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.mutes = mutes
        self.home = home
        self.zaps = zaps
        reader = NoteReader(store: context.store, people: people, zaps: zaps, polls: polls) {
            await publishing.progress(of: $0)
        }
        requests = PendingRequests(context.changes)
    }

    /// Requests what pages lack until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.requests.serve(atMost: Self.mostRequestsAtOnce, self.perform) }
            group.addTask { await self.requestMissing() }
            group.addTask { await self.followFeeds() }
        }
    }

    /// A page of a timeline, newest first; asks the network for older ones when the store runs out.
    public func page(
        _ source: TimelineSource, before cursor: TimelineCursor?, limit: Int
    ) async throws -> TimelinePage {
        try await home.load()
        let limit = min(max(limit, 1), 200)
        if cursor == nil {
            refresh(source)
            feeds.look(at: source, now: context.time.now())
        }
        if case .listed(let selection) = source { return try await page(of: selection, before: cursor, limit: limit) }
        if case .trending(let choice) = source { return try await page(of: choice, limit: limit) }
        let horizon = horizon(of: source)
        let mayAsk = gossip.allows(.older(source))
        var pattern = filter(of: source)
        // Before relays have answered once, and while they do not answer, whatever is on disk is shown.
        if let horizon, !horizon.isEnd, mayAsk { pattern.since = horizon.since }
        let mutes = await mutes.upToDate()
        let passes = predicate(of: source, mutes)
        let (events, isExhausted) =
            if case .relays = source {
                try await (browsed[source] ?? BrowsedNotes())
                    .page(in: context.store, since: pattern.since, before: cursor, limit: limit, where: passes)
            } else {
                try await TimelineReader(store: context.store)
                    .page(
                        pattern, before: cursor, limit: limit, passesMost: Self.showsAnswers(source), where: passes)
            }
        let mayGoOn = isExhausted && horizon?.isEnd != true
        // Home is gathered from its window on first; only then is there something older to ask for.
        if mayGoOn, mayAsk, horizon != nil || source != .home { requests.add(.older(source)) }
        let followsNobody = source == .home && gossip.followed.isEmpty
        return TimelinePage(
            notes: try await notes(for: events, mutes),
            next: isExhausted && !mayGoOn ? nil : events.last?.cursor ?? cursor,
            isLoadingOlder: isGathering(source, horizon, followsNobody: followsNobody)
                || requests.contains(.older(source)), followsNobody: followsNobody)
    }

    /// Whether the first notes of home are still being gathered; where nobody is followed, whether that is being found out.
    private func isGathering(_ source: TimelineSource, _ horizon: Horizon?, followsNobody: Bool) -> Bool {
        guard source == .home, horizon == nil else { return false }
        return followsNobody ? !gossip.hasLookedForOwn : !(home.isPlanned && home.plan.relays.isEmpty)
    }

    /// One note with its ancestors and a part of its replies, from the store and then the network.
    public func thread(_ id: EventID, hints: [RelayURL], after reply: EventID?) async throws -> NoteThread {
        try await thread(id, hints: hints, after: reply, evenMuted: false)
    }

    /// The same; where the reader asked for it, with what is muted.
    public func thread(
        _ id: EventID, hints: [RelayURL], after reply: EventID?, evenMuted: Bool
    ) async throws -> NoteThread {
        try await gossip.load()
        if gossip.shouldAsk(.thread(id)) { requests.add(.thread(id, hints: hints)) }
        let events = try await ThreadReader(store: context.store).conversation(around: id)
        guard let focus = events.first(where: { $0.id == id }) else {
            return NoteThread(ancestors: [], focus: nil, replies: [], isLoading: isLoading(threadOf: id))
        }
        var mutes = await evenMuted ? Mutes() : self.mutes.upToDate()
        // A muted conversation that is opened is meant to be seen.
        mutes.threads.subtract([id, focus.above.root?.id, focus.above.parent?.id].compactMap(\.self))
        let conversation = Conversation(events)
        let all = conversation.replies(to: id)
        let start = reply.flatMap { last in all.firstIndex { $0.event.id == last } }.map { $0 + 1 } ?? 0
        let part = ThreadPart(
            focus: focus, ancestors: conversation.ancestors(of: id),
            replies: Array(all[start...].prefix(Self.repliesAtOnce)), mutes: mutes)
        var thread = part.thread(of: try await notes(for: part.shown, mutes))
        let end = start + part.replies.count
        thread.next = end < all.endIndex ? part.replies.last?.event.id : nil
        thread.isLoading = isLoading(threadOf: id)
        return thread
    }

    func isLoading(threadOf id: EventID) -> Bool {
        requests.contains { if case .thread(id, _) = $0 { true } else { false } }
    }

    /// Notes for events; what they lack is requested of relays.
    ///
    /// - Parameter mutes: what was not to be seen when the events were chosen; one page has one answer.
    func notes(for events: [Event], _ mutes: Mutes) async throws -> [Note] {
        guard !events.isEmpty else { return [] }
        var context = people.readingContext
        context.mutes = mutes
        let (notes, found) = try await reader.notes(for: events, context)
        people.request(found.people)
        addressesInView.show(found.addresses)
        var parts = found
        parts.events = found.events.filter { gossip.shouldAsk(.event($0.key)) }
        parts.places = found.places.filter { $0.key.asked != nil && gossip.shouldAsk(.address($0.key)) }
        parts.engagement = found.engagement.filter { gossip.shouldAsk(.engagement($0)) }
        if !parts.isEmpty {
            missing.merge(parts)
            missingBell.ring()
        }
        return notes
    }

    /// What the account does not want to see, now.
    func mutesNow() async -> Mutes { await mutes.upToDate() }

    // MARK: - How far back a timeline reaches

    func horizon(of source: TimelineSource) -> Horizon? {
        source == .home ? home.horizon : horizons[source]
    }

    /// Notes what came of a relay that is browsed; for other timelines the store knows all there is.
    ///
    /// - Returns: what had not come of it before.
    @discardableResult
    func browse(_ events: [Event], _ source: TimelineSource) -> [Event] {
        guard case .relays = source else { return [] }
        if browsed[source] == nil, browsed.count >= Self.mostBrowsed {
            // Asked again when it is looked at again.
            browsed = [:]
            horizons = horizons.filter { if case .relays = $0.key { false } else { true } }
        }
        return browsed[source, default: BrowsedNotes()].insert(events, now: context.time.now())
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
        case .home: Filter(authors: gossip.homeAuthors, kinds: context.homeKinds.current)
        case .author(let key, _): Filter(authors: [key], kinds: NoteKinds.timelines)
        case .hashtag(let tag): Filter(kinds: NoteKinds.topical, tags: ["t": [tag]])
        case .topics(let topics): Filter(kinds: NoteKinds.topical, tags: ["t": topics])
        case .people(let people): Filter(authors: people, kinds: context.homeKinds.current)
        case .relays, .listed, .trending: Filter(kinds: NoteKinds.timelines)
        }
    }

    /// Whether nothing but what is muted is left out of a timeline.
    private static func showsAnswers(_ source: TimelineSource) -> Bool {
        switch source {
        case .home, .author(_, replies: false), .people: false
        case .author, .hashtag, .topics, .relays, .listed, .trending: true
        }
    }

    /// Which of those events a person sees: answers stand in their threads, not on the home timeline.
    private func predicate(of source: TimelineSource, _ mutes: Mutes) -> @Sendable (Event) -> Bool {
        switch source {
        case .home, .author(_, replies: false), .people: { !$0.isReply && !mutes.hides($0) }
        case .author, .hashtag, .topics, .relays, .listed, .trending: { !mutes.hides($0) }
        }
    }
}
