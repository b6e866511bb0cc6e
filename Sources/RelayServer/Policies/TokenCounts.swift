/// A number of tokens for each of a bounded number of clients, filling up again over time: an ``Allowance`` at work.
///
/// Full counts are forgotten; where there are still too many, those go that were used longest ago.
struct TokenCounts<Key: Hashable & Sendable>: Sendable {
    private struct Count {
        var tokens: Double
        var at: Duration
    }

    private var counts: [Key: Count] = [:]
    private let allowance: Allowance
    private let capacity: Int

    /// - Parameter capacity: how many clients are remembered.
    init(_ allowance: Allowance, capacity: Int = 8192) {
        (self.allowance, self.capacity) = (allowance, capacity)
    }

    /// How many clients are remembered.
    var count: Int { counts.count }

    /// How many tokens a client has.
    func tokens(of key: Key, at now: Duration) -> Int {
        counts[key].map { Int(refilled($0, at: now)) } ?? allowance.burst
    }

    /// Takes a token, if there is one.
    mutating func spend(_ key: Key, at now: Duration) -> Bool {
        let tokens = counts[key].map { refilled($0, at: now) } ?? Double(allowance.burst)
        let isEnough = tokens >= 1
        set(key, to: isEnough ? tokens - 1 : tokens, at: now)
        return isEnough
    }

    /// Takes as many tokens as there are, at most so many.
    mutating func take(_ some: Int, from key: Key, at now: Duration) {
        guard some > 0 else { return }
        let tokens = counts[key].map { refilled($0, at: now) } ?? Double(allowance.burst)
        set(key, to: max(0, tokens - Double(some)), at: now)
    }

    private mutating func set(_ key: Key, to tokens: Double, at now: Duration) {
        if counts[key] == nil, counts.count >= capacity { forget(at: now) }
        counts[key] = Count(tokens: tokens, at: now)
    }

    /// Makes room for half of all, so that it need not be done each time.
    private mutating func forget(at now: Duration) {
        counts = counts.filter { refilled($0.value, at: now) < Double(allowance.burst) }
        guard counts.count > capacity / 2 else { return }
        let newest = counts.sorted { $0.value.at > $1.value.at }.prefix(capacity / 2)
        counts = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }

    private func refilled(_ count: Count, at now: Duration) -> Double {
        min(Double(allowance.burst), count.tokens + max(.zero, now - count.at) / allowance.refill)
    }
}
