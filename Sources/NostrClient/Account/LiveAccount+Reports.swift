internal import NostrCore
internal import NostrRelay
internal import NostrStore

extension LiveAccount {
    public func relays() async throws -> [RelayReport] {
        try await load()
        let statistics = await network.statistics()
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

    public func coverage() async throws -> [AuthorCoverage] {
        try await load()
        let context = await readingContext
        let profiles = try await people.profiles(of: followed, from: store)
        return follows.map { author in
            AuthorCoverage(
                person: context.person(author, fields: profiles[author] ?? [:]),
                asked: ledger.asked(for: author), received: ledger.received(of: author),
                basis: plan.assignments[author]?.basis ?? (router.lists[author] == nil ? .indexers : .relayList))
        }
    }
}
