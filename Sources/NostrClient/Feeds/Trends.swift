internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Topics and people that much is made of: counted from the store, or told by a server that the person named.
public actor Trends: TrendReading {
    /// So many events are counted, the newest.
    private static let mostCounted = 5_000
    private static let mostTopics = 40
    private static let mostPeople = 30
    private static let mostRemembered = 24
    /// What was counted stays for so long.
    private static let kept: Duration = .seconds(60)
    /// What a server said stays longer: each question tells it that somebody looks.
    private static let keptFromServer: Duration = .seconds(600)
    /// Where nothing was counted, what relays gave meanwhile is looked at soon.
    private static let keptEmpty: Duration = .seconds(5)
    /// A server that did not answer is asked again after this long, then twice as long each time, up to
    /// ``keptFromServer``.
    private static let firstRest: Duration = .seconds(30)
    private static let mostDoublings = 5

    /// What was looked for, within how long, and where.
    private struct Question: Hashable {
        var span: TrendingChoice.Span
        var server: RelayURL?
    }

    private struct Remembered<Answer: Sendable>: Sendable {
        var answers: [Answer]
        var at: Timestamp
        /// How often the server was asked since it last answered.
        var failures = 0
    }

    private let context: AccountContext
    private let gossip: Gossip
    private let persons: People
    private let mutes: MutesInForce
    private var knownTopics: [Question: Remembered<TrendingTopic>] = [:]
    private var knownPeople: [Question: Remembered<PublicKey>] = [:]

    init(_ context: AccountContext, gossip: Gossip, people: People, mutes: MutesInForce) {
        self.context = context
        self.gossip = gossip
        persons = people
        self.mutes = mutes
    }

    public func topics(within span: TrendingChoice.Span, server: RelayURL?) async throws -> [TrendingTopic] {
        try await gossip.load()
        let mutes = await mutes.upToDate()
        let question = Question(span: span, server: server)
        if let known = knownTopics[question], isFresh(known, server) { return shown(known.answers, mutes) }
        let found: [TrendingTopic]? =
            if let server { await topics(from: server) } else { try await countTopics(span, mutes) }
        let known = remembered(found, after: knownTopics[question])
        if knownTopics.count >= Self.mostRemembered { knownTopics = [:] }
        knownTopics[question] = known
        return shown(known.answers, mutes)
    }

    public func people(within span: TrendingChoice.Span, server: RelayURL?) async throws -> [Person] {
        try await gossip.load()
        let mutes = await mutes.upToDate()
        let question = Question(span: span, server: server)
        if let known = knownPeople[question], isFresh(known, server) { return try await named(known.answers, mutes) }
        let found: [PublicKey]? =
            if let server { await people(from: server) } else { try await countPeople(span, mutes) }
        let known = remembered(found, after: knownPeople[question])
        if knownPeople.count >= Self.mostRemembered { knownPeople = [:] }
        knownPeople[question] = known
        return try await named(known.answers, mutes)
    }

    private func isFresh<Answer: Sendable>(_ known: Remembered<Answer>, _ server: RelayURL?) -> Bool {
        let span: Duration =
            if server == nil { known.answers.isEmpty ? Self.keptEmpty : Self.kept } else { rest(after: known.failures) }
        return known.at + span > context.time.now()
    }

    /// How long a server is not asked: what it said stays, and that there is nothing is an answer, too.
    private func rest(after failures: Int) -> Duration {
        guard failures > 0 else { return Self.keptFromServer }
        return min(Self.firstRest * (1 << min(failures - 1, Self.mostDoublings)), Self.keptFromServer)
    }

    /// What is remembered of what was found; where a server did not answer (`nil`), what it said before stays.
    private func remembered<Answer: Sendable>(
        _ found: [Answer]?, after known: Remembered<Answer>?
    ) -> Remembered<Answer> {
        let now = context.time.now()
        if let found { return Remembered(answers: found, at: now) }
        return Remembered(answers: known?.answers ?? [], at: now, failures: (known?.failures ?? 0) + 1)
    }

    /// What was muted since it was counted is not shown either.
    private func shown(_ topics: [TrendingTopic], _ mutes: Mutes) -> [TrendingTopic] {
        topics.filter { !mutes.hashtags.contains($0.name) && !mutes.hides(text: $0.name) }
    }

    private func named(_ keys: [PublicKey], _ mutes: Mutes) async throws -> [Person] {
        let shown = keys.filter { !mutes.people.contains($0) && $0 != context.publicKey }
        let known = try await persons.persons(Set(shown))
        return shown.map { known[$0] ?? Person(key: $0) }
    }

    // MARK: Counted here

    private func countTopics(_ span: TrendingChoice.Span, _ mutes: Mutes) async throws -> [TrendingTopic] {
        let notes = try await newest(NoteKinds.trending, within: span)
        return await rankedTopics(of: notes, mutes, most: Self.mostTopics)
    }

    private func countPeople(_ span: TrendingChoice.Span, _ mutes: Mutes) async throws -> [PublicKey] {
        let events = try await newest([Reaction.kind, Repost.noteKind, Repost.genericKind], within: span)
        return await rankedPeople(namedBy: events, mutes, most: Self.mostPeople)
    }

    private func newest(_ kinds: Set<Kind>, within span: TrendingChoice.Span) async throws -> [Event] {
        let now = context.time.now()
        let since = span.length.map { now - $0 }
        return try await context.store.query([
            Filter(kinds: kinds, since: since, until: now, limit: Self.mostCounted)
        ])
    }

    // MARK: Told by a server

    /// The topics of the list that a server gives out at `/hashtags/trending`, in its order; `nil` where it did not
    /// answer.
    private func topics(from server: RelayURL) async -> [TrendingTopic]? {
        let events = await answers(
            at: TrendingChoice(.reactions, .today, server: server).topicFeed,
            Filter(kinds: [.interestSets], limit: 4))
        guard let events else { return nil }
        var offered = OfferedTopics()
        for list in events.compactMap({ PublicList($0) }) { offered.add(list) }
        return offered.topics.map { TrendingTopic(name: $0) }
    }

    /// The people whose profiles a server gives out at `/users/upandcoming`, in its order; `nil` where it did not
    /// answer.
    private func people(from server: RelayURL) async -> [PublicKey]? {
        let filter = Filter(kinds: [ProfileMetadata.kind], limit: Self.mostPeople)
        let feed = TrendingChoice(.reactions, .today, server: server).peopleFeed
        guard let profiles = await answers(at: feed, filter, isKept: true) else { return nil }
        return Array(profiles.map(\.pubkey).uniqued().prefix(Self.mostPeople))
    }

    /// What a server gives out; `nil` where nothing came and it did not say that there is no more.
    private func answers(
        at feed: RelayURL?, _ filter: Filter, isKept: Bool = false
    ) async -> [Event]? {
        guard let feed else { return nil }
        let updates = await gossip.collect(
            gossip.requests([filter], of: [feed]), deadline: context.configuration.deadlines.search)
        var found: [Event] = []
        var isComplete = false
        for update in updates {
            switch update {
            case .events(let events, let relay):
                found += events
                if isKept { await gossip.keep(events, from: relay) }
            case .ended(_, let ending): isComplete = isComplete || ending == .complete
            }
        }
        return isComplete || !found.isEmpty ? found : nil
    }
}

/// Counts away from the actor, which pages wait for.
@concurrent
private func rankedTopics(of notes: [Event], _ mutes: Mutes, most: Int) async -> [TrendingTopic] {
    TrendTally(topicsOf: notes, mutes).ranked(most).map { TrendingTopic(name: $0.subject, people: $0.people) }
}

/// Counts away from the actor, which pages wait for.
@concurrent
private func rankedPeople(namedBy events: [Event], _ mutes: Mutes, most: Int) async -> [PublicKey] {
    TrendTally(authorsNamedBy: events, mutes).ranked(most).map(\.subject)
}
