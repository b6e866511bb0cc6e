internal import NostrCore

// What goes into a ``Convergence`` and what comes out of it.

/// What a member tells its ``Convergence``.
///
/// Source: MIP-03.
enum ConvergenceInput: Hashable, Sendable {
    /// An event of the group came, by a subscription or a fetch, from any relay and any number of times.
    case received(RivalCommit, size: Int)
    /// An event that was to be opened was.
    case opened(EventID, GroupEventFacts)
    /// We said something by this event, or asked for a change by it; it is on the disk.
    case sent(EventID, message: Bytes32, rumor: EventID)
    /// We made a commit; its event is stored, and nobody has it yet.
    case made(OwnCommitFacts)
    /// A relay took the event of our commit.
    case accepted(EventID)
    /// All relays refused the event of our commit.
    case rejected(EventID)
    /// A relay gave the event of our commit back.
    case echoed(EventID)
    /// No relay has the event of our commit.
    case notFound(EventID)
    /// The commit was merged, and this is on the disk.
    case merged(EventID)
    /// The commit could not be merged; the group is as it was.
    case mergeRefused(EventID)
    /// The Welcomes of our commit are on their way, each for certain.
    case welcomed(EventID)
    /// A member says, over their signature, that the group is in this epoch.
    case vouched(epoch: UInt64)
    /// Relays gave everything they have that was asked for.
    case caughtUp
    /// No relay of the group is connected.
    case disconnected
    /// Time passed.
    case tick
    /// The program starts; with the commits of our own that it stored and has not merged.
    case restarted(ownCommits: Set<EventID>)
}

/// What an event of the group turned out to be.
enum GroupEventFacts: Hashable, Sendable {
    /// No key of the keyring opens it: it is of an epoch to come, of another branch, or noise.
    case undecryptable
    /// It can be read only later: there is no room for the proposal that it is, or it is from ahead of our clock.
    case unripe
    /// A commit that needs a proposal that is not known; the group has room for it now.
    case incompleteCommit
    /// It will never be read.
    case refused
    /// Somebody said something.
    ///
    /// - Parameter message: a digest of the message of MLS, which somebody may put into a second event.
    case application(epoch: UInt64, message: Bytes32, rumor: EventID)
    /// Somebody asks for a change; `isOursToCommit` as ``ProposalHandling/commit`` says.
    case proposal(epoch: UInt64, message: Bytes32, isOursToCommit: Bool)
    /// Somebody's commit, an ``AllowedCommit`` on the group as it was in that epoch.
    case commit(epoch: UInt64, message: Bytes32, removesUs: Bool)
    /// A commit of an epoch that the group cannot be taken back to, and so cannot be checked.
    case uncheckedCommit(epoch: UInt64, message: Bytes32)
}

/// What is known of a commit of our own.
struct OwnCommitFacts: Hashable, Sendable {
    /// The event it is in.
    let commit: RivalCommit
    /// The epoch it was made on.
    let epoch: UInt64
    /// A digest of the message of MLS.
    let message: Bytes32
    /// Whether somebody waits for a Welcome.
    let invites: Bool

    /// The facts of a commit that was just made.
    init(_ commit: RivalCommit, epoch: UInt64, message: Bytes32, invites: Bool) {
        (self.commit, self.epoch, self.message, self.invites) = (commit, epoch, message, invites)
    }
}

/// What a member is to do, in this order, for its ``Convergence``.
enum ConvergenceEffect: Hashable, Sendable {
    /// Open the event, and answer ``ConvergenceInput/opened(_:_:)``.
    ///
    /// A proposal or commit of a past epoch is read by a copy of the snapshot of that epoch.
    case open(EventID)
    /// Store the event: it is needed later.
    case keep(EventID)
    /// The event is not needed any more.
    case forget(EventID)
    /// Show what the event says.
    case deliver(EventID)
    /// Send the event of our commit to the group's relays.
    case publish(EventID)
    /// Ask the relays for the event of our commit.
    case fetchBack(EventID)
    /// Store the group as it is, with the commits of our own that are staged on it, if it is in that epoch still.
    case snapshot(UInt64)
    /// Remove the snapshots of all epochs before this one.
    case removeSnapshots(before: UInt64)
    /// Merge the commit; then answer ``ConvergenceInput/merged(_:)`` or ``ConvergenceInput/mergeRefused(_:)``.
    ///
    /// One that was merged, after a crash, and one that removes us have nothing to merge: answer all the same.
    case merge(EventID)
    /// In one step, take the group back to the snapshot of an epoch and merge another commit on it; answer as above.
    ///
    /// If the group is in that epoch, as after a crash, nothing is taken back. What was said in later epochs stays, and
    /// is marked as said in a branch that came to nothing. Nothing is ever sent from a group that was taken back and
    /// has not merged: its keys were used.
    case rollBack(to: UInt64, merging: EventID)
    /// Drop a commit of our own that is staged.
    case clearPending(EventID)
    /// Make the change of this commit of our own once more, if it still makes sense.
    case redo(EventID)
    /// Send the Welcomes of our commit; then answer ``ConvergenceInput/welcomed(_:)``.
    case sendWelcomes(EventID)
    /// Subscribe with ``Convergence/filter(for:)``: the keyring or the time changed.
    case subscribe
    /// Ask the connected relays for all since then; then answer ``ConvergenceInput/caughtUp``.
    case refetch(since: Timestamp)
    /// Ask all relays that the group or its members ever named for all since then; then answer the same.
    case softResync(since: Timestamp)
    /// Ask the members for an answer: whoever is ahead of us says so.
    case askMembers
    /// Ask an admin to remove and add us.
    case hardResync
    /// Commit fresh keys of our own.
    case selfUpdate
    /// Commit the proposals that wait.
    case commitProposals
    /// Tell the person.
    case notice(GroupNotice)
}
