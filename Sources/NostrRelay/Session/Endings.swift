public import NostrCore

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
