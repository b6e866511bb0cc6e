public import MLS
public import NostrCore
public import NostrNIPs

/// One member at work in one group: a group that goes where all its members come to, whatever relays do.
///
/// A value without I/O. What happened goes in, by ``receive(_:now:using:)``; what relays and people are to be told comes
/// out, and so does what is to be stored, by ``takeChanges()``. Store the changes of each step all at once, and before
/// anything of that step leaves the process: then no key is used twice, nothing is shown twice and nothing that was
/// acknowledged is lost, whenever the program ends.
///
/// Its files are its verbs: receive, change, welcome, do what convergence decides, look, save and read back.
///
/// Source: MIP-03.
public struct GroupSession: Sendable {
    /// The group as this member knows it.
    var group: MarmotGroup
    /// How it comes to the epoch that all others come to.
    var convergence: Convergence
    /// The group as it was before a commit, by epoch.
    var snapshots: [UInt64: PastGroup] = [:]
    /// Commits of our own, until nothing can undo them.
    var own: [EventID: OwnCommitRecord] = [:]
    /// Events that wait, and those that are being read.
    var waiting: [EventID: Event] = [:]
    /// Changes that wait until no commit of ours is under way, the next first.
    public internal(set) var wanted: [GroupChange] = []
    /// The epoch in which we last asked to be let go, by its authenticator: a proposal is of one epoch only.
    var askedToLeaveIn: [UInt8]?
    /// Which leaves are known to be whose.
    var bindings = LeafBindings()
    /// A key package of ours that is on relays: our leaf takes its key for signatures when we renew our keys.
    ///
    /// It is not stored here.
    public var published: OwnKeyPackage?
    /// What is not on the disk as it is here.
    var changed: Set<SessionPart> = []
    /// What was read in this step.
    var reading = Reading()

    struct Reading {
        var messages: [EventID: GroupMessage] = [:]
        /// Who asks to be let go, by the event that is being read.
        var leaving: PublicKey?
        var commits: [EventID: AllowedCommit] = [:]
    }

    /// A group that we have just founded or joined.
    ///
    /// - Parameters:
    ///   - now: from when on we may lack events; for who joined, when the Welcome was written.
    ///   - hasFreshKeys: whether our keys are new in it, as a founder's are; who joined renews them soon.
    public init(
        _ group: MarmotGroup, now: Timestamp, hasFreshKeys: Bool, limits: SessionLimits = SessionLimits()
    ) {
        self.group = group
        convergence = Convergence(
            at: group.mls.epoch, now: now, hasFreshKeys: hasFreshKeys, profile: group.profile,
            limits: limits.inTurn(at: group.mls.ownIndex))
        groupDidChange()
        bindingsDidChange()
        changed.formUnion([.convergence, .wanted])
    }

    /// Whether we are a member, as far as we know.
    public var isMember: Bool { !convergence.state.isRemoved }

    /// What to ask relays for.
    public var filter: Filter { convergence.filter(for: group.keyring) }

    /// How often we renew our keys.
    ///
    /// Shape: 1 to 30 days; outside of that the nearest. It is not stored here.
    public var renewal: Duration {
        get { convergence.limits.renewal }
        set { convergence.limits.renewal = newValue }
    }

    /// Whether something is to happen by now; then give it ``SessionInput/tick``.
    public func isDue(now: Timestamp) -> Bool {
        (isMember && !wanted.isEmpty && convergence.canCommit) || convergence.nextDue(after: now) <= now
    }

    // MARK: - What happened

    /// Applies what happened; gives what is to be done, in this order, once the changes are stored.
    public mutating func receive(
        _ input: SessionInput, now: Timestamp, using random: inout some RandomNumberGenerator
    ) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        switch input {
        case .event(let event): receive(event, now: now, &effects)
        case .accepted(let id): run(.accepted(id), now: now, &effects)
        case .rejected(let id): run(.rejected(id), now: now, &effects)
        case .notFound(let id): run(.notFound(id), now: now, &effects)
        case .welcomed(let id): run(.welcomed(id), now: now, &effects)
        case .vouched(let person, let epoch): if vouches(person) { run(.vouched(epoch: epoch), now: now, &effects) }
        case .caughtUp: run(.caughtUp, now: now, &effects)
        case .disconnected: run(.disconnected, now: now, &effects)
        case .tick: run(.tick, now: now, &effects)
        case .restarted:
            run(.restarted(ownCommits: Set(own.filter { $0.value.commit != nil }.keys)), now: now, &effects)
        }
        askAgainToLeave(now: now, &effects, using: &random)
        pursue(now: now, &effects, using: &random)
        finishStep()
        return effects
    }

    // MARK: - What we do

    /// Says something to the group; the event is to be published until a relay takes it.
    ///
    /// - Parameters:
    ///   - draft: what is said; no tag of it names a group.
    ///   - expiration: when relays may drop the event (NIP-40); sooner where the group's messages disappear.
    /// - Throws: `notAllowed` if we are no member, what ``MarmotGroup/send(_:now:expiration:using:)`` throws.
    public mutating func send(
        _ draft: EventDraft, now: Timestamp, expiration: Timestamp? = nil,
        using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> (event: Event, rumor: Rumor) {
        try requireMember()
        let said = try group.send(draft, now: now, expiration: expiration, using: &random)
        changed.insert(.mls(.messageKeys))
        try remember(said.event, rumor: said.rumor.id, now: now)
        return said
    }

    /// Asks the others to let us go; the event is to be published until a relay takes it.
    ///
    /// Where the group goes on without having let us go, it is asked again, by ``SessionEffect/offer(_:)``; changes of
    /// our own that wait are given up.
    ///
    /// - Throws: `notAllowed` if we are no member, what ``MarmotGroup/leave(now:using:)`` throws.
    public mutating func leave(
        now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> Event {
        try requireMember()
        let event = try group.leave(now: now, using: &random)
        changed.formUnion([.mls(.messageKeys), .mls(.proposals), .wanted])
        (askedToLeaveIn, wanted) = (group.mls.epochAuthenticator, [])
        try remember(event, rumor: event.id, now: now)
        return event
    }

    /// Whether we asked to be let go.
    public var isLeaving: Bool { askedToLeaveIn != nil }

    private mutating func askAgainToLeave(
        now: Timestamp, _ effects: inout [SessionEffect], using random: inout some RandomNumberGenerator
    ) {
        guard let askedToLeaveIn, isMember, askedToLeaveIn != group.mls.epochAuthenticator else { return }
        do { effects.append(.offer(try leave(now: now, using: &random))) } catch {
            // Somebody made us an admin meanwhile; who wants to go all the same steps down first.
            self.askedToLeaveIn = nil
            changed.insert(.wanted)
        }
    }

    /// Changes the group: at once, or as soon as the change before is through.
    ///
    /// - Throws: `notAllowed` if we are no member; what is wrong with the change as the group is now.
    public mutating func change(
        _ change: GroupChange, now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> [SessionEffect] {
        try requireMember()
        // Tried on a copy: what cannot be done is said at once, and not when its turn comes.
        var trial = self
        _ = try trial.commit(change, now: now, using: &random)
        var effects: [SessionEffect] = []
        want(change)
        pursue(now: now, &effects, using: &random)
        finishStep()
        return effects
    }

    private func requireMember() throws(MarmotError) {
        guard isMember else { throw MarmotError(.notAllowed, "We are not in the group any more.") }
    }

    /// What is ours is known when it comes back.
    private mutating func remember(_ event: Event, rumor: EventID, now: Timestamp) throws(MarmotError) {
        let message = try group.profile.open(event, with: group.keyring, now: now).message
        _ = convergence.receive(.sent(event.id, message: digest(message), rumor: rumor), now: now)
        changed.insert(.convergence)
    }
}
