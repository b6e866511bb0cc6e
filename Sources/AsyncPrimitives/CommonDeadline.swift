internal import Synchronization

/// One deadline for each of many small works, all of the same length, with one timer for all of them.
///
/// A timer for each costs more than a small work does: thousands of answers a second, each under ``withDeadline(_:on:_:)``,
/// kept a thread busy with nothing else (swift_task_enqueueGlobalWithDeadline has no counterpart that takes back, so each
/// timer stays until its moment). Here the next is set when the one before has passed, for whatever is then the oldest.
public final class CommonDeadline: Sendable {
    private struct State {
        var lastNumber = 0
        /// Works in the order in which they began, which is that of their ends; also those that are done.
        var begun: [(number: Int, end: Duration)] = []
        /// Where `begun` begins: what is before is done.
        var first = 0
        /// How to cancel what is under way.
        var underWay: [Int: @Sendable () -> Void] = [:]
        var isWatching = false

        /// Takes out what is to be cancelled now, and says how long until the next may be; `nil` when nothing is under way.
        mutating func passed(at moment: Duration) -> (late: [@Sendable () -> Void], pause: Duration)? {
            var late: [@Sendable () -> Void] = []
            while first < begun.count {
                let (number, end) = begun[first]
                if underWay[number] != nil, end > moment { return (late, end - moment) }
                if let cancel = underWay.removeValue(forKey: number) { late.append(cancel) }
                first += 1
            }
            (begun, first) = ([], 0)
            guard late.isEmpty else { return (late, .zero) }
            isWatching = false
            return nil
        }

        /// Lets go of what is done, now and then.
        mutating func tidy() {
            guard first > 1024, first * 2 > begun.count else { return }
            begun.removeFirst(first)
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
        let number = begin(cancel)
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        } onCancel: {
            cancel()
        }
        let isInTime = state.withLock { $0.underWay.removeValue(forKey: number) != nil }
        return isInTime ? try result.get() : nil
    }

    private func begin(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (number, isFirst) = state.withLock { state in
            state.lastNumber += 1
            state.begun.append((state.lastNumber, uptime() + span))
            state.underWay[state.lastNumber] = cancel
            defer { state.isWatching = true }
            return (state.lastNumber, !state.isWatching)
        }
        // It ends by itself, a deadline after the last work at most.
        if isFirst { Task { await self.watch() } }
        return number
    }

    private func watch() async {
        while let (late, pause) = state.withLock({ state in
            state.tidy()
            return state.passed(at: uptime())
        }) {
            for cancel in late { cancel() }
            // Nobody cancels this task, so the sleep cannot fail.
            if pause > .zero { try? await clock.sleep(for: pause) }
        }
    }
}
