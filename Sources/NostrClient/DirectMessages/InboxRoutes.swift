internal import AsyncPrimitives
package import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Where people receive gift wraps: their inbox lists (kind 10050), else where they read (NIP-65).
package struct InboxRoutes: Sendable {
    /// Relays of one recipient that get a wrap at most.
    private static let mostRelays = 5

    private let context: AccountContext
    private let gossip: Gossip

    init(_ context: AccountContext, gossip: Gossip) {
        self.context = context
        self.gossip = gossip
    }

    /// Where one person receives, and how that was found.
    package struct Route: Sendable {
        package var basis: RecipientReceipt.Basis
        package var relays: [RelayURL]

        static let unknown = Route(basis: .unknown, relays: [])
    }

    /// The relays the account's own wraps are read from: its inbox list, else where it reads.
    package var own: [RelayURL] {
        let router = gossip.router
        let listed = gossip.inbox.filter { !router.blocked.contains($0) }
        return Array((listed.isEmpty ? router.ownRead : listed).prefix(6))
    }

    /// Where people receive messages, as far as known here.
    package func routes(to people: [PublicKey]) async throws -> [PublicKey: Route] {
        let others = Set(people).subtracting([context.publicKey])
        let lists = try await context.store.query([Filter(authors: others, kinds: [.directMessageRelays])])
        try await gossip.learnRelayLists(of: others)
        let router = gossip.router
        var routes: [PublicKey: Route] = [:]
        for person in others {
            let list = lists.first { $0.pubkey == person }.flatMap(PublicList.init)
            let inbox = (list?.relays ?? []).filter(router.trusts)
            let read = (router.lists[person]?.read ?? []).filter(router.trusts)
            routes[person] =
                if !inbox.isEmpty {
                    Route(basis: .inbox, relays: Array(inbox.prefix(Self.mostRelays)))
                } else if !read.isEmpty {
                    Route(basis: .relayList, relays: Array(read.prefix(3)))
                } else {
                    .unknown
                }
        }
        if people.contains(context.publicKey) {
            routes[context.publicKey] = Route(basis: gossip.inbox.isEmpty ? .relayList : .inbox, relays: own)
        }
        return routes
    }

    /// Asks indexers, and the relays people write to, where those people receive messages.
    ///
    /// - Returns: whether any relay sent all that it holds.
    @discardableResult
    package func discover(_ people: Set<PublicKey>) async -> Bool {
        let now = context.time.now()
        let known = gossip.router
        if people.contains(where: { known.lists[$0] == nil }) { await gossip.discover(people) }
        let router = gossip.router
        var asked: [RelayURL: Set<PublicKey>] = [:]
        for person in people {
            let written = router.relays(about: person, limit: 3, now: now)
            for relay in Set(router.indexers + written) { asked[relay, default: []].insert(person) }
        }
        let requests = asked.mapValues { [Filter(authors: $0, kinds: [.directMessageRelays])] }
        var isCertain = false
        for update in await gossip.collect(requests, deadline: context.configuration.deadlines.discovery) {
            switch update {
            case .events(let events, let relay): await gossip.keep(events, from: relay)
            case .ended(_, let ending): isCertain = isCertain || ending == .complete
            }
        }
        if isCertain { for person in people { _ = gossip.shouldAsk(.inbox(person)) } }
        return isCertain
    }

    /// Whether it was found out lately where somebody receives.
    func wasAsked(about person: PublicKey) -> Bool { !gossip.allows(.inbox(person)) }
}
