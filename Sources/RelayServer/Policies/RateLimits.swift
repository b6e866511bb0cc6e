public import AsyncPrimitives
public import NostrCore
internal import Synchronization

/// Refuses questions of a client that asks faster than allowed.
///
/// - Parameter elapsed: the time since some fixed moment, by a clock that never goes back.
public func limitQuestions(
    to allowance: TokenRate, elapsed: @escaping @Sendable () -> Duration
) -> FilterPolicy {
    let buckets = Buckets(allowance)
    return { _, client in
        buckets.spend(client.spender, at: elapsed())
            ? .accept : .refuse(Reason(.rateLimited, "too many questions; wait a moment"))
    }
}

/// Refuses events of a client that publishes faster than allowed.
///
/// - Parameters:
///   - elapsed: the time since some fixed moment, by a clock that never goes back.
///   - isCounted: which events this is about; all, where none is given.
public func limitEvents(
    to allowance: TokenRate, elapsed: @escaping @Sendable () -> Duration,
    where isCounted: @escaping @Sendable (Event) -> Bool = { _ in true }
) -> EventPolicy {
    let buckets = Buckets(allowance)
    return { event, client in
        !isCounted(event) || buckets.spend(client.spender, at: elapsed())
            ? .accept : .refuse(Reason(.rateLimited, "too many events; wait a moment"))
    }
}

/// Whose allowance it is.
private enum Spender: Hashable {
    case connection(UInt64)
    case network(IPAddress)
}

extension ClientContext {
    /// The address, where it is one of the internet: connecting anew gives no new allowance.
    ///
    /// An address of this machine or of a near network may be a proxy's, behind which there are many, so there it is the
    /// connection.
    fileprivate var spender: Spender {
        guard let address = IPAddress(peer), !address.isPrivate else { return .connection(connection) }
        return .network(address.network)
    }
}

/// The tokens of all clients of one policy.
private final class Buckets: Sendable {
    private let tokens: Mutex<TokenBuckets<Spender>>

    init(_ allowance: TokenRate) {
        tokens = Mutex(TokenBuckets(allowance))
    }

    func spend(_ spender: Spender, at now: Duration) -> Bool {
        tokens.withLock { $0.spend(spender, now: now) }
    }
}
