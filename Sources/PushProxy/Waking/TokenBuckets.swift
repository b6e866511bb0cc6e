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

/// An allowance for each of many, of which those that used nothing lately are forgotten.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var since: Duration
    }

    private let allowance: TokenRate
    private let capacity: Int
    private var buckets: [Key: Bucket] = [:]

    /// - Parameter capacity: how many are remembered; when all of them are in use, newcomers are refused.
    init(_ allowance: TokenRate, capacity: Int) {
        self.allowance = allowance
        self.capacity = capacity
    }

    /// Spends one, if there is one.
    ///
    /// - Parameter now: time since any fixed moment.
    mutating func spend(_ key: Key, now: Duration) -> Bool {
        guard var bucket = current(key, now) else { return false }
        guard bucket.tokens >= 1 else { return false }
        bucket.tokens -= 1
        buckets[key] = bucket
        return true
    }

    /// Whether there is one to spend.
    mutating func has(_ key: Key, now: Duration) -> Bool {
        (current(key, now)?.tokens ?? 0) >= 1
    }

    private mutating func current(_ key: Key, _ now: Duration) -> Bucket? {
        guard let bucket = buckets[key] else {
            if buckets.count >= capacity { forgetFull(now) }
            return buckets.count < capacity ? Bucket(tokens: Double(allowance.burst), since: now) : nil
        }
        return refilled(bucket, now)
    }

    private func refilled(_ bucket: Bucket, _ now: Duration) -> Bucket {
        let gained = max(now - bucket.since, .zero) / allowance.refill
        return Bucket(tokens: min(bucket.tokens + gained, Double(allowance.burst)), since: now)
    }

    private mutating func forgetFull(_ now: Duration) {
        let full = Double(allowance.burst)
        buckets = buckets.filter { refilled($0.value, now).tokens < full }
    }
}
