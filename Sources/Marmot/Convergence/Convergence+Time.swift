internal import NostrCore

/// What time brings: deadlines, the stall detector, fresh keys.
///
/// Source: MIP-02 and MIP-03 for fresh keys; the stall detector is ours.
extension Convergence {
    mutating func tick(now: Timestamp) -> [ConvergenceEffect] {
        if state.isCaughtUp { state.caughtUpTo = max(state.caughtUpTo, now) }
        return remindOwn(now: now) + expireSnapshots(now: now) + openRipe(now: now) + watchStall(now: now)
            + schedule(now: now)
    }

    /// Our clock, or that of who sent it, was off: what was from ahead of it is so no more.
    private func openRipe(now: Timestamp) -> [ConvergenceEffect] {
        guard state.merging == nil else { return [] }
        return state.waiting.all.filter { $0.isAhead && $0.event.createdAt - profile.skew <= now }
            .sorted { profile.prefers($0.event, to: $1.event) }.map { .open($0.event.id) }
    }

    /// When the clock may next have something to say; then give it ``ConvergenceInput/tick``.
    func nextDue(after now: Timestamp) -> Timestamp {
        var moments = state.own.filter { $0.phase == .publishing || $0.phase == .fetching }.map(\.due)
        moments += state.links.filter(\.hasSnapshot).map { $0.mergedAt + limits.snapshotLife }
        if state.isCaughtUp { moments.append(state.caughtUpTo + limits.overlap / 2) }
        if state.merging == nil {
            moments += state.waiting.all.filter(\.isAhead).map { $0.event.createdAt - profile.skew }
        }
        moments += [state.stall.due, stallBegins(now: now), commitBegins].compactMap(\.self)
        return moments.min() ?? Timestamp(seconds: .max)
    }

    private func stallBegins(now: Timestamp) -> Timestamp? {
        let stall = state.stall
        guard stall.due == nil, stall.stage == .none || stall.stage == .unreadable, !state.isRemoved else { return nil }
        let run = Int(stall.run) >= limits.stalledRun ? stall.since.map { $0 + limits.stalledWait } : nil
        let unread = stall.isTold ? nil : stall.unreadSince.map { $0 + limits.patience }
        let unopened = [run, unread].compactMap(\.self).min().map { max($0, stall.quietUntil ?? $0) }
        let lacking = stall.lackingSince != nil && state.isCaughtUp ? now : nil
        return [unopened, lacking].compactMap(\.self).min()
    }

    /// Whether we may make a commit that nobody asked for: not while relays look for one that we may lack.
    private var isSettled: Bool {
        state.isCaughtUp && canCommit && !state.isOutOfStep && !state.stall.isAsking
    }

    private var commitBegins: Timestamp? {
        guard isSettled else { return nil }
        let renewal = state.renewal.doneAt.map { $0 + limits.renewal } ?? state.joinedAt + limits.spread
        let asked = state.renewal.askedAt.map { max(renewal, $0 + limits.patience) } ?? renewal
        return state.renewal.proposedAt.map { min($0 + limits.spread, asked) } ?? asked
    }

    // MARK: - Out of step

    mutating func caughtUp(now: Timestamp) -> [ConvergenceEffect] {
        (state.isCaughtUp, state.caughtUpTo) = (true, max(state.caughtUpTo, now))
        switch state.stall.stage {
        case .none: return []
        // Who was told already only looks whether what is missing has come.
        case .refetching:
            return isStalled(now: now) && !state.stall.isTold ? begin(.resyncing, 1, now: now) : endStall()
        case .resyncing: return state.stall.isVouched || isStalled(now: now) ? judge() : endStall()
        case .unreadable, .outOfStep: return []
        }
    }

    /// A commit was merged: what did not open until now may do so.
    mutating func progress() -> [ConvergenceEffect] {
        let wasOut = state.isOutOfStep
        let lacking = [state.stall.lackingSince, state.stall.missedSince].compactMap(\.self).min()
        state.stall = Stall()
        state.stall.lackingSince = lacking
        return wasOut ? [.notice(.backInStep)] : []
    }

    /// Somebody is in the epoch we are in: what does not open is another branch, or noise.
    mutating func didReadAnother() -> [ConvergenceEffect] {
        let wasOut = state.isOutOfStep && Int(state.stall.run) >= limits.stalledRun
        (state.stall.run, state.stall.since) = (0, nil)
        guard wasOut else { return [] }
        // That something cannot be read was said.
        (state.stall.stage, state.stall.isTold, state.stall.isVouched) = (.unreadable, true, false)
        return []
    }

    /// A member says which epoch the group is in.
    ///
    /// It counts only where the members were asked: nobody puts others out of step by a word of their own accord. Relays
    /// may still have what leads there; who finds nothing knows that they lost step.
    mutating func vouched(for epoch: UInt64, now: Timestamp) -> [ConvergenceEffect] {
        guard state.stall.isTold, epoch > state.epoch, !state.isRemoved, !state.isOutOfStep, !state.stall.isVouched
        else { return [] }
        state.stall.isVouched = true
        return state.stall.stage == .resyncing ? [] : begin(.resyncing, 1, now: now)
    }

    /// Relays have nothing that opens what waits.
    private mutating func judge() -> [ConvergenceEffect] { state.stall.isVouched ? loseStep() : doubt() }

    /// Something cannot be read, and that is all that is known: it may be a stranger's.
    mutating func doubt() -> [ConvergenceEffect] {
        guard !state.isOutOfStep else { return [] }
        (state.stall.stage, state.stall.due) = (.unreadable, nil)
        guard !state.stall.isTold else { return [] }
        state.stall.isTold = true
        return [.askMembers, .notice(.unread)]
    }

    /// What only the person and an admin can mend.
    mutating func loseStep() -> [ConvergenceEffect] {
        guard !state.isOutOfStep else { return [] }
        (state.stall.stage, state.stall.due) = (.outOfStep, nil)
        return [.hardResync, .notice(.outOfStep)]
    }

    /// After a start, what was asked for is asked for again.
    mutating func restartFetch(now: Timestamp) -> [ConvergenceEffect] {
        let stage = state.stall.stage
        return stage == .refetching || stage == .resyncing ? begin(stage, 1, now: now) : []
    }

    private func isStalled(now: Timestamp) -> Bool {
        guard !state.isRemoved else { return false }
        let stall = state.stall
        if let since = stall.since, Int(stall.run) >= limits.stalledRun, now >= since + limits.stalledWait {
            return true
        }
        return !stall.isTold && stall.unreadSince.map { now >= $0 + limits.patience } ?? false
    }

    private mutating func endStall() -> [ConvergenceEffect] {
        (state.stall.stage, state.stall.due) = (state.stall.isTold ? .unreadable : .none, nil)
        return []
    }

    private mutating func begin(_ stage: Stall.Stage, _ attempt: UInt8, now: Timestamp) -> [ConvergenceEffect] {
        (state.stall.stage, state.stall.attempt) = (stage, attempt)
        state.stall.due = now + wait(limits.fetching, attempt)
        state.stall.quietUntil = now + limits.patience
        if stage == .resyncing { return [.softResync(since: now - limits.resync)] }
        let missed = [state.stall.missedSince, state.stall.lackingSince].compactMap(\.self).min()
        let since = min(state.links.first?.commit.createdAt ?? state.joinedAt, missed ?? now)
        (state.stall.missedSince, state.stall.lackingSince) = (nil, nil)
        return [.refetch(since: since - limits.overlap)]
    }

    private mutating func watchStall(now: Timestamp) -> [ConvergenceEffect] {
        if let due = state.stall.due {
            guard now >= due else { return [] }
            let attempt = min(state.stall.attempt, 250) + 1
            return begin(state.stall.stage, attempt, now: now) + (attempt == 2 ? [.notice(.relaysSilent)] : [])
        }
        guard state.stall.stage == .none || state.stall.stage == .unreadable,
            stallBegins(now: now).map({ $0 <= now }) ?? false
        else { return [] }
        return begin(.refetching, 1, now: now)
    }

    // MARK: - Snapshots and keys

    private mutating func expireSnapshots(now: Timestamp) -> [ConvergenceEffect] {
        guard state.merging == nil else { return [] }
        var before: UInt64?
        for index in state.links.indices where state.links[index].hasSnapshot {
            guard now >= state.links[index].mergedAt + limits.snapshotLife else { continue }
            state.links[index].hasSnapshot = false
            before = state.links[index].epoch + 1
        }
        return before.map { [.removeSnapshots(before: $0)] + dropUnreachable() } ?? []
    }

    private mutating func schedule(now: Timestamp) -> [ConvergenceEffect] {
        guard isSettled else { return [] }
        if let since = state.renewal.proposedAt, now >= since + limits.spread {
            state.renewal.proposedAt = nil
            return [.commitProposals]
        }
        let due = state.renewal.doneAt.map { $0 + limits.renewal } ?? state.joinedAt + limits.spread
        guard now >= due, now >= state.renewal.askedAt.map({ $0 + limits.patience }) ?? now else { return [] }
        state.renewal.askedAt = now
        return [.selfUpdate]
    }
}
