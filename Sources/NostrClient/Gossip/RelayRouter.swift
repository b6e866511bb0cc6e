public import NostrCore
public import NostrNIPs

/// Where one person writes and reads.
///
/// Source: NIP-65.
public struct PersonRelays: Hashable, Sendable {
    /// Where the person publishes, in the order of the list.
    public var write: [RelayURL]
    /// Where the person wants to be told of mentions, in the order of the list.
    public var read: [RelayURL]

    /// A list as read from an event, in the order of its tags.
    public init(write: [RelayURL], read: [RelayURL]) {
        self.write = write
        self.read = read
    }
}

/// Decides which relays to ask for whom, and which to give an event to: the outbox model as a value.
///
/// Everything it knows is put in from outside; equal knowledge gives equal plans. Source: NIP-65.
public struct RelayRouter: Sendable {
    /// The limits.
    public var policy: RoutingPolicy
    /// Whose reading and writing is routed; its own relays come first.
    public let account: PublicKey
    /// Everybody's relay list, where known.
    public var lists: [PublicKey: PersonRelays] = [:]
    /// Where people without a list may be.
    public var hints = RelayHints()
    /// Relays never to contact (kind 10006).
    public var blocked: BlockedRelays = []
    /// How the relays have behaved.
    public var health = RelayHealth()
    /// What they gave of whom.
    public var measured = MeasuredDelivery()

    /// Starts with nothing known.
    public init(account: PublicKey, policy: RoutingPolicy) {
        self.account = account
        self.policy = policy
    }

    /// Own write relays, or the fallback when there is no list.
    public var ownWrite: [RelayURL] {
        own(lists[account]?.write)
    }

    /// Own read relays, or the fallback when there is no list.
    public var ownRead: [RelayURL] {
        own(lists[account]?.read)
    }

    /// The indexers that are not blocked.
    public var indexers: [RelayURL] {
        policy.indexers.filter { !blocked.contains($0) }
    }

    /// Whether a relay named by somebody else may be contacted at all.
    public func trusts(_ relay: RelayURL) -> Bool {
        guard permits(relay) else { return false }
        if policy.allowsPrivateRelays || !relay.isPrivate { return true }
        return isOwn(relay) || policy.names(relay)
    }

    /// Whether nothing but its being in a private network can speak against contact with a relay.
    ///
    /// Where the person is asked about those in private networks, these are wanted anyway: the sockets refuse each until
    /// it is allowed.
    package func permits(_ relay: RelayURL) -> Bool { !blocked.contains(relay) && !relay.isOnion }

    /// Routes reading: over at most ``RoutingPolicy/connections`` relays in all, every author at each of those that the
    /// author names.
    ///
    /// A greedy set cover: the relay that adds most is taken first, by what it is likely to give of those authors that
    /// the relays taken before are likely to miss, so that breadth comes before redundancy. A relay that was lost stays in
    /// the plan beside these, as it takes no connection while it is away, and its return is noticed that way.
    public func readPlan(for authors: Set<PublicKey>, now: Timestamp) -> ReadPlan {
        var search = CandidateSearch(self, now: now)
        let popular = search.popularRelays(among: authors)
        let away = Set(health.away(now: now).filter(trusts).prefix(policy.connections))
        var cover = RelayCover(connections: policy.connections)
        var candidates: [PublicKey: Candidates] = [:]
        for author in authors.sorted() {
            let found = search.candidates(for: author, popular: popular)
            candidates[author] = found
            cover.add(found.weighted.filter { !away.contains($0.relay) }, value: found.delivery.value)
        }
        let given = homeBase(now: now).filter { search.isUsable($0) && !away.contains($0) }
        let chosen = away.union(cover.solve(given: given, preference: preference))
        var plan = ReadPlan()
        for (author, found) in candidates { plan.assign(author, search.assignment(found, among: chosen)) }
        return plan
    }

    /// How much to prefer a relay: as it behaves, and the account's own a little more.
    func preference(for relay: RelayURL) -> Double { health.preference(for: relay) * (isOwn(relay) ? 1.2 : 1) }

    /// Relays that authors name and a plan has no connection for, with whom to ask there once in a while.
    ///
    /// The first six of each list; the long tail of longer ones adds sockets and no notes.
    func beside(_ plan: ReadPlan, now: Timestamp) -> [RelayURL: Set<PublicKey>] {
        // Thousands of people name the same few hundred relays; each is judged once.
        var search = CandidateSearch(self, now: now)
        var found: [RelayURL: Set<PublicKey>] = [:]
        for author in plan.assignments.keys {
            let list = author == account ? ownWrite : lists[author]?.write ?? []
            for relay in list.filter({ search.isUsable($0) }).oncePerEndpoint().prefix(6)
            where plan.relays[relay] == nil { found[relay, default: []].insert(author) }
        }
        return found
    }

    /// The relays that stay open for the account's own sake: where it is mentioned, where its own lists change.
    ///
    /// One's own relays stay among them while they are down, so that their return is noticed.
    public func homeBase(now: Timestamp) -> [RelayURL] {
        let indexer = indexers.first { !health.isUnreadable($0, now: now) }
        return (homeReaders + ownWrite.prefix(3) + [indexer].compactMap(\.self)).uniqued()
    }

    /// Where home hears what names the account.
    var homeReaders: [RelayURL] { Array(ownRead.prefix(3)) }

    /// Relays to ask for events of people that a plan does not name, best first: their lists, hints, then indexers.
    public func relays(about author: PublicKey, limit: Int, now: Timestamp) -> [RelayURL] {
        var search = CandidateSearch(self, now: now)
        return Array(search.candidates(for: author).relays.prefix(limit))
    }

    /// Relays to ask for what stands at an address, best first: those named with it, those of its author, the account's
    /// own, and indexers.
    public func relays(holding pointer: AddressPointer, limit: Int = 8, now: Timestamp) -> [RelayURL] {
        relays(holdingWorkOf: pointer.address.author, hints: pointer.relays, limit: limit, now: now)
    }

    /// Relays to ask for all that an author published under addresses, in the order of ``relays(holding:limit:now:)``.
    func relays(
        holdingWorkOf author: PublicKey, hints: [RelayURL], limit: Int = 8, now: Timestamp
    ) -> [RelayURL] {
        let named = hints.filter { isWorthAsking($0, now: now) }.prefix(4)
        let near = relays(about: author, limit: 3, now: now) + ownRead.prefix(2) + indexers.prefix(2)
        let likely = near.filter { isWorthAsking($0, now: now) }
        return Array((Array(named) + likely).uniqued().prefix(limit))
    }

    /// Whether a relay that somebody named may be asked and is likely to answer.
    func isWorthAsking(_ relay: RelayURL, now: Timestamp) -> Bool {
        trusts(relay) && !health.isUnreadable(relay, now: now)
    }

    /// Whether a relay can be read now; one that is away for a moment keeps its place.
    func isUsable(_ relay: RelayURL, now: Timestamp) -> Bool {
        trusts(relay) && (!health.isUnreadable(relay, now: now) || health.isAway(relay, now: now))
    }

    func isOwn(_ relay: RelayURL) -> Bool {
        lists[account].map { $0.write.contains(relay) || $0.read.contains(relay) } ?? policy.fallback.contains(relay)
    }

    private func own(_ list: [RelayURL]?) -> [RelayURL] {
        let usable = (list ?? []).filter { !blocked.contains($0) }
        return usable.isEmpty ? policy.fallback.filter { !blocked.contains($0) } : usable
    }
}

extension Sequence<RelayURL> {
    /// The relays in order, names of this machine's loopback addresses for the same port counted once.
    func oncePerEndpoint() -> [RelayURL] {
        var seen: Set<String> = []
        return filter { relay in
            let isLoopback = ["localhost", "127.0.0.1", "::1"].contains(relay.host)
            return !isLoopback || seen.insert("\(relay.isSecure) \(relay.port) \(relay.target)").inserted
        }
    }
}
