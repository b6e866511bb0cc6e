internal import NostrCore

/// How one member of a group comes to the epoch that all others come to, whatever relays do.
///
/// A value: what happened goes in, what is to be done comes out. Store ``state`` in one step with what the effects
/// before it changed, and nothing is lost by a crash.
///
/// What holds:
/// - Of the commits for one epoch that a member knows and could check, it is in the one that
///   ``MarmotProfile/prefers(_:to:)``, as far back as its snapshots go.
/// - A commit of our own is merged when a relay has given it back, and never before; Welcomes follow the merge.
/// - An event is forgotten as done only when it is: one that did not open waits, or can be fetched again.
/// - Every wait ends: by an answer, or at a deadline by a ``GroupNotice``. Only relays that are silent are asked
///   again for as long as it takes, which is said once.
///
/// Source: MIP-03; for what it does not say, the ways MDK 0.8 is known to lose step.
struct Convergence: Sendable {
    /// What rests on the disk.
    var state: ConvergenceState
    /// How long it waits and how much it keeps.
    var limits: SessionLimits
    let profile: any MarmotProfile

    /// The convergence of a group that we have just joined or founded.
    ///
    /// - Parameters:
    ///   - now: also the time from which on events are asked for.
    ///   - hasFreshKeys: whether our keys are new in it, as a founder's are; who joined renews them soon.
    init(
        at epoch: UInt64, now: Timestamp, hasFreshKeys: Bool, profile: any MarmotProfile,
        limits: SessionLimits = SessionLimits()
    ) {
        state = ConvergenceState(epoch: epoch, now: now, limit: limits.remembered)
        state.renewal.doneAt = hasFreshKeys ? now : nil
        (self.profile, self.limits) = (profile, limits)
    }

    /// The convergence that was stored; then give it ``ConvergenceInput/restarted(ownCommits:)``.
    init(
        _ state: ConvergenceState, profile: any MarmotProfile, limits: SessionLimits = SessionLimits()
    ) {
        (self.state, self.profile, self.limits) = (state, profile, limits)
    }

    /// Whether a change can be committed: no other of ours is under way, and we are a member.
    var canCommit: Bool { state.merging == nil && !state.isRemoved && !state.own.contains { $0.isUnderWay } }

    /// What to ask relays for: events under the ids of the keyring, from a while before the last that we know we have.
    func filter(for keyring: EpochKeyring) -> Filter {
        Filter(
            kinds: [.groupEvent], tags: ["h": Set(keyring.nostrGroupIDs.map(\.hex))],
            since: state.caughtUpTo - limits.overlap)
    }

    /// Applies what happened; gives what is to be done.
    mutating func receive(_ input: ConvergenceInput, now: Timestamp) -> [ConvergenceEffect] {
        switch input {
        case .received(let event, let size): received(event, size: size, now: now)
        case .opened(let id, let facts): opened(id, facts, now: now)
        case .sent(let id, let message, let rumor): sent(id, message, rumor)
        case .made(let own): made(own, now: now)
        case .accepted(let id): accepted(id, now: now)
        case .rejected(let id): rejected(id)
        case .echoed(let id): echoed(id)
        case .notFound(let id): notFound(id, now: now)
        case .merged(let id): merged(id, now: now)
        case .mergeRefused(let id): mergeRefused(id)
        case .welcomed(let id): welcomed(id)
        case .vouched(let epoch): vouched(for: epoch, now: now)
        case .caughtUp: caughtUp(now: now)
        case .disconnected: disconnected()
        case .tick: tick(now: now)
        case .restarted(let stored): restarted(stored, now: now)
        }
    }

    private mutating func welcomed(_ id: EventID) -> [ConvergenceEffect] {
        state.unwelcomed.removeAll { $0 == id }
        return []
    }

    /// What relays give back of it is no news.
    private mutating func sent(_ id: EventID, _ message: Bytes32, _ rumor: EventID) -> [ConvergenceEffect] {
        state.events.insert(id.bytes)
        state.messages.insert(message)
        state.rumors.insert(rumor.bytes)
        return []
    }

    private mutating func disconnected() -> [ConvergenceEffect] {
        state.isCaughtUp = false
        return []
    }

    /// What was under way goes on.
    private mutating func restarted(_ stored: Set<EventID>, now: Timestamp) -> [ConvergenceEffect] {
        state.isCaughtUp = false
        let known = Set(state.own.map(\.facts.commit.id))
        // Made, but the crash came before we were told: it never left.
        var effects: [ConvergenceEffect] = stored.subtracting(known).sorted().map { .clearPending($0) }
        // An own commit that is lost cannot be merged any more, only made again.
        let lost = known.subtracting(stored).sorted().filter { $0 != state.merging.map(event) }
        effects += lost.filter { !isSettled($0) }.map { .redo($0) }
        state.own.removeAll { lost.contains($0.facts.commit.id) }
        effects += state.unwelcomed.map { .sendWelcomes($0) }
        effects.append(.subscribe)
        if let merging = state.merging { return effects + enter(merging) }
        for index in state.own.indices where state.own[index].isUnderWay {
            effects += attempt(index, 1, now: now)
        }
        effects += restartFetch(now: now)
        return effects + goOn()
    }
}
