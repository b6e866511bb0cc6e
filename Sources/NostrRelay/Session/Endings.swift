public import NostrCore

/// How a relay's answer ended.
public enum RelayEnding: Hashable, Sendable {
    /// EOSE on the last page: it sent all that it holds.
    case complete
    /// The deadline came first; what came is kept.
    case deadline
    /// The relay closed the subscription.
    case closed(Reason)
    /// The relay wants to know who reads, and does not learn it.
    case unauthenticated(AuthenticationFailure)
    /// No connection, or it broke.
    case failed(TransportFailure)
    /// The relay was not asked at all.
    case notAsked(NotAsked)
}

extension RelayEnding {
    /// Whether the relay would show what was asked for to somebody it knows.
    package var wantsAuthentication: Bool {
        switch self {
        case .closed(let reason): reason.prefix == .authRequired
        case .unauthenticated: true
        case .complete, .deadline, .failed, .notAsked: false
        }
    }
}

/// Why a relay was not asked.
public enum NotAsked: Hashable, Sendable {
    /// The person forbids contact with it.
    case blocked
    /// Too much of what it sent lately was worth nothing.
    case distrusted(RelayStatistics.Distrust)
    /// It failed, and the next attempt comes after the deadline.
    case failedBefore(TransportFailure)
    /// It bears no more standing subscriptions; this one waits for one to end.
    case tooManySubscriptions
    /// Other relays' connections were all that may be open at once.
    case noFreeConnection
    /// The pool has ended.
    case shuttingDown
}

/// Why a relay that asks who we are was not told, or does not say that it believes it (NIP-42).
public enum AuthenticationFailure: String, Hashable, Sendable, CaseIterable {
    /// The person or the signer refused.
    case notSigned
    /// The relay did not answer the proof.
    case noAnswer
    /// The relay asked for a proof and sent no challenge for it.
    case noChallenge
}

/// What became of an event offered to one relay.
public enum PublishOutcome: Hashable, Sendable {
    /// OK true: the relay says it has it (also for `duplicate:`).
    case accepted(Reason)
    /// OK false.
    case rejected(Reason)
    /// The event was not offered: it is longer than the bytes that the relay says it takes.
    case tooLong(limit: Int)
    /// The relay wants to know who writes, and does not learn it.
    case unauthenticated(AuthenticationFailure)
    /// No OK in time.
    case timedOut
    /// No connection, or it broke first.
    case failed(TransportFailure)
    /// The person forbids contact with the relay.
    case blocked
    /// The pool has ended; this says nothing of the relay.
    case shuttingDown
}

/// What went wrong last at a relay.
public enum RelayProblem: Hashable, Sendable {
    /// No connection, or it broke.
    case failure(TransportFailure)
    /// The relay's own words to people (NOTICE), at most 200 characters.
    case notice(String)
    /// The relay closed a subscription; its text is at most 200 characters.
    case closed(Reason)
}
