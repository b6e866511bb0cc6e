public import NostrCore

/// Time as an account sees it: a clock to wait with, and the date.
public struct AccountTime: Sendable {
    /// What deadlines and pauses run on.
    public let clock: any Clock<Duration>
    /// The date now.
    public let now: @Sendable () -> Timestamp

    /// Takes both.
    public init(clock: any Clock<Duration>, now: @escaping @Sendable () -> Timestamp) {
        self.clock = clock
        self.now = now
    }

    /// Waits; returns early when cancelled.
    package func pause(_ duration: Duration) async {
        // Being cancelled is the one way a sleep fails, and then there is nothing left to wait for.
        try? await clock.sleep(for: duration)
    }
}
