/// The work took longer than it was given.
public struct DeadlinePassed: Error, Hashable, Sendable, CustomStringConvertible {
    /// How long it was given.
    public let deadline: Duration

    /// - Parameter deadline: how long the work was given, not how long it took.
    public init(after deadline: Duration) {
        self.deadline = deadline
    }

    public var description: String { "not done within \(deadline)" }
}

/// Runs work that must be done in time, or fails by name.
///
/// When the time is over the work is cancelled, and the call returns as soon as the work has ended: work that pays no
/// heed to cancellation is waited for. When the calling task is cancelled, the work is, and what it answers counts.
///
/// - Parameters:
///   - deadline: how long the work may take; zero or less lets it run to its first wait at most.
///   - clock: what the deadline runs on.
///   - failure: thrown when the time is over; ``DeadlinePassed`` where nothing better is said.
/// - Throws: `failure`, or what the work throws.
public func withDeadline<Value: Sendable>(
    _ deadline: Duration, on clock: any Clock<Duration>, throwing failure: any Error,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    guard let value = try await race(work, against: { try await sleepInSteps(for: deadline, on: clock) }) else {
        throw failure
    }
    return value
}

/// Runs work that must be done in time.
///
/// As ``withDeadline(_:on:throwing:_:)``, for a deadline that is an expected outcome: the clock is asked once.
///
/// - Returns: `nil` when the time is over first.
/// - Throws: what the work throws.
public func withDeadline<Value: Sendable, Failure: Error>(
    _ deadline: Duration, on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value? {
    try await race(work, against: { try await clock.sleep(for: deadline) })
}

/// Runs work until it is done or a sleep is over.
///
/// - Returns: `nil` when the sleep is over first.
func race<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> Value,
    against sleep: @escaping @Sendable () async throws -> Void
) async throws(Failure) -> Value? {
    let first = await withTaskGroup(of: Race<Value, Failure>.self) { group in
        group.addTask {
            do throws(Failure) { return .done(.success(try await work())) } catch { return .done(.failure(error)) }
        }
        group.addTask {
            // A sleep fails only when it is cancelled: by us, the work being done, or with the caller, and then the
            // work answers.
            do { try await sleep() } catch { return .stopped }
            return .passed
        }
        defer { group.cancelAll() }
        while let next = await group.next() {
            if case .stopped = next { continue }
            return next
        }
        return .stopped
    }
    guard case .done(let result) = first else { return nil }
    return try result.get()
}

/// A sleep whose end is fixed now, whenever it is begun.
func sleeping<Ticking: Clock>(for span: Duration, on clock: Ticking) -> @Sendable () async throws -> Void
where Ticking.Duration == Duration {
    let end = clock.now.advanced(by: span)
    return { try await clock.sleep(until: end, tolerance: nil) }
}

/// Sleeps in steps that double, so that a deadline nobody waits for any more costs nothing for long.
///
/// A cancelled sleep ends at once, but what the system was asked to wake lies in its queue until its moment has come
/// (swift_task_enqueueGlobalWithDeadline has no counterpart that takes back). Many small works under a long deadline would
/// leave so many of these behind that freed memory could not go back to the system. This way one stays for about as long
/// as the work took. For thousands of works a second there is ``CommonDeadline``.
private func sleepInSteps<Ticking: Clock>(for duration: Duration, on clock: Ticking) async throws
where Ticking.Duration == Duration {
    let end = clock.now.advanced(by: duration)
    var step = Duration.milliseconds(250)
    repeat {
        try await clock.sleep(for: min(step, clock.now.duration(to: end)))
        step += step
    } while clock.now < end
}

/// What ends first, the work or its time.
private enum Race<Value: Sendable, Failure: Error>: Sendable {
    case done(Result<Value, Failure>)
    case passed
    /// Nobody waits for the deadline any more.
    case stopped
}
