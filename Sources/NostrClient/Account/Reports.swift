public import NostrCore
public import NostrRelay

/// What one relay said about one event.
public struct PublishReceipt: Hashable, Sendable {
    /// Why a relay was chosen.
    public enum Purpose: Hashable, Sendable {
        /// The account writes there.
        case ownWrite
        /// This person reads there, and the event mentions them.
        case readOf(PublicKey)
        /// It is asked by everybody for profiles and lists.
        case indexer
        /// What the event belongs to is kept there: the votes of a poll, the chat of a live stream.
        case conversation
    }

    /// How an event stands at a relay.
    public enum State: Hashable, Sendable {
        /// To be offered, again after some attempts.
        case waiting(attempts: Int, next: Timestamp)
        /// The relay has it since then.
        case accepted(Timestamp)
        /// No longer offered after so many attempts, because of this answer.
        case givenUp(PublishAnswer, attempts: Int)
    }

    /// Where the event was offered.
    public var relay: RelayURL
    /// Why it was chosen.
    public var purpose: Purpose
    /// How the event stands there.
    public var state: State
    /// What the relay (or the network) said last.
    public var lastAnswer: PublishAnswer?

    /// A receipt of what is known at this moment; later answers make another.
    public init(relay: RelayURL, purpose: Purpose, state: State, lastAnswer: PublishAnswer?) {
        self.relay = relay
        self.purpose = purpose
        self.state = state
        self.lastAnswer = lastAnswer
    }
}

/// What a relay, or the network on the way to it, answered to an event.
public enum PublishAnswer: Hashable, Sendable {
    /// What the pool learned.
    case outcome(PublishOutcome)
    /// A record of a version that kept the words alone.
    case said(String)

    /// Whether the relay would take the event from somebody it knows.
    public var wantsAuthentication: Bool {
        if case .outcome(let outcome) = self { outcome.wantsAuthentication } else { false }
    }

    /// Whether the relay would take the event with more work in it (NIP-13).
    var wantsWork: Bool {
        if case .outcome(.rejected(let reason)) = self { reason.prefix == .pow } else { false }
    }
}

/// One relay in use.
public struct RelayReport: Hashable, Sendable {
    /// Its address.
    public var relay: RelayURL
    /// What the pool remembers of it.
    public var statistics: RelayStatistics
    /// Followed authors read from here.
    public var authors: [PublicKey]
    /// Whether it is on the account's own list to read, to write.
    public var isOwnRead: Bool, isOwnWrite: Bool

    /// A report of this moment.
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
    /// How the relays of an author were found.
    public enum Basis: Hashable, Sendable {
        /// The author's own list (NIP-65).
        case relayList
        /// What others say, and where the author was seen.
        case hints
        /// Neither; relays that know everybody are asked.
        case indexers
    }

    /// The author.
    public var person: Person
    /// The relays asked, and how each ended (`nil` while it runs).
    public var asked: [RelayURL: RelayEnding?]
    /// Events of this author from each relay.
    public var received: [RelayURL: Int]
    /// Until when each relay was heard about this author, at this start or an earlier one.
    public var heardUntil: [RelayURL: Timestamp]
    /// From when on everything each relay holds of this author was heard.
    public var heardSince: [RelayURL: Timestamp]
    /// How those relays were found.
    public var basis: Basis

    /// Coverage as far as relays have answered.
    public init(
        person: Person, asked: [RelayURL: RelayEnding?], received: [RelayURL: Int],
        heardUntil: [RelayURL: Timestamp] = [:], heardSince: [RelayURL: Timestamp] = [:], basis: Basis
    ) {
        self.person = person
        self.asked = asked
        self.received = received
        self.heardUntil = heardUntil
        self.heardSince = heardSince
        self.basis = basis
    }
}
