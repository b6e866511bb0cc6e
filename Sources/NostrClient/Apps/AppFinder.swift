internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Finds apps for kinds that Linnet does not show (NIP-89): when an event is opened, never for those in a feed.
///
/// Anybody can say that a page of theirs opens a kind, so what people the account follows recommend or made comes first,
/// and of strangers' apps a few are left, each host once. Relays are asked what is recommended for a kind by anybody: they
/// are not told whom the account follows.
public final class AppFinder: AppOffering, Sendable {
    /// So many apps are offered at most, and so many of them that nobody followed recommends.
    static let most = 6, mostOfStrangers = 3
    private static let mostRecommendations = 200
    private static let mostHandlers = 100
    /// So many apps that are recommended are looked for.
    private static let mostNamed = 20
    private static let mostAtOnce = 2
    private static let ownRelays = 3, indexers = 2, busiest = 4

    /// What is asked of relays, and for which event.
    private struct Question: Hashable, Sendable {
        let kind: Kind
        let note: EventID
    }

    private let context: AccountContext
    private let gossip: Gossip
    private let people: People
    private let mutes: MutesInForce
    private let home: HomeTimeline
    private let questions: PendingRequests<Question>

    init(_ context: AccountContext, gossip: Gossip, people: People, mutes: MutesInForce, home: HomeTimeline) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.mutes = mutes
        self.home = home
        questions = PendingRequests(context.changes)
    }

    /// Asks for apps that pages lack, until cancelled.
    func run() async {
        await questions.serve(atMost: Self.mostAtOnce) { question in
            await self.ask(question.kind)
            return .touched(question.note)
        }
    }

    public func apps(opening id: EventID) async throws -> [AppOffer] {
        try await gossip.load()
        guard let event = try await context.store.query([Filter(ids: [id])]).first else { return [] }
        if gossip.shouldAsk(.apps(event.kind)) { questions.add(Question(kind: event.kind, note: id)) }
        let mutes = await mutes.upToDate()
        let recommended = try await recommended(for: event.kind, mutes)
        let trusted = trusted(mutes)
        let handlers = try await handlers(
            of: event.kind, named: recommended.keys.map(\.filter), trusted: trusted)
        let found = handlers.filter { !mutes.hides($0) }.compactMap { AppHandler($0) }
        let ranked = Self.ranked(found, opening: event, recommended: recommended, trusted: trusted)
        let persons = try await people.persons(Set(ranked.flatMap(\.people)))
        return ranked.map { app in
            AppOffer(name: app.name, page: app.page, people: app.people.map { persons[$0] ?? Person(key: $0) })
        }
    }

    private func trusted(_ mutes: Mutes) -> Set<PublicKey> { gossip.homeAuthors.subtracting(mutes.people) }

    /// Which apps people the account follows recommend, and who.
    private func recommended(for kind: Kind, _ mutes: Mutes) async throws -> [EventAddress: [PublicKey]] {
        let filter = Filter(
            authors: trusted(mutes), kinds: [AppRecommendation.kind], tags: ["d": ["\(kind.rawValue)"]],
            limit: Self.mostRecommendations)
        var found: [EventAddress: [PublicKey]] = [:]
        for recommendation in try await context.store.query([filter]).compactMap({ AppRecommendation($0) }) {
            for app in recommendation.apps where found.count < Self.mostNamed || found[app.address] != nil {
                found[app.address, default: []].append(recommendation.author)
            }
        }
        return found
    }

    /// What apps say of themselves that are recommended, or that claim a kind; those that trusted people made are looked
    /// for besides, as strangers may claim a kind as often as they like.
    private func handlers(of kind: Kind, named: [Filter], trusted: Set<PublicKey>) async throws -> [Event] {
        var claiming = Filter(
            kinds: [AppHandler.kind], tags: ["k": ["\(kind.rawValue)"]], limit: Self.mostHandlers)
        var filters = named + [claiming]
        claiming.authors = trusted
        filters.append(claiming)
        return try await context.store.query(filters)
    }

    // MARK: - Choosing

    /// An app that was chosen.
    struct Choice: Hashable, Sendable {
        let name: String
        let page: AppHandler.Page
        let people: [PublicKey]
    }

    /// The apps in the order in which they are offered: what most people recommend first, then by the name of its host.
    static func ranked(
        _ handlers: [AppHandler], opening event: Event, recommended: [EventAddress: [PublicKey]],
        trusted: Set<PublicKey>
    ) -> [Choice] {
        let codes = event.codes
        var choices = handlers.uniqued().compactMap { handler -> Choice? in
            guard handler.kinds.contains(event.kind), let page = handler.page(opening: codes) else { return nil }
            let maker = trusted.contains(handler.address.author) ? [handler.address.author] : []
            let people = (maker + (recommended[handler.address] ?? [])).uniqued()
            return Choice(name: handler.name ?? "", page: page, people: people)
        }
        choices.sort { a, b in
            (b.people.count, a.page.host, a.page.address) < (a.people.count, b.page.host, b.page.address)
        }
        var (hosts, strangers): (Set<String>, Int) = ([], 0)
        let shown = choices.filter { choice in
            guard hosts.insert(choice.page.host).inserted else { return false }
            if choice.people.isEmpty { strangers += 1 }
            return !choice.people.isEmpty || strangers <= mostOfStrangers
        }
        return Array(shown.prefix(most))
    }

    // MARK: - Asking

    /// Asks what is recommended for a kind and which apps claim it, then for recommended apps that are not here.
    private func ask(_ kind: Kind) async {
        let (router, now) = (gossip.router, context.time.now())
        // Where most of those write who are followed, their recommendations lie.
        let general = Array(router.ownRead.prefix(Self.ownRelays)) + router.indexers.prefix(Self.indexers)
        let relays = (general + home.plan.busiest(Self.busiest)).filter { router.isWorthAsking($0, now: now) }.uniqued()
        let number = "\(kind.rawValue)"
        let filters = [
            Filter(kinds: [AppRecommendation.kind], tags: ["d": [number]], limit: Self.mostRecommendations),
            Filter(kinds: [AppHandler.kind], tags: ["k": [number]], limit: Self.mostHandlers),
        ]
        let deadline = context.configuration.deadlines.thread
        await gossip.ask(gossip.requests(filters, of: relays), deadline: deadline)
        do {
            let named = try await recommended(for: kind, await mutes.upToDate())
            guard !named.isEmpty else { return }
            let stored = try await context.store.query(named.keys.map(\.filter))
            let here = Set(stored.compactMap(\.address))
            let lacking = named.keys.filter { !here.contains($0) && $0.asked != nil }
                .map { AddressPointer(address: $0) }
            if !lacking.isEmpty { await gossip.ask(for: lacking, limit: 3, deadline: deadline) }
        } catch {
            context.report("recommended apps could not be read from disk", error)
        }
    }
}

extension Event {
    /// Its codes (NIP-19), the best first: of what can change the address, then the event alone.
    fileprivate var codes: [String] {
        let address = address.map { NostrEntity.naddr(AddressPointer(address: $0)) }
        let entities = [address, .nevent(EventPointer(self)), .note(id)].compactMap(\.self)
        // An identifier may be too long for a code.
        return entities.compactMap { try? $0.encoded() }
    }
}
