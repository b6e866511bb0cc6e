/// What the pool remembers of a relay.
public struct RelayStatistics: Hashable, Sendable {
    /// How the connection stands.
    public enum State: Hashable, Sendable {
        case idle, connecting, connected, waiting(retryAfter: Duration), blocked
    }

    /// Too much of what a relay sent lately was worth nothing.
    public struct Distrust: Hashable, Sendable {
        /// How many of its messages were forged, unasked for or unreadable.
        public var bad: Int
        /// How many messages those were among.
        public var all: Int
        /// How long it is not read.
        public var pause: Duration

        /// So many bad ones among all, hence a pause.
        public init(bad: Int, all: Int, pause: Duration) {
            (self.bad, self.all, self.pause) = (bad, all, pause)
        }
    }

    /// How the connection stands.
    public var state: State = .idle
    /// Connections opened.
    public var connects = 0
    /// Connections that failed or broke.
    public var failures = 0
    /// Checked events received, each once per relay.
    public var events = 0
    /// Events that another relay, or this one, had sent before.
    public var duplicates = 0
    /// Events with a wrong id or signature.
    public var forged = 0
    /// Events nobody asked this relay for.
    public var unasked = 0
    /// Messages that could not be read.
    public var unreadable = 0
    /// The median time from request to first answer of the last 64 requests.
    public var latency: Duration?
    /// The last failure or refusal.
    public var lastProblem: RelayProblem?
    /// Whether it is not contacted until the person allows it: it is in a private network, and a stranger named it.
    public var awaitsPermission = false
    /// Whether it asks who reads, or says that it can (NIP-42); `nil` while it has said neither.
    public var authenticates: Bool?
    /// Whether only some people may write there, or those who pay, by its own word (NIP-11); `nil` while it has not said.
    public var restrictsWrites: Bool?
    /// Whether it was read at an earlier start, so that it is likely to come back when it is away.
    public var isExpected = false
    /// Why nothing is read from this relay for now, if so; what is written goes there all the same.
    public var distrusted: Distrust?

    /// Nothing known yet.
    public init() {}
}
