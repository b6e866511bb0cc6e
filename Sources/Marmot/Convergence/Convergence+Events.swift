internal import NostrCore

/// Events as they come, in any order and number.
///
/// Source: MIP-03.
extension Convergence {
    mutating func received(_ event: RivalCommit, size: Int, now: Timestamp) -> [ConvergenceEffect] {
        if state.own.contains(where: { $0.facts.commit.id == event.id }) { return echoed(event.id) }
        guard !state.events.contains(event.id.bytes), state.waiting[event.id] == nil else { return [] }
        state.waiting.append(WaitingEvents.One(event: event, size: size))
        var effects: [ConvergenceEffect] = []
        for dropped in state.waiting.trim(count: limits.waitingEvents, bytes: limits.waitingBytes) {
            let missed = dropped.event.createdAt
            state.stall.missedSince = min(state.stall.missedSince ?? missed, missed)
            if dropped.isKept { effects.append(.forget(dropped.event.id)) }
        }
        // While a commit is merged it is not known which keys there will be; what waits is opened after.
        guard state.merging == nil, state.waiting[event.id] != nil else { return effects }
        return effects + [.open(event.id)]
    }

    mutating func opened(_ id: EventID, _ facts: GroupEventFacts, now: Timestamp) -> [ConvergenceEffect] {
        guard let one = state.waiting[id] else { return [] }
        let isAhead = facts == .unripe && one.event.createdAt > now + profile.skew
        state.waiting.setAhead(id, isAhead)
        state.waiting.setUnread(id, isAhead || facts == .undecryptable)
        if one.isUnread, !one.isAhead, facts != .undecryptable, counts(one) {
            state.unopened -= min(1, state.unopened)
        }
        switch facts {
        case .refused: return resolve(id)
        case .undecryptable: return undecryptable(one, now: now)
        case .unripe: return keep(one)
        case .incompleteCommit: return incomplete(one, now: now)
        case .application(let epoch, let message, let rumor):
            let isNew = state.messages.insert(message) && state.rumors.insert(rumor.bytes)
            return resolve(id) + (isNew ? [.deliver(id)] : []) + (epoch == state.epoch ? didReadAnother() : [])
        case .proposal(let epoch, let message, let isOurs):
            return proposal(id, epoch, message, isOurs, now: now)
        case .commit(let epoch, let message, let removesUs):
            // Opened before something was merged; it is opened once more after.
            guard state.merging == nil, epoch <= state.epoch else { return keep(one) }
            if let index = state.own.firstIndex(where: { $0.facts.message == message }) {
                return resolve(id) + ownCame(index, by: one.event)
            }
            return consider(
                Candidate(
                    epoch: epoch, commit: one.event, message: message, removesUs: removesUs, isOwn: false,
                    invites: false), isChecked: true)
        case .uncheckedCommit(let epoch, let message):
            guard state.merging == nil, epoch < state.epoch else { return keep(one) }
            return consider(
                Candidate(
                    epoch: epoch, commit: one.event, message: message, removesUs: false, isOwn: false, invites: false),
                isChecked: false)
        }
    }

    /// The event is done with.
    mutating func resolve(_ id: EventID) -> [ConvergenceEffect] {
        let isKept = state.waiting[id]?.isKept ?? false
        state.waiting.remove(id)
        state.events.insert(id.bytes)
        return isKept ? [.forget(id)] : []
    }

    private mutating func keep(_ one: WaitingEvents.One) -> [ConvergenceEffect] {
        guard !one.isKept else { return [] }
        state.waiting.keep(one.event.id)
        return [.keep(one.event.id)]
    }

    private mutating func incomplete(_ one: WaitingEvents.One, now: Timestamp) -> [ConvergenceEffect] {
        let effects = keep(one)
        // If what it needs does not come, relays are asked for it.
        state.stall.unreadSince = state.stall.unreadSince ?? now
        guard !one.isIncomplete, state.merging == nil else { return effects }
        state.waiting.setIncomplete(one.event.id)
        // What it needs may be among what waits, and had no room before.
        return effects + openKept(besides: one.event.id)
    }

    /// Everything that waits is tried once more.
    private func openKept(besides id: EventID? = nil) -> [ConvergenceEffect] {
        state.waiting.all.filter { $0.isKept && $0.event.id != id }
            .sorted { profile.prefers($0.event, to: $1.event) }.map { .open($0.event.id) }
    }

    /// Whether it is remarkable that an event does not open: the commit by which we came never does.
    private func counts(_ one: WaitingEvents.One) -> Bool { one.event.createdAt > state.joinedAt }

    private mutating func undecryptable(_ one: WaitingEvents.One, now: Timestamp) -> [ConvergenceEffect] {
        // One from ahead of our clock was kept before it was known that nothing opens it.
        guard !one.isKept || one.isAhead else { return [] }
        // Older than all epochs we have keys of: nothing that comes opens it. It is not remembered, as clocks differ.
        let first = state.links.first?.commit.createdAt ?? state.joinedAt
        guard one.event.createdAt >= first - limits.overlap else {
            state.waiting.remove(one.event.id)
            return one.isKept ? [.forget(one.event.id)] : []
        }
        if counts(one) { state.unopened = state.unopened &+ 1 }
        if one.event.createdAt > state.epochBegan {
            state.stall.run = state.stall.run &+ 1
            state.stall.since = state.stall.since ?? now
            state.stall.unreadSince = state.stall.unreadSince ?? now
        }
        return keep(one)
    }

    private mutating func proposal(
        _ id: EventID, _ epoch: UInt64, _ message: Bytes32, _ isOurs: Bool, now: Timestamp
    ) -> [ConvergenceEffect] {
        let effects = resolve(id)
        guard state.messages.insert(message) else { return effects }
        if isOurs, epoch == state.epoch, state.renewal.proposedAt == nil { state.renewal.proposedAt = now }
        // A commit may have waited for it.
        return effects + (state.merging == nil ? openKept() : [])
    }
}
