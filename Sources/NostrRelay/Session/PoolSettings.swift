/// What a pool takes, waits and bears.
public struct PoolSettings: Hashable, Sendable {
    /// Sockets: how many, and how long they may be silent.
    public struct Connections: Hashable, Sendable {
        /// How many sockets standing subscriptions may hold.
        public var standing = 20
        /// How many more sockets one-shot queries and publishing may hold.
        public var spare = 12
        /// How long a connection may take to come up.
        public var deadline: Duration = .seconds(7)
        /// How long an unused connection stays open.
        public var idleClose: Duration = .seconds(30)
        /// How long a relay may be silent before it is pinged.
        public var pingInterval: Duration = .seconds(45)
        /// How long a pong may take.
        public var pingDeadline: Duration = .seconds(10)
    }

    /// The waits after connections that failed.
    public struct Retries: Hashable, Sendable {
        /// The first wait after a failure; doubled each time.
        public var first: Duration = .seconds(1)
        /// The longest wait after a failure.
        public var longest: Duration = .seconds(300)
        /// The longest wait for a relay that was connected before: what came there meanwhile is waited for.
        public var longestAfterUse: Duration = .seconds(45)
        /// The first wait after a failure that will not mend itself soon: no such name, a bad certificate, a refusal.
        public var afterRefusal: Duration = .seconds(60)
        /// How long a connection must hold before the waits start small again.
        public var stableAfter: Duration = .seconds(60)
    }

    /// What goes into one request, and how many wait for an answer.
    public struct Requests: Hashable, Sendable {
        /// How many events of one page are asked for.
        public var pageSize = 500
        /// How many ids, authors or tag values one filter carries; longer lists are split.
        public var valuesPerFilter = 300
        /// How many filters one standing REQ carries; more are split.
        public var filtersPerRequest = 10
        /// How many events may wait for their OK on one relay.
        public var publishesInFlight = 32
        /// How far a resumed subscription goes back before the moment it broke: events reach relays late, and clocks
        /// differ.
        public var resumeOverlap: Duration = .seconds(3 * 3600)
        /// How long to wait for a challenge, and for the answer to ours (NIP-42).
        public var authenticationWait: Duration = .seconds(10)
    }

    /// What is borne of a relay before it is not read for a while.
    ///
    /// Bad messages are events with a wrong id or signature, events nobody asked for, and what cannot be read. Each is
    /// dropped and counted; as a stranger may have put it there, only a large share counts against the relay.
    public struct Tolerance: Hashable, Sendable {
        /// How many bad messages within ``span`` are borne whatever their share.
        public var fewest = 50
        /// The share of bad messages within ``span`` that is not borne, up to 1.
        public var share = 0.25
        /// The time in which messages are counted together.
        public var span: Duration = .seconds(60)
        /// How long the relay is not read the first time; doubled each further time.
        public var pause: Duration = .seconds(300)
        /// How long it is not read at most.
        public var longestPause: Duration = .seconds(4 * 3600)
    }

    /// What is kept of events on their way.
    public struct Memory: Hashable, Sendable {
        /// How many checked events are remembered, so that their copies need no check.
        public var events = 8192
        /// How many bytes those may take, roughly.
        public var bytes = 16 << 20
        /// How many events wait for one reader before the sockets that bring them are no longer read.
        public var waitingEvents = 4096
    }

    /// Sockets: how many, and how long they may be silent.
    public var connections = Connections()
    /// The waits after connections that failed.
    public var retries = Retries()
    /// What goes into one request, and how many wait for an answer.
    public var requests = Requests()
    /// What is borne of a relay before it is not read for a while.
    public var tolerance = Tolerance()
    /// What is kept of events on their way.
    public var memory = Memory()

    /// The defaults.
    public init() {}
}
