public import NostrCore

/// What a one-shot query yields while it runs.
///
/// Source: NIP-01.
public enum FetchUpdate: Hashable, Sendable {
    /// Checked events that match what was asked of this relay.
    case events([Event], from: RelayURL)
    /// This relay has said all it will say; the stream ends when every asked relay has.
    case ended(RelayURL, RelayEnding)
}

/// How a relay's answer ended.
public enum RelayEnding: Hashable, Sendable {
    /// EOSE on the last page: it sent all that it holds.
    case complete
    /// The deadline came first; what came is kept.
    case deadline
    /// The relay closed the subscription.
    case closed(Reason)
    /// No connection, or it broke.
    case failed(TransportFailure)
    /// Back-off, a block, or distrust: not asked at all.
    case notAsked(String)
}

/// What a standing subscription yields.
public enum LiveUpdate: Hashable, Sendable {
    /// Checked events that match what was asked of this relay, stored or new.
    case events([Event], from: RelayURL)
    /// This relay has sent its stored events and is live now; again after every reconnect.
    case live(RelayURL)
    /// This relay went away; the pool reconnects and resumes by itself.
    case interrupted(RelayURL, RelayEnding)
}

/// A standing subscription over many relays; ends when cancelled or released.
public protocol LiveSubscription: Sendable {
    /// The updates, at most 4096 waiting (then the socket is not read). Iterate once.
    var updates: AsyncStream<LiveUpdate> { get }
    /// Replaces what is asked of which relay; relays no longer named are left.
    func change(to requests: [RelayURL: [Filter]]) async
    /// Ends it.
    func cancel() async
}

/// What became of an event offered to one relay.
public enum PublishOutcome: Hashable, Sendable {
    /// OK true: the relay says it has it (also for `duplicate:`).
    case accepted(Reason)
    /// OK false.
    case rejected(Reason)
    /// No OK in time.
    case timedOut
    /// No connection, or it broke first.
    case failed(TransportFailure)
    /// Blocked by the person, or not a relay to be trusted with it.
    case notAsked(String)
}

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
    /// Why this relay is no longer believed, if so.
    public var distrusted: String?

    /// Nothing known yet.
    public init() {}
}
