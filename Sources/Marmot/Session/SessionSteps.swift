public import NostrCore
public import NostrNIPs

// What goes into a ``GroupSession`` and what comes out of it.

/// What happened to a group.
public enum SessionInput: Hashable, Sendable {
    /// An event came, by a subscription or a fetch, from any relay and any number of times.
    case event(Event)
    /// A relay took the event of our commit.
    case accepted(EventID)
    /// All relays refused the event of our commit.
    case rejected(EventID)
    /// No relay has the event of our commit; where one has, give it as ``event(_:)``.
    case notFound(EventID)
    /// The Welcomes of our commit are stored and will be sent.
    case welcomed(EventID)
    /// Somebody says, over their signature, that the group is in an epoch; it counts if they are another member.
    case vouched(by: PublicKey, epoch: UInt64)
    /// Relays gave everything they have that was asked for.
    case caughtUp
    /// No relay of the group is connected.
    case disconnected
    /// Time passed.
    case tick
    /// The program starts.
    case restarted
}

/// What is to be done for a group.
public enum SessionEffect: Sendable {
    /// Store and show what a member said.
    case message(GroupMessage)
    /// Show that somebody asks to be let go.
    case leaveRequested(by: PublicKey)
    /// The group is in another epoch; show what changed.
    case entered(AllowedCommit, by: RivalCommit)
    /// What was said and changed after this epoch was in a branch that came to nothing.
    case wentBack(to: UInt64)
    /// Publish an event until all relays of the group took it, or will not; store it first.
    case offer(Event)
    /// Send the event of our commit to the group's relays; answer ``SessionInput/accepted(_:)`` or
    /// ``SessionInput/rejected(_:)``.
    case publish(Event)
    /// Ask the group's relays for the event of our commit; answer ``SessionInput/event(_:)`` or
    /// ``SessionInput/notFound(_:)``.
    case fetchBack(EventID)
    /// Store these Welcomes, to be wrapped and sent; then answer ``SessionInput/welcomed(_:)``.
    case welcome([Welcoming], of: EventID)
    /// Subscribe with ``GroupSession/filter`` at the group's relays: the keys, the relays or the time changed.
    case subscribe
    /// Ask relays for all since then; then answer ``SessionInput/caughtUp``.
    ///
    /// - Parameter everywhere: whether to ask every relay that the group ever named, and not only those it names now.
    case refetch(since: Timestamp, everywhere: Bool)
    /// Ask the members for an answer, by something said to the group: whoever is ahead of us is to say so, over their
    /// signature; give that as ``SessionInput/vouched(by:epoch:)``.
    case askMembers
    /// Ask an admin to take us out and in again.
    case askReadmission
    /// A change that waited cannot be made any more.
    case dropped(GroupChange, MarmotError)
    /// Tell the person.
    case notice(GroupNotice)
}

/// A Welcome for one of those that a commit added.
public struct Welcoming: Hashable, Sendable {
    /// For whom.
    public let person: PublicKey
    /// To be sealed, wrapped and sent.
    public let rumor: Rumor
}
