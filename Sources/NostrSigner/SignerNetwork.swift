public import NostrCore
public import NostrRelay

/// The relays as a signer sees them: the pool in the program, a script in tests.
public protocol SignerNetwork: Sendable {
    /// Opens a standing subscription.
    func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription
    /// Offers an event to one relay.
    func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome
    /// What is known of every relay met so far.
    func statistics() async -> [RelayURL: RelayStatistics]
}

extension RelayPool: SignerNetwork {}
