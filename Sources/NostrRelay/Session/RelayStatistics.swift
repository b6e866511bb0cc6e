/// What the pool remembers of a relay.
public struct RelayStatistics: Hashable, Sendable {
    /// How the connection stands.
    public enum State: Hashable, Sendable {
        case idle, connecting, connected, waiting(retryAfter: Duration), blocked
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
    /// The median time from request to first answer of the last 64 requests.
    public var latency: Duration?
    /// The last failure or refusal, in plain words.
    public var lastProblem: String?
    /// Whether it is not contacted until the person allows it: it is in a private network, and a stranger named it.
    public var awaitsPermission = false
    /// Why this relay is no longer believed, if so.
    public var distrusted: String?

    /// Nothing known yet.
    public init() {}
}
