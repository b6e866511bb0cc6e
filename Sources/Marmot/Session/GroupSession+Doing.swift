internal import MLS
internal import NostrCore

/// What a ``Convergence`` asks for, done.
extension GroupSession {
    /// Tells the convergence what happened, and whatever follows from that.
    mutating func run(_ input: ConvergenceInput, now: Timestamp, _ effects: inout [SessionEffect]) {
        var inputs = [input]
        var next = 0
        while next < inputs.count {
            for effect in convergence.receive(inputs[next], now: now) {
                if let answer = perform(effect, now: now, &effects) { inputs.append(answer) }
            }
            next += 1
        }
        changed.insert(.convergence)
    }

    private mutating func perform(
        _ effect: ConvergenceEffect, now: Timestamp, _ effects: inout [SessionEffect]
    ) -> ConvergenceInput? {
        switch effect {
        case .open(let id):
            guard let event = waiting[id] else { return nil }
            let facts = facts(of: event, now: now)
            if let leaving = reading.leaving.take() { effects.append(.leaveRequested(by: leaving)) }
            return .opened(id, facts)
        case .keep(let id), .forget(let id): changed.insert(.waiting(id))
        case .deliver(let id): deliver(id, &effects)
        case .publish(let id): if let event = own[id]?.event { effects.append(.publish(event)) }
        case .fetchBack(let id): effects.append(.fetchBack(id))
        case .snapshot(let epoch):
            guard group.mls.epoch == epoch else { return nil }
            snapshots[epoch] = .read(group)
            changed.insert(.snapshot(epoch))
        case .removeSnapshots(let epoch): removeSnapshots { $0 < epoch }
        case .merge(let id): return merge(id, on: nil, &effects)
        case .rollBack(let epoch, let id): return merge(id, on: epoch, &effects)
        case .clearPending(let id):
            own[id]?.commit = nil
            changed.insert(.ownCommit(id))
        case .redo(let id): if let change = own[id]?.change { want(change, first: true) }
        case .sendWelcomes(let id): if let own = own[id] { effects.append(.welcome(own.welcomes, of: id)) }
        case .selfUpdate: want(.freshKeys)
        case .commitProposals: want(.letGo)
        case .subscribe: effects.append(.subscribe)
        case .refetch(let since): effects.append(.refetch(since: since, everywhere: false))
        case .softResync(let since): effects.append(.refetch(since: since, everywhere: true))
        case .askMembers: effects.append(.askMembers)
        case .hardResync: effects.append(.askReadmission)
        case .notice(let notice): effects.append(.notice(notice))
        }
        return nil
    }

    private mutating func deliver(_ id: EventID, _ effects: inout [SessionEffect]) {
        guard let message = reading.messages[id], waiting[id] != nil else { return }
        effects.append(.message(message))
    }

    private mutating func merge(
        _ id: EventID, on epoch: UInt64?, _ effects: inout [SessionEffect]
    ) -> ConvergenceInput {
        guard let commit = reading.commits[id] ?? ownCommit(id) else { return .mergeRefused(id) }
        var next = group
        if let epoch, next.mls.epoch != epoch {
            guard let snapshot = snapshot(of: epoch) else { return .mergeRefused(id) }
            next = snapshot
        }
        // One that removes us leads nowhere: there is nothing to merge.
        if !commit.removesUs {
            do { try next.merge(commit) } catch { return .mergeRefused(id) }
        }
        if let epoch, group.mls.epoch != epoch {
            removeSnapshots { $0 > epoch }
            effects.append(.wentBack(to: epoch))
        }
        groupDidChange(from: group)
        group = next
        groupDidChange()
        if !commit.removesUs { passBindings(commit) }
        // A relay that has it may be gone before others asked it; who does not hear of it is in another branch.
        if let event = own[id]?.event { effects.append(.offer(event)) }
        if let event = own[id]?.event ?? waiting[id] { effects.append(.entered(commit, by: RivalCommit(event))) }
        return .merged(id)
    }

    /// A commit of our own, of the epoch it was made on, while that is there.
    private mutating func ownCommit(_ id: EventID) -> AllowedCommit? {
        guard let own = own[id], let commit = own.commit else { return nil }
        if case .made(let commit) = commit { return commit }
        guard let group = own.epoch == group.mls.epoch ? group : snapshot(of: own.epoch) else { return nil }
        return commit.read(in: group)
    }

    private mutating func removeSnapshots(_ isGone: (UInt64) -> Bool) {
        for epoch in snapshots.keys.filter(isGone) {
            snapshots[epoch] = nil
            changed.insert(.snapshot(epoch))
        }
    }

    /// All of the group is to be written; what the one before had and this one has not is to be removed.
    mutating func groupDidChange(from former: MarmotGroup? = nil) {
        changed.formUnion((former ?? group).mls.saved.parts.keys.map { .mls($0) })
        changed.insert(.keyring)
    }

    /// Forgets what is not needed any more once everything of a step was done.
    mutating func finishStep() {
        reading = Reading()
        let state = convergence.state
        // Strangers see to it that there is much of it, all the time.
        if waiting.count > state.waiting.all.count {
            let kept = Set(state.waiting.all.map(\.event.id))
            waiting = waiting.filter { kept.contains($0.key) }
        }
        let linked = Set(state.links.map(\.commit.id) + state.own.map(\.facts.commit.id) + state.unwelcomed)
        for id in own.keys where !linked.contains(id) {
            own[id] = nil
            changed.insert(.ownCommit(id))
        }
    }
}
