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
