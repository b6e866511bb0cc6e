internal import Synchronization

/// One deadline for each of many small works, all of the same length, with one timer for all of them.
///
/// A timer for each costs more than a small work does: thousands of answers a second, each under ``withDeadline(_:on:_:)``,
/// keep a thread busy with nothing else (swift_task_enqueueGlobalWithDeadline has no counterpart that takes back, so each
/// timer stays until its moment). Here the next is set when the one before has passed, for whatever is then the oldest.
public final class CommonDeadline: Sendable {
    private struct State {
        var lastNumber = 0
        /// Works in the order in which they began, which is that of their ends; also some that are done.
        var begun: [(number: Int, end: Duration)] = []
        /// Where `begun` begins: what is before is done.
        var first = 0
        /// How to end what is under way.
        var underWay: [Int: @Sendable () -> Void] = [:]
        var isWatching = false

        /// Takes out what is to be ended now, and says how long until the next may be; `nil` when nothing is under way.
        mutating func passed(at moment: Duration) -> (late: [@Sendable () -> Void], pause: Duration)? {
            var late: [@Sendable () -> Void] = []
            while first < begun.count {
                let (number, end) = begun[first]
                if underWay[number] != nil, end > moment { return (late, end - moment) }
                if let stop = underWay.removeValue(forKey: number) { late.append(stop) }
                first += 1
            }
            (begun, first) = ([], 0)
            guard late.isEmpty else { return (late, .zero) }
            isWatching = false
            return nil
        }

        /// Lets go of what is done once that is most of it, so that quick works under a long deadline do not gather.
        mutating func tidy() {
            guard begun.count > 2 * underWay.count + 1024 else { return }
            begun = begun[first...].filter { underWay[$0.number] != nil }
            first = 0
        }
    }

    private let span: Duration
    private let clock: any Clock<Duration>
    private let uptime: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - span: how long each work may take.
    ///   - clock: what the deadline runs on.
    public init(_ span: Duration, on clock: any Clock<Duration>) {
        (self.span, self.clock) = (span, clock)
        uptime = stopwatch(clock)
    }

    /// Runs work that must be done in time.
    ///
    /// When the time is over the work is cancelled, and the call returns as soon as the work has ended: work that pays no
    /// heed to cancellation is waited for. When the calling task is cancelled, the work is, and what it answers counts.
    ///
    /// - Parameters:
    ///   - cancel: ends the work early; called from any task, and twice where the time is over and the caller is cancelled.
    ///   - work: runs in the calling task, which it does not have to watch.
    /// - Returns: `nil` when the time is over first.
    /// - Throws: what the work throws.
    public func run<Value, Failure: Error>(
        cancelling cancel: @escaping @Sendable () -> Void, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let result: Result<Value?, Failure> = await withTaskCancellationHandler {
            do throws(Failure) {
                return .success(try await run(endingLate: cancel, work))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Runs work that must be done in time, and that goes on when the calling task is cancelled.
    ///
    /// The call returns when the work has ended: work that `stop` does not end is waited for.
    ///
    /// - Parameters:
    ///   - stop: ends the work when the time is over; called from any task, once at most, perhaps just after the work has
    ///     ended by itself. Must not wait.
    ///   - work: runs in the calling task.
    /// - Returns: `nil` when the time is over first.
    /// - Throws: what the work throws.
    public func run<Value, Failure: Error>(
        endingLate stop: @escaping @Sendable () -> Void, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let number = begin(stop)
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
        let isInTime = state.withLock { $0.underWay.removeValue(forKey: number) != nil }
        return isInTime ? try result.get() : nil
    }

    private func begin(_ stop: @escaping @Sendable () -> Void) -> Int {
        let (number, isFirst) = state.withLock { state in
            state.lastNumber += 1
            state.begun.append((state.lastNumber, uptime() + span))
            state.underWay[state.lastNumber] = stop
            state.tidy()
            defer { state.isWatching = true }
            return (state.lastNumber, !state.isWatching)
        }
        // It ends by itself, a deadline after the last work at most.
        if isFirst { Task { await self.watch() } }
        return number
    }

    private func watch() async {
        while let pause = endLate() {
            // Nobody cancels this task, so the sleep cannot fail.
            if pause > .zero { try? await clock.sleep(for: pause) }
        }
    }

    /// Ends what is late, and lets go of it.
    ///
    /// - Returns: how long until the next may be late; `nil` when nothing is under way.
    private func endLate() -> Duration? {
        guard let (late, pause) = state.withLock({ $0.passed(at: uptime()) }) else { return nil }
        for stop in late { stop() }
        return pause
    }
}
