internal import MLS
public import NostrCore

/// The group as its member knows it.
extension GroupSession {
    /// The id of the group for MLS, which relays never see.
    public var groupID: [UInt8] { group.mls.groupID }
    /// Who is in the group, who of them are admins, and what the group says of itself.
    public var roster: Roster { group.roster }
    /// Who we are; nil once we are no member.
    public var ownKey: PublicKey? { group.ownKey }
    /// How many changes the group went through.
    public var epoch: UInt64 { group.mls.epoch }
    /// What members can compare to see that they are in the same epoch.
    public var epochAuthenticator: [UInt8] { group.mls.epochAuthenticator }
    /// The number of the next message we encrypt in this epoch, counted from 0.
    public var nextGeneration: UInt32 { group.mls.nextGeneration }
    /// The ids by which relays know the group: that of this epoch, and those of some before it.
    public var nostrGroupIDs: Set<Bytes32> { group.keyring.nostrGroupIDs }
}

/// How a session goes on.
extension GroupSession {
    /// Whether we know that we lost step for good, unless something opens after all.
    public var isOutOfStep: Bool { convergence.state.isOutOfStep }
    /// Whether the person was told that something cannot be read; it is us who lost step only if ``isOutOfStep``.
    public var isApart: Bool { convergence.state.isApart }
    /// Whether a relay gave all it has since we are connected.
    public var isCaughtUp: Bool { convergence.state.isCaughtUp }
    /// How many events came that no key opened; anybody can post such.
    public var unopenedCount: Int { Int(clamping: convergence.state.unopened) }
    /// How many events wait to be read.
    public var waitingCount: Int { waiting.count }
    /// Events that wait to be read.
    public var unread: [Event] { Array(waiting.values) }
    /// Whether a change of our own waits for its turn, or its commit for relays; no more once that was given up.
    public func isUnderWay(_ change: GroupChange) -> Bool {
        wanted.contains(change)
            || convergence.state.own.contains { pending in
                pending.isUnderWay && own[pending.facts.commit.id]?.change == change
            }
    }
    /// How many changes of our own are not through.
    public var pendingCount: Int { wanted.count + convergence.state.own.count { $0.phase != .settled } }

    /// Whether somebody's word counts.
    func vouches(_ person: PublicKey) -> Bool { person != group.ownKey && group.roster.people.contains(person) }
}
