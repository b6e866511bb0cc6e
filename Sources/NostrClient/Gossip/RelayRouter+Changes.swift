public import NostrCore

extension RelayRouter {
    /// The plan for other authors than before, every connection of it kept, so that one follow more costs little.
    ///
    /// Who is new is read at those connected relays that the list names, and at others while connections are free. What
    /// that misses, the next whole plan finds; until then it is asked for beside the plan.
    ///
    /// - Returns: `nil` where only a whole plan will do: nothing changed but what is known, or a lot did, or a relay of
    ///   the plan cannot be read any more.
    public func changed(_ plan: ReadPlan, for authors: Set<PublicKey>, now: Timestamp) -> ReadPlan? {
        let gone = plan.assignments.keys.filter { !authors.contains($0) }
        let new = authors.filter { plan.assignments[$0] == nil }
        // With many new ones others may be the best: of a start lists come in bursts.
        let most = min(max(plan.assignments.count / 20, 1), 20)
        guard !plan.relays.isEmpty, 1...most ~= gone.count + new.count else { return nil }
        var search = CandidateSearch(self, now: now)
        guard plan.relays.keys.allSatisfy({ search.isUsable($0) }) else { return nil }
        var plan = plan
        for author in gone { plan.leaveOut(author) }
        let popular = plan.relays.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .prefix(CandidateSearch.mostPopular).map { PopularRelay(relay: $0.key, writers: $0.value.count) }
        for author in new.sorted() { add(author, to: &plan, popular, &search, now: now) }
        return plan
    }

    private func add(
        _ author: PublicKey, to plan: inout ReadPlan, _ popular: [PopularRelay], _ search: inout CandidateSearch,
        now: Timestamp
    ) {
        let found = search.candidates(for: author, popular: popular)
        var open = Set(plan.relays.keys).union(homeBase(now: now))
        let free = policy.connections - open.count { !health.isAway($0, now: now) }
        let closed = found.weighted.filter { !open.contains($0.relay) }
            .sorted { $0.weight * preference(for: $0.relay) > $1.weight * preference(for: $1.relay) }
            .prefix(max(free, 0)).map(\.relay)
        open.formUnion(closed)
        plan.assign(author, search.assignment(found, among: open))
        // On a relay that is connected everybody is read who names it.
        for other in closed.isEmpty ? [] : Array(plan.assignments.keys) where other != author {
            guard let list = lists[other]?.write, closed.contains(where: list.contains) else { continue }
            plan.assign(other, search.assignment(search.candidates(for: other, popular: popular), among: open))
        }
    }
}
