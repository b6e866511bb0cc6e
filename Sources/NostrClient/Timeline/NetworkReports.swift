internal import NostrCore
internal import NostrRelay

/// How the network stands, what each relay gave, and how complete the home timeline is.
public struct NetworkReports: Sendable {
    private let context: AccountContext
    private let gossip: Gossip
    private let people: People
    private let home: HomeTimeline
    private let waiting: @Sendable () async -> Int

    /// - Parameter waiting: how many events wait to be delivered.
    init(
        _ context: AccountContext, gossip: Gossip, people: People, home: HomeTimeline,
        waiting: @escaping @Sendable () async -> Int
    ) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.home = home
        self.waiting = waiting
    }

    /// Whether and how the network answers at all.
    public func connection() async -> ConnectionSummary {
        let statistics = await context.network.statistics()
        let wanted = Set(home.plan.relays.keys).union(gossip.router.ownRead)
        let connected = wanted.count { statistics[$0]?.state == .connected }
        return ConnectionSummary(connected: connected, wanted: wanted.count, queued: await waiting())
    }

    /// Every relay in use: health, whom it serves, what it gave.
    public func relays() async throws -> [RelayReport] {
        try await home.load()
        let statistics = await context.network.statistics()
        let (router, plan, followed) = (gossip.router, home.plan, gossip.followed)
        let write = Set(router.ownWrite)
        let read = Set(router.ownRead)
        let known = Set(statistics.keys).union(plan.relays.keys).union(write).union(read).union(router.indexers)
        return known.sorted().map { relay in
            RelayReport(
                relay: relay, statistics: statistics[relay] ?? RelayStatistics(),
                authors: (plan.relays[relay] ?? []).intersection(followed).sorted(),
                isOwnRead: read.contains(relay), isOwnWrite: write.contains(relay))
        }
    }

    /// Per followed author: what was asked of which relays and what came.
    public func coverage() async throws -> [AuthorCoverage] {
        try await home.load()
        let follows = gossip.follows
        let profiles = try await people.profiles(of: Set(follows))
        let (view, plan, ledger) = (people.readingContext, home.plan, await home.ledger)
        let history = await home.history
        return follows.map { author in
            AuthorCoverage(
                person: view.person(author, fields: profiles[author] ?? [:]),
                asked: ledger.asked(for: author), received: ledger.received(of: author),
                heardUntil: history.stretches(of: author).mapValues(\.until),
                basis: plan.assignments[author]?.basis ?? (view.lists[author] == nil ? .indexers : .relayList))
        }
    }
}
