internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrRelay

/// How the network stands, what each relay gave, and how complete the home timeline is.
public struct NetworkReports: Sendable {
    private let context: AccountContext
    private let gossip: Gossip
    private let people: People
    private let home: HomeTimeline
    private let ledger: InboundLedger
    private let waiting: @Sendable () async -> Int

    /// - Parameter waiting: how many events wait to be delivered.
    init(
        _ context: AccountContext, gossip: Gossip, people: People, home: HomeTimeline, inbound: InboundLedger,
        waiting: @escaping @Sendable () async -> Int
    ) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.home = home
        ledger = inbound
        self.waiting = waiting
    }

    /// Whether and how the network answers at all.
    public func connection() async -> ConnectionSummary {
        let statistics = await context.network.statistics()
        let wanted = Set(home.plan.relays.keys).union(gossip.router.ownRead)
        let connected = wanted.count { statistics[$0]?.state == .connected }
        let questions = gossip.consents.entries.count { $0.answer == nil }
        return ConnectionSummary(
            connected: connected, wanted: wanted.count, queued: await waiting(), questions: questions)
    }

    /// Every relay in use: health, whom it serves, what it gave.
    public func relays() async throws -> [RelayReport] {
        try await home.load()
        let statistics = await context.network.statistics()
        let router = gossip.router
        let known = Set(statistics.keys).union(home.plan.relays.keys).union(router.ownWrite).union(router.ownRead)
        return known.union(router.indexers).sorted().map { report(on: $0, statistics) }
    }

    /// One relay, whether it is in use or not.
    public func relay(_ relay: RelayURL) async throws -> RelayReport {
        try await home.load()
        return report(on: relay, await context.network.statistics())
    }

    private func report(on relay: RelayURL, _ statistics: [RelayURL: RelayStatistics]) -> RelayReport {
        var standing = statistics[relay] ?? RelayStatistics()
        // Also one that nothing ever connected to.
        if gossip.router.blocked.contains(relay) { standing.state = .blocked }
        return RelayReport(
            relay: relay, statistics: standing,
            authors: (home.plan.relays[relay] ?? []).intersection(gossip.followed).sorted(),
            isOwnRead: gossip.router.ownRead.contains(relay), isOwnWrite: gossip.router.ownWrite.contains(relay))
    }

    /// What a relay says of itself (NIP-11); `nil` where it says nothing within seconds.
    public func information(of relay: RelayURL) async -> RelayInformation? {
        await context.network.information(of: relay, deadline: .seconds(3))
    }

    /// What the relays where others reach the account gave of what was sent to it.
    public func inbound() async throws -> [InboundCoverage] {
        try await home.load()
        let now = context.time.now()
        return gossip.inbox.map { ledger.coverage(.messages, of: $0, now: now) }
            + gossip.router.ownRead.map { ledger.coverage(.notifications, of: $0, now: now) }
    }

    /// Per followed author: what was asked of which relays and what came.
    public func coverage() async throws -> [AuthorCoverage] {
        try await home.load()
        return try await coverage(of: gossip.follows)
    }

    /// What was asked for one followed author; `nil` for anybody else.
    public func coverage(of author: PublicKey) async throws -> AuthorCoverage? {
        try await home.load()
        guard gossip.followed.contains(author) else { return nil }
        return try await coverage(of: [author]).first
    }

    /// How complete home is, as it was counted last.
    public func completeness() async throws -> HomeCompleteness { home.completeness }

    private func coverage(of follows: [PublicKey]) async throws -> [AuthorCoverage] {
        let profiles = try await people.profiles(of: Set(follows))
        let (view, plan, ledger) = (people.readingContext, home.plan, await home.ledger)
        let history = await home.history
        return follows.map { author in
            let stretches = history.stretches(of: author)
            return AuthorCoverage(
                person: view.person(author, fields: profiles[author] ?? [:]),
                asked: ledger.asked(for: author), received: ledger.received(of: author),
                heardUntil: stretches.mapValues(\.until), heardSince: stretches.mapValues(\.since),
                basis: plan.assignments[author]?.basis ?? (view.lists[author] == nil ? .indexers : .relayList))
        }
    }
}
