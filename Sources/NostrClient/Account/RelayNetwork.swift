public import NostrCore
public import NostrNIPs
public import NostrRelay

/// The relays as use cases see them: the pool in the program, a script in tests.
public protocol RelayNetwork: Sendable {
    /// Asks each relay its filters; the stream ends when every relay has ended, at the latest at the deadline.
    func fetch(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> AsyncStream<FetchUpdate>
    /// Opens a standing subscription.
    func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription
    /// Offers an event to one relay.
    func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome
    /// How much work (NIP-13) an event must carry to be taken by all of some relays, in bits, as far as they say (NIP-11).
    func requiredWork(at relays: Set<RelayURL>, deadline: Duration) async -> Int
    /// What a relay says of itself (NIP-11); `nil` where it says nothing in time.
    func information(of relay: RelayURL, deadline: Duration) async -> RelayInformation?
    /// What is known of every relay met so far.
    func statistics() async -> [RelayURL: RelayStatistics]
    /// Relays that were read at earlier starts: one of these that is away is likely to come back.
    func expect(_ relays: Set<RelayURL>) async
    /// Asks the authenticator again what a relay may know: the key that could not sign before has come.
    func refreshConsent(of relay: RelayURL) async
    /// Tries a relay again at once if it is wanted: what stood in the way of contact is gone.
    func retryNow(_ relay: RelayURL) async
}

extension RelayNetwork {
    /// Nothing is tried again by itself where nothing stays open.
    public func expect(_ relays: Set<RelayURL>) async {}

    /// What says nothing of itself asks for nothing.
    public func requiredWork(at relays: Set<RelayURL>, deadline: Duration) async -> Int { 0 }

    /// A network of scripts says nothing of itself.
    public func information(of relay: RelayURL, deadline: Duration) async -> RelayInformation? { nil }

    /// Nothing to ask where nobody authenticates.
    public func refreshConsent(of relay: RelayURL) async {}

    /// Nothing rests where nothing stays open.
    public func retryNow(_ relay: RelayURL) async {}
}

extension RelayPool: RelayNetwork {}
