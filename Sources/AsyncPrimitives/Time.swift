/// Time as one part of a program is given it: a clock to wait on, and the date.
///
/// Both come from outside, so that a test moves them by hand. `Date` is the date's own type: `Time<Timestamp>` for
/// everything of Nostr. The clock never goes back; the date may, when somebody sets the machine's clock.
public struct Time<Date: Sendable>: Sendable {
    /// What deadlines and pauses run on.
    public let clock: any Clock<Duration>
    /// The date now.
    public let now: @Sendable () -> Date
    /// How long the clock has run since this value was made: a moment to count with, where a date would jump.
    public let uptime: @Sendable () -> Duration

    /// Joins a clock and a date.
    ///
    /// - Parameters:
    ///   - clock: the machine's `ContinuousClock`, or one that a test moves.
    ///   - now: gives the date; called from any task.
    public init(clock: any Clock<Duration>, now: @escaping @Sendable () -> Date) {
        self.clock = clock
        self.now = now
        uptime = stopwatch(clock)
    }

    /// Waits for a span.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for span: Duration) async throws {
        try await clock.sleep(for: span)
    }

    /// Waits for a span; returns early when the task is cancelled, for loops that look at that themselves.
    public func pause(for span: Duration) async {
        // Being cancelled is the only way a sleep fails, and then there is nothing left to wait for.
        try? await clock.sleep(for: span)
    }

    /// Waits until ``uptime`` reaches a moment, at once if it has; returns early when the task is cancelled.
    public func pause(until moment: Duration) async {
        let span = moment - uptime()
        if span > .zero { await pause(for: span) }
    }
}

/// How long a clock has run since this call.
public func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
