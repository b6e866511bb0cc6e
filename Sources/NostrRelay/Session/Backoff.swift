/// How long to wait before the next attempt: doubling, with jitter, so that many clients do not come back at once.
struct Backoff: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var attempts = 0

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The wait after one more failure.
    ///
    /// - Parameters:
    ///   - atLeast: the least it starts from.
    ///   - jitter: 0..<1; the wait is between half and all of the full span.
    mutating func next(atLeast: Duration = .zero, jitter: Double) -> Duration {
        // 20 doublings of any sensible first wait exceed any sensible longest one.
        let full = min(longest, max(first, atLeast) * (1 << min(attempts, 20)))
        attempts += 1
        return full * (0.5 + jitter / 2)
    }

    /// A connection held: start small again.
    mutating func reset() {
        attempts = 0
    }
}
