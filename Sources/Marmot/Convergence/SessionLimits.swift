internal import MLS

/// How long a ``GroupSession`` waits for relays and others, and how much it keeps.
///
/// Source: MIP-03 for what is said of snapshots, age and skew; the rest is ours.
public struct SessionLimits: Hashable, Sendable {
    /// How many events wait at most.
    public var waitingEvents = 512
    /// How many bytes wait at most.
    public var waitingBytes = 8 << 20
    /// How many events, messages and rumors are remembered at most, of each.
    public var remembered = 1024
    /// How long a relay has to take a commit, and to give it back; doubled with every attempt.
    public var answer: Duration = .seconds(10)
    /// How often a commit is published, and how often fetched.
    public var attempts: UInt8 = 4
    /// How long after it was made a commit is still published.
    ///
    /// A later one would undo, by its early date, what others did meanwhile.
    public var freshness: Duration = .seconds(60)
    /// How long a snapshot is kept.
    ///
    /// Source: MIP-03.
    public var snapshotLife: Duration = .seconds(7 * 86_400)
    /// How many events in a row that do not open show that we may be out of step.
    public var stalledRun = 5
    /// How long such a run waits for the commit that opens it.
    public var stalledWait: Duration = .seconds(30)
    /// How long any other event waits before relays are asked for what opens it.
    public var patience: Duration = .seconds(3600)
    /// How long relays have to give everything they have; doubled with every attempt.
    public var fetching: Duration = .seconds(60)
    /// How far back a soft resync asks.
    ///
    /// Source: Whistle.
    public var resync: Duration = .seconds(30 * 86_400)
    /// How far what is asked for overlaps with what is known; more than clocks differ.
    public var overlap: Duration = .seconds(600)
    /// How long we leave to others what all may commit, and how long we wait to renew our keys after we joined.
    ///
    /// A ``GroupSession`` waits longer the later its place in the group is, so that members do not all commit at once.
    public var spread: Duration = .seconds(5)
    /// How often we renew our keys.
    ///
    /// Shape: 1 to 30 days; outside of that the nearest.
    public var renewal: Duration {
        get { kept }
        set { kept = min(max(newValue, .seconds(86_400)), .seconds(30 * 86_400)) }
    }
    private var kept: Duration = .seconds(7 * 86_400)

    /// The limits most callers want.
    public init() {}
}

extension SessionLimits {
    /// How many members have turns of their own; whoever comes after shares one.
    private static let turns: UInt32 = 60

    /// The limits of the member at a place: each leaves to those before it what all may commit.
    ///
    /// What is to be done after a change falls to all members at the same time, and so to all at once, were it not for
    /// this. Turns are counted from when each heard of it: they do not need clocks that agree.
    func inTurn(at place: LeafIndex) -> SessionLimits {
        var limits = self
        limits.spread = spread * (1 + Int(place.rawValue % Self.turns))
        return limits
    }
}
