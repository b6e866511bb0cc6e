public import NostrCore
public import NostrRelay

/// What one relay said about one event.
public struct PublishReceipt: Hashable, Sendable {
    public var relay: RelayURL
    /// Why this relay was chosen.
    public enum Purpose: Hashable, Sendable {
        case ownWrite, readOf(PublicKey), indexer
    }
    public var purpose: Purpose
    /// How it stands.
    public enum State: Hashable, Sendable {
        case waiting(attempts: Int, next: Timestamp)
        case accepted(Timestamp)
        case givenUp(String)
    }
    public var state: State
    /// What the relay (or the network) said last.
    public var lastAnswer: String?
    public init(relay: RelayURL, purpose: Purpose, state: State, lastAnswer: String?) {
        self.relay = relay
        self.purpose = purpose
        self.state = state
        self.lastAnswer = lastAnswer
    }
}

/// One relay in use.
public struct RelayReport: Hashable, Sendable {
    public var relay: RelayURL
    public var statistics: RelayStatistics
    /// Followed authors read from here.
    public var authors: [PublicKey]
    /// Whether it is on one's own list to read, to write.
    public var isOwnRead: Bool, isOwnWrite: Bool
    public init(
        relay: RelayURL, statistics: RelayStatistics, authors: [PublicKey], isOwnRead: Bool, isOwnWrite: Bool
    ) {
        self.relay = relay
        self.statistics = statistics
        self.authors = authors
        self.isOwnRead = isOwnRead
        self.isOwnWrite = isOwnWrite
    }
}

/// What was asked for one author, and what came.
public struct AuthorCoverage: Hashable, Sendable {
    public var person: Person
    /// The relays asked, and how each ended (`nil` while it runs).
    public var asked: [RelayURL: RelayEnding?]
    /// Events of this author from each relay.
    public var received: [RelayURL: Int]
    /// Whether the author has a relay list, or was found by hints or indexers.
    public enum Basis: Hashable, Sendable { case relayList, hints, indexers }
    public var basis: Basis
    public init(person: Person, asked: [RelayURL: RelayEnding?], received: [RelayURL: Int], basis: Basis) {
        self.person = person
        self.asked = asked
        self.received = received
        self.basis = basis
    }
}
