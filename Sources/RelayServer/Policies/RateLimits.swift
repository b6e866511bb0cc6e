internal import NostrCore
internal import Synchronization

/// A number of things allowed at once, filling up again over time.
public struct Allowance: Hashable, Sendable {
    /// How many at once.
    public var burst: Int
    /// The time in which one more is allowed.
    public var refill: Duration

    /// Allows `burst` at once, and one more each time `refill` has passed.
    public init(burst: Int, refill: Duration) {
        self.burst = burst
        self.refill = refill
    }
}

/// Refuses questions of a connection that asks faster than allowed.
///
/// - Parameter elapsed: the time since some fixed moment, by a clock that never goes back.
public func limitQuestions(
    to allowance: Allowance, elapsed: @escaping @Sendable () -> Duration
) -> FilterPolicy {
    let buckets = Buckets(allowance)
    return { _, client in
        buckets.spend(client.connection, at: elapsed())
            ? .accept : .refuse(Reason(.rateLimited, "too many questions; wait a moment"))
    }
}

/// Refuses events of a connection that publishes faster than allowed.
///
/// - Parameter elapsed: the time since some fixed moment, by a clock that never goes back.
public func limitEvents(
    to allowance: Allowance, elapsed: @escaping @Sendable () -> Duration
) -> EventPolicy {
    let buckets = Buckets(allowance)
    return { _, client in
        buckets.spend(client.connection, at: elapsed())
            ? .accept : .refuse(Reason(.rateLimited, "too many events; wait a moment"))
    }
}

/// One bucket of tokens per connection; full ones are forgotten.
private final class Buckets: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Duration
    }

    private let buckets = Mutex<[UInt64: Bucket]>([:])
    private let allowance: Allowance
    /// When there are more, the full ones go.
    private let sweepAbove = 1024

    init(_ allowance: Allowance) {
        self.allowance = allowance
    }

    func spend(_ connection: UInt64, at now: Duration) -> Bool {
        buckets.withLock { buckets in
            if buckets.count > sweepAbove {
                buckets = buckets.filter { refilled($0.value, at: now) < Double(allowance.burst) }
            }
            let old = buckets[connection] ?? Bucket(tokens: Double(allowance.burst), at: now)
            let tokens = refilled(old, at: now)
            guard tokens >= 1 else {
                buckets[connection] = Bucket(tokens: tokens, at: now)
                return false
            }
            buckets[connection] = Bucket(tokens: tokens - 1, at: now)
            return true
        }
    }

    private func refilled(_ bucket: Bucket, at now: Duration) -> Double {
        min(Double(allowance.burst), bucket.tokens + max(.zero, now - bucket.at) / allowance.refill)
    }
}
