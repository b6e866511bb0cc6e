public import NostrCore

/// Time as one side of remote signing sees it: a clock to wait with, and the date.
public struct RemoteTime: Sendable {
    /// What deadlines and pauses run on.
    public let clock: any Clock<Duration>
    /// The date now.
    public let now: @Sendable () -> Timestamp
    /// How long the clock has run since this was made.
    let uptime: @Sendable () -> Duration

    /// Takes both.
    public init(clock: any Clock<Duration>, now: @escaping @Sendable () -> Timestamp) {
        self.clock = clock
        self.now = now
        uptime = Self.stopwatch(clock)
    }

    /// Waits until a moment of ``uptime``; returns early when cancelled.
    func pause(until moment: Duration) async {
        let span = moment - uptime()
        // Being cancelled is the one way a sleep fails, and then there is nothing left to wait for.
        if span > .zero { try? await clock.sleep(for: span) }
    }

    /// Waits; returns early when cancelled.
    func pause(_ duration: Duration) async {
        // As above.
        try? await clock.sleep(for: duration)
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
