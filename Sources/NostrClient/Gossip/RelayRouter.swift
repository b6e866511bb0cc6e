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
        if blocked.contains(relay) || relay.isOnion { return false }
        if policy.allowsPrivateRelays || !relay.isPrivate { return true }
        return isOwn(relay) || policy.names(relay)
    }

    /// Routes reading: over at most ``RoutingPolicy/connections`` relays in all, every author at each of those that the
    /// author names.
    ///
    /// A greedy set cover: the relay that adds most is taken first, by what it is likely to give of those authors that
    /// the relays taken before are likely to miss, so that breadth comes before redundancy. A relay that was lost stays in
    /// the plan beside these, as it takes no connection while it is away, and its return is noticed that way.
    public func readPlan(for authors: Set<PublicKey>, now: Timestamp) -> ReadPlan {
        var cover = RelayCover(connections: policy.connections)
        var candidates: [PublicKey: Candidates] = [:]
        let popular = popularRelays(among: authors, now: now)
        let away = Set(health.away(now: now).filter(trusts).prefix(policy.connections))
        for author in authors.sorted() {
            let found = self.candidates(for: author, popular: popular, now: now)
            candidates[author] = found
            cover.add(weighted(found, for: author).filter { !away.contains($0.relay) })
        }
        let given = homeBase(now: now).filter { usable($0, now: now) && !away.contains($0) }
        let chosen = away.union(
            cover.solve(given: given) { health.preference(for: $0) * (isOwn($0) ? 1.2 : 1) })
        var plan = ReadPlan()
        for author in authors {
            let found = candidates[author] ?? Candidates(relays: [], listed: [], hinted: [])
            let usable = found.relays.filter(chosen.contains)
            plan.assign(author, assignment(usable, of: found))
        }
        return plan
    }

    /// Relays that authors name and a plan has no connection for, with whom to ask there once in a while.
    ///
    /// The first six of each list; the long tail of longer ones adds sockets and no notes.
    func beside(_ plan: ReadPlan, now: Timestamp) -> [RelayURL: Set<PublicKey>] {
        var found: [RelayURL: Set<PublicKey>] = [:]
        for author in plan.assignments.keys {
            let list = author == account ? ownWrite : lists[author]?.write ?? []
            for relay in list.filter({ usable($0, now: now) }).oncePerEndpoint().prefix(6)
            where plan.relays[relay] == nil { found[relay, default: []].insert(author) }
        }
        return found
    }

    /// The relays that stay open for the account's own sake: where it is mentioned, where its own lists change.
    ///
    /// One's own relays stay among them while they are down, so that their return is noticed.
    public func homeBase(now: Timestamp) -> [RelayURL] {
        let indexer = indexers.first { !health.isUnreadable($0, now: now) }
        return (Array(ownRead.prefix(3)) + ownWrite.prefix(3) + [indexer].compactMap(\.self)).uniqued()
    }

    /// Relays to ask for events of people that a plan does not name, best first: their lists, hints, then indexers.
    public func relays(about author: PublicKey, limit: Int, now: Timestamp) -> [RelayURL] {
        Array(candidates(for: author, now: now).relays.prefix(limit))
    }

    func isOwn(_ relay: RelayURL) -> Bool {
        lists[account].map { $0.write.contains(relay) || $0.read.contains(relay) } ?? policy.fallback.contains(relay)
    }

    private func own(_ list: [RelayURL]?) -> [RelayURL] {
        let usable = (list ?? []).filter { !blocked.contains($0) }
        return usable.isEmpty ? policy.fallback.filter { !blocked.contains($0) } : usable
    }
}

// MARK: - Candidates

extension RelayRouter {
    struct Candidates {
        var relays: [RelayURL]
        var listed: Set<RelayURL>
        var hinted: Set<RelayURL>

        /// What an author lists comes first, then what was hinted.
        func rank(_ relay: RelayURL) -> Int {
            listed.contains(relay) ? 2 : hinted.contains(relay) ? 1 : 0
        }
    }

    /// What an author lists promises most, what was hinted less, an indexer least; what came counts for more.
    private func weighted(_ found: Candidates, for author: PublicKey) -> [RelayCover.Candidate] {
        found.relays.map { relay in
            let promise = found.listed.contains(relay) ? 1 : found.hinted.contains(relay) ? 0.6 : 0.3
            return RelayCover.Candidate(
                relay: relay, weight: measured.share(of: author, at: relay, promise: promise))
        }
    }

    /// The relays most of these authors write to; those without a list are likely to write there too.
    private func popularRelays(among authors: Set<PublicKey>, now: Timestamp) -> [RelayURL] {
        var counts: [RelayURL: Int] = [:]
        for author in authors {
            for relay in Set(lists[author]?.write.prefix(12) ?? []) { counts[relay, default: 0] += 1 }
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.lazy.map(\.key)
        return Array(sorted.filter { usable($0, now: now) }.prefix(4))
    }

    /// Where an author may be read: the living relays of the list; where there are none, hints, popular relays and
    /// indexers.
    private func candidates(for author: PublicKey, popular: [RelayURL] = [], now: Timestamp) -> Candidates {
        let list = author == account ? ownWrite : lists[author]?.write ?? []
        // Some lists name hundreds of relays; those after the first dozen add nothing but sockets.
        var relays = Array(list.filter { usable($0, now: now) }.oncePerEndpoint().prefix(12))
        var hinted: Set<RelayURL> = []
        if relays.isEmpty {
            relays = hints.relays(of: author).filter { usable($0, now: now) && !indexers.contains($0) }
            relays = Array(relays.prefix(3))
            hinted = Set(relays)
            relays += indexers.filter { usable($0, now: now) }
            relays = (relays + popular).uniqued()
        }
        if relays.isEmpty {
            // Nothing living is known: a resting relay of the list is better than nobody.
            relays = Array(list.filter(trusts).prefix(3)) + indexers.prefix(2)
        }
        return Candidates(relays: relays, listed: Set(list), hinted: hinted)
    }

    /// Whether a relay can be read now; one that is away for a moment keeps its place.
    private func usable(_ relay: RelayURL, now: Timestamp) -> Bool {
        trusts(relay) && (!health.isUnreadable(relay, now: now) || health.isAway(relay, now: now))
    }

    private func assignment(_ usable: [RelayURL], of found: Candidates) -> ReadPlan.Assignment {
        let best = usable.enumerated().sorted { a, b in
            (found.rank(a.element), health.preference(for: a.element), -a.offset)
                > (found.rank(b.element), health.preference(for: b.element), -b.offset)
        }
        let relays = best.map(\.element)
        let basis: AuthorCoverage.Basis =
            if relays.contains(where: found.listed.contains) {
                .relayList
            } else if relays.contains(where: found.hinted.contains) {
                .hints
            } else {
                found.listed.isEmpty || !relays.isEmpty ? .indexers : .relayList
            }
        return ReadPlan.Assignment(relays: relays, basis: basis)
    }
}

extension Sequence<RelayURL> {
    /// The relays in order, names of this machine's loopback addresses for the same port counted once.
    fileprivate func oncePerEndpoint() -> [RelayURL] {
        var seen: Set<String> = []
        return filter { relay in
            let isLoopback = ["localhost", "127.0.0.1", "::1"].contains(relay.host)
            return !isLoopback || seen.insert("\(relay.isSecure) \(relay.port) \(relay.target)").inserted
        }
    }
}
