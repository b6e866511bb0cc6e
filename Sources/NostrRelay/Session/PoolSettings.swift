/// What a pool takes, waits and bears.
public struct PoolSettings: Hashable, Sendable {
    /// How many sockets standing subscriptions may hold.
    public var maxConnections = 20
    /// How many more sockets one-shot queries and publishing may hold.
    public var spareConnections = 12
    /// How long a connection may take to come up.
    public var connectDeadline: Duration = .seconds(7)
    /// How long an unused connection stays open.
    public var idleClose: Duration = .seconds(30)
    /// How long a relay may be silent before it is pinged.
    public var pingInterval: Duration = .seconds(45)
    /// How long a pong may take.
    public var pingDeadline: Duration = .seconds(10)
    /// How far a resumed subscription goes back before the moment it broke.
    public var resumeOverlap: Duration = .seconds(600)
    /// The first wait after a failure; doubled each time.
    public var firstBackoff: Duration = .seconds(1)
    /// The longest wait after a failure.
    public var longestBackoff: Duration = .seconds(300)
    /// The first wait after a failure that will not mend itself soon: no such name, a bad certificate, a refusal.
    public var refusalBackoff: Duration = .seconds(60)
    /// How long a connection must hold before the waits start small again.
    public var stableAfter: Duration = .seconds(60)
    /// How many events of one page are asked for.
    public var pageSize = 500
    /// How many ids, authors or tag values one filter carries; longer lists are split.
    public var valuesPerFilter = 300
    /// How many filters one standing REQ carries; more are split.
    public var filtersPerRequest = 10
    /// How long to wait for a challenge, and for the answer to ours (NIP-42).
    public var authenticationWait: Duration = .seconds(10)
    /// How many events may wait for their OK on one relay.
    public var publishesInFlight = 32
    /// How many events with a wrong id are borne; a bad signature is borne never.
    public var wrongIDsBorne = 3
    /// How many events nobody asked for are borne.
    public var unaskedBorne = 10
    /// How many frames that cannot be read are borne.
    public var unreadableBorne = 20
    /// How many checked events are remembered, so that their copies need no check.
    public var rememberedEvents = 8192
    /// How many bytes those may take, roughly.
    public var rememberedBytes = 16 << 20
    /// How many events wait for one reader before the sockets that bring them are no longer read.
    public var waitingEvents = 4096

    /// The defaults.
    public init() {}
}
