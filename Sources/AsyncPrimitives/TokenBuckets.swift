/// How often something may happen: so often at once, and then again and again after a while.
public struct TokenRate: Hashable, Sendable {
    /// How often at once.
    public var burst: Int
    /// How long until one more is allowed.
    public var refill: Duration

    /// Allows `burst` at once, and one more each time `refill` has passed.
    public init(burst: Int, refill: Duration) {
        self.burst = burst
        self.refill = refill
    }
}

/// An allowance for each of many, of whom those that used it longest ago are forgotten.
///
/// Whoever is forgotten has the whole allowance again, and so has a newcomer: somebody who invents many cannot have others
/// refused.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var since: Duration
    }

    private let allowance: TokenRate
    private var buckets: RecentValues<Key, Bucket>

    /// - Parameter capacity: how many are remembered at most.
    package init(_ allowance: TokenRate, capacity: Int = 8192) {
        self.allowance = allowance
        buckets = RecentValues(capacity: capacity)
    }

    /// Spends one, if there is one.
    ///
    /// - Parameter now: time since any fixed moment.
    package mutating func spend(_ key: Key, now: Duration) -> Bool {
        var bucket = current(key, now)
        let isSpent = bucket.tokens >= 1
        if isSpent { bucket.tokens -= 1 }
        // Also who is refused uses the allowance: going on does not make them forgotten.
        buckets.set(bucket, for: key)
        return isSpent
    }

    /// Spends as many as there are, at most so many.
    ///
    /// - Parameter now: time since any fixed moment.
    package mutating func spend(upTo some: Int, of key: Key, now: Duration) {
        guard some > 0 else { return }
        var bucket = current(key, now)
        bucket.tokens = max(bucket.tokens - Double(some), 0)
        buckets.set(bucket, for: key)
    }

    /// How many there are to spend.
    ///
    /// - Parameter now: time since any fixed moment.
    package func tokens(of key: Key, now: Duration) -> Int { Int(current(key, now).tokens) }

    private func current(_ key: Key, _ now: Duration) -> Bucket {
        let full = Double(allowance.burst)
        guard let bucket = buckets[key] else { return Bucket(tokens: full, since: now) }
        let gained = max(now - bucket.since, .zero) / allowance.refill
        return Bucket(tokens: min(bucket.tokens + gained, full), since: now)
    }
}
