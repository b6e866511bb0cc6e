internal import NostrCore

/// Commits of our own, and races.
///
/// Source: MIP-03.
extension Convergence {
    // MARK: - Our own, until it is on a relay

    mutating func made(_ own: OwnCommitFacts, now: Timestamp) -> [ConvergenceEffect] {
        guard canCommit, own.epoch == state.epoch else { return [.clearPending(own.commit.id), .redo(own.commit.id)] }
        state.own.append(OwnPending(facts: own, due: now + limits.answer))
        state.renewal.proposedAt = nil
        return [.publish(own.commit.id)] + dropOldestOverdue()
    }

    mutating func accepted(_ id: EventID, now: Timestamp) -> [ConvergenceEffect] {
        guard let index = index(of: id), state.own[index].phase != .onRelay else { return [] }
        state.own[index].isAccepted = true
        guard state.own[index].phase == .publishing else { return [] }
        return fetch(index, state.own[index].attempt, now: now)
    }

    mutating func rejected(_ id: EventID) -> [ConvergenceEffect] {
        guard let index = index(of: id), state.own[index].phase == .publishing else { return [] }
        // After an attempt without an answer, a relay may have it all the same.
        guard state.own[index].attempt == 1 else { return giveUp(index, .commitNotAccepted) }
        state.own.remove(at: index)
        return [.clearPending(id), .notice(.commitRefused)]
    }

    mutating func notFound(_ id: EventID, now: Timestamp) -> [ConvergenceEffect] {
        guard let index = index(of: id), state.own[index].phase == .fetching else { return [] }
        let own = state.own[index]
        if !own.isAccepted, !mayPublish(own, now: now) {
            // It never left, and is too old to leave now.
            state.own.remove(at: index)
            return [.clearPending(id), .redo(id)]
        }
        guard own.attempt < limits.attempts else { return giveUp(index, .commitNotFound) }
        return attempt(index, own.attempt + 1, now: now)
    }

    mutating func echoed(_ id: EventID) -> [ConvergenceEffect] {
        guard let index = index(of: id), ![.onRelay, .settled].contains(state.own[index].phase) else { return [] }
        state.own[index].phase = .onRelay
        return state.merging == nil ? mergeOwn() : []
    }

    /// Our own commit came in an event that somebody else made of it, which any stranger can.
    ///
    /// Others know it by that one too, and compare with it.
    mutating func ownCame(_ index: Int, by event: RivalCommit) -> [ConvergenceEffect] {
        let own = state.own[index]
        let known = profile.prefers(event, to: own.facts.commit) ? event : own.facts.commit
        if own.facts.epoch == state.epoch { return state.isRemoved ? [] : enter(own.candidate(by: known)) }
        return rival(own.candidate(by: known), isChecked: true)
    }

    /// The event of a commit: for one of our own the one we made, whatever it came in.
    func event(of candidate: Candidate) -> EventID { ownEvent(candidate.message) ?? candidate.commit.id }

    /// The event in which we sent a commit of our own.
    private func ownEvent(_ message: Bytes32) -> EventID? {
        state.own.first { $0.facts.message == message }?.facts.commit.id
    }

    /// Whether a commit of our own was merged once, or another preferred.
    func isSettled(_ id: EventID) -> Bool { index(of: id).map { state.own[$0].phase == .settled } ?? false }

    /// Whether a commit may still be sent: it is fresh, and nobody went on without it.
    private func mayPublish(_ own: OwnPending, now: Timestamp) -> Bool {
        own.facts.epoch == state.epoch && now <= own.facts.commit.createdAt + limits.freshness
    }

    /// Publishes a commit, or, where that would be too late, only looks for it.
    mutating func attempt(_ index: Int, _ number: UInt8, now: Timestamp) -> [ConvergenceEffect] {
        guard mayPublish(state.own[index], now: now) else { return fetch(index, number, now: now) }
        state.own[index].phase = .publishing
        state.own[index].attempt = number
        state.own[index].due = now + wait(limits.answer, number)
        return [.publish(state.own[index].facts.commit.id)]
    }

    private mutating func fetch(_ index: Int, _ number: UInt8, now: Timestamp) -> [ConvergenceEffect] {
        state.own[index].phase = .fetching
        state.own[index].attempt = number
        state.own[index].due = now + wait(limits.answer, number)
        return [.fetchBack(state.own[index].facts.commit.id)]
    }

    /// What is overdue is tried again, or given up.
    mutating func remindOwn(now: Timestamp) -> [ConvergenceEffect] {
        var effects: [ConvergenceEffect] = []
        for index in state.own.indices where now >= state.own[index].due {
            let own = state.own[index]
            switch own.phase {
            case .onRelay, .overdue, .settled: continue
            case .publishing, .fetching:
                if own.attempt >= limits.attempts {
                    effects += giveUp(index, own.isAccepted ? .commitNotFound : .commitNotAccepted)
                } else if own.phase == .publishing {
                    effects += attempt(index, own.attempt + 1, now: now)
                } else {
                    effects += fetch(index, own.attempt + 1, now: now)
                }
            }
        }
        return effects
    }

    /// Waits no more; the commit stays staged, for others may have it, and then so must we.
    private mutating func giveUp(_ index: Int, _ notice: GroupNotice) -> [ConvergenceEffect] {
        state.own[index].phase = .overdue
        return [.notice(notice)]
    }

    private mutating func dropOldestOverdue() -> [ConvergenceEffect] {
        guard state.own.count(where: { $0.phase != .settled }) > EpochKeyring.lookback,
            let index = state.own.firstIndex(where: { $0.phase == .overdue })
        else { return [] }
        return [.clearPending(state.own.remove(at: index).facts.commit.id)]
    }

    private func index(of id: EventID) -> Int? { state.own.firstIndex { $0.facts.commit.id == id } }

    // MARK: - Which commit counts

    /// A commit that was checked, of this epoch or one before.
    mutating func consider(_ candidate: Candidate, isChecked: Bool) -> [ConvergenceEffect] {
        let effects = resolve(candidate.commit.id)
        if candidate.epoch == state.epoch { return effects + (state.isRemoved ? [] : enter(candidate)) }
        return effects + rival(candidate, isChecked: isChecked)
    }

    /// A commit of an epoch that we have left.
    private mutating func rival(_ candidate: Candidate, isChecked: Bool) -> [ConvergenceEffect] {
        guard let index = state.links.firstIndex(where: { $0.epoch == candidate.epoch }) else { return [] }
        let link = state.links[index]
        guard profile.prefers(candidate.commit, to: link.commit) else { return [] }
        if link.message == candidate.message {
            // The commit we merged, in a second event: members who know it only by that one compare with it.
            state.links[index].commit = candidate.commit
            return settleOwn()
        }
        // Without the group as it was nobody can tell whether a member made it, or who was one and kept the key.
        guard isChecked, link.hasSnapshot else { return doubt() }
        return enter(candidate)
    }

    /// Begins to merge a commit; nothing else is merged until that is over.
    mutating func enter(_ candidate: Candidate) -> [ConvergenceEffect] {
        state.merging = candidate
        let id = event(of: candidate)
        let goesBack = candidate.epoch < state.epoch
        return goesBack
            ? [.rollBack(to: candidate.epoch, merging: id)] : [.snapshot(candidate.epoch), .merge(id)]
    }

    mutating func merged(_ id: EventID, now: Timestamp) -> [ConvergenceEffect] {
        guard let merging = state.merging, event(of: merging) == id else { return [] }
        state.merging = nil
        if let index = index(of: id) { state.own[index].phase = .settled }
        state.events.insert(id.bytes)
        var effects = dropBranch(from: merging.epoch)
        state.links.append(
            Link(
                epoch: merging.epoch, commit: merging.commit, message: merging.message, isOwn: merging.isOwn,
                mergedAt: now))
        state.epoch = merging.epoch + 1
        if state.links.count > EpochKeyring.lookback {
            state.links.removeFirst(state.links.count - EpochKeyring.lookback)
            effects.append(.removeSnapshots(before: state.links[0].epoch))
        }
        let wasRemoved = state.isRemoved
        state.isRemoved = merging.removesUs
        state.renewal.proposedAt = nil
        effects += settleOwn() + progress()
        if merging.isOwn { state.renewal.doneAt = now }
        if merging.removesUs { effects.append(.notice(.removed)) }
        if wasRemoved, !merging.removesUs { effects.append(.notice(.backInStep)) }
        if merging.invites {
            state.unwelcomed.append(id)
            effects.append(.sendWelcomes(id))
        }
        return effects + [.subscribe] + goOn()
    }

    mutating func mergeRefused(_ id: EventID) -> [ConvergenceEffect] {
        guard let merging = state.merging, event(of: merging) == id else { return [] }
        state.merging = nil
        state.events.insert(id.bytes)
        var effects: [ConvergenceEffect] = []
        if merging.isOwn {
            state.own.removeAll { $0.facts.commit.id == id }
            effects = [.clearPending(id), .notice(.commitNotMerged)]
        }
        return effects + goOn()
    }

    /// Our own commits that came to nothing with a branch are made again.
    private mutating func dropBranch(from epoch: UInt64) -> [ConvergenceEffect] {
        let dropped = state.links.filter { $0.epoch >= epoch }
        state.links.removeAll { $0.epoch >= epoch }
        let own = dropped.filter(\.isOwn).map { ownEvent($0.message) ?? $0.commit.id }
        state.unwelcomed.removeAll { own.contains($0) }
        let later = state.own.filter { $0.facts.epoch > epoch }
        state.own.removeAll { $0.facts.epoch > epoch }
        let pending = later.filter { $0.phase != .settled }.map(\.facts.commit.id)
        let overtaken = own.isEmpty && pending.isEmpty ? [] : [ConvergenceEffect.notice(.commitOvertaken)]
        return later.map { .clearPending($0.facts.commit.id) } + (own + pending).map { .redo($0) } + overtaken
    }

    /// Drops our own commits of epochs that the group cannot be taken back to.
    mutating func dropUnreachable() -> [ConvergenceEffect] {
        let gone = state.own.filter { own in
            own.phase == .settled && !state.links.contains { $0.epoch == own.facts.epoch && $0.hasSnapshot }
        }.map(\.facts.commit.id)
        state.own.removeAll { gone.contains($0.facts.commit.id) }
        return gone.map { .clearPending($0) }
    }

    /// Settles our own commits that do not count, as another that is preferred was merged for their epoch.
    ///
    /// Those that can never count again are dropped.
    private mutating func settleOwn() -> [ConvergenceEffect] {
        var effects: [ConvergenceEffect] = []
        for index in state.own.indices {
            let own = state.own[index]
            guard own.phase != .settled, own.facts.epoch < state.epoch else { continue }
            let link = state.links.first { $0.epoch == own.facts.epoch }
            if let link, profile.prefers(own.facts.commit, to: link.commit) { continue }
            let id = own.facts.commit.id
            state.own[index].phase = .settled
            state.events.insert(id.bytes)
            effects += [.redo(id), .notice(.commitOvertaken)]
        }
        return effects + dropUnreachable()
    }

    /// Merges a commit of our own that is on a relay; the caller knows that nothing is being merged.
    private mutating func mergeOwn() -> [ConvergenceEffect] {
        guard let own = state.own.filter({ $0.phase == .onRelay }).min(by: { $0.facts.epoch < $1.facts.epoch })
        else { return [] }
        if own.facts.epoch == state.epoch { return state.isRemoved ? [] : enter(own.candidate(by: own.facts.commit)) }
        guard state.links.contains(where: { $0.epoch == own.facts.epoch && $0.hasSnapshot }) else {
            return loseStep()
        }
        return enter(own.candidate(by: own.facts.commit))
    }

    /// After a merge: another commit of our own, or else everything that waits is tried once more.
    mutating func goOn() -> [ConvergenceEffect] {
        let effects = mergeOwn()
        guard state.merging == nil else { return effects }
        state.waiting.forgetIncomplete()
        let order = state.waiting.all.sorted { profile.prefers($0.event, to: $1.event) }
        return effects + order.map { .open($0.event.id) }
    }

    /// A span that doubles with every attempt.
    func wait(_ span: Duration, _ attempt: UInt8) -> Duration { span * (1 << min(Int(attempt) - 1, 6)) }
}
