public import NostrCore

/// What one relay gave of what others sent to the account.
public struct InboundCoverage: Hashable, Sendable {
    /// What was sent.
    public enum Sort: String, Hashable, Sendable, CaseIterable {
        /// Private messages, at the relays where the account receives them (kind 10050).
        case messages
        /// What names the account: replies, reactions, mentions, receipts; at the relays it reads (NIP-65).
        case notifications
    }

    /// How the question for all of it stands since the start.
    public enum Standing: Hashable, Sendable {
        case notAsked, asking, complete, failed
    }

    /// The relay.
    public var relay: RelayURL
    /// What was sent.
    public var sort: Sort
    /// How the question for it stands.
    public var standing: Standing
    /// Until when all the relay holds has come, at this start or an earlier one; `nil` when never.
    public var heardUntil: Timestamp?
    /// How many events came from there, over restarts.
    public var received: Int

    /// What is known at this moment.
    public init(relay: RelayURL, sort: Sort, standing: Standing, heardUntil: Timestamp?, received: Int) {
        self.relay = relay
        self.sort = sort
        self.standing = standing
        self.heardUntil = heardUntil
        self.received = received
    }
}
