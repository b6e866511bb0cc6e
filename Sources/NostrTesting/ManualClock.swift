import Synchronization

/// A clock that stands still until a test moves it; sleepers wake in the order of their deadlines.
public final class ManualClock: Clock, Sendable {
    /// A moment, counted from where the clock started.
    public struct Instant: InstantProtocol {
        /// The time since the clock started.
        public let offset: Duration

        /// The moment the clock starts at, unless told otherwise.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// A later moment.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time until another moment.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Sleeper {
        let number: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let number: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant()
        var nextNumber = 0
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    /// Starts at zero.
    public init() {}

    /// The moment it stands at.
    public var now: Instant { state.withLock { $0.now } }

    /// It moves by as little as a test asks.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until the clock is moved to a deadline.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(number: number, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Moves the clock forward and wakes everyone whose deadline has come, earliest first.
    ///
    /// Who wakes and sleeps again within the same span must be waited for with ``waitForSleepers(_:)`` in between.
    public func advance(by span: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: span)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due.sorted(by: { ($0.deadline, $0.number) < ($1.deadline, $1.number) }) {
            sleeper.continuation.resume()
        }
    }

    /// Waits until at least this many tasks sleep on the clock: then it is safe to advance.
    ///
    /// Returns at once when the task is cancelled, so that a test that waits in vain ends by its time limit.
    public func waitForSleepers(_ count: Int = 1) async {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.cancelled.remove(number) != nil || state.sleepers.count >= count { return true }
                    state.watchers.append(Watcher(number: number, count: count, continuation: continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let watcher: Watcher? = state.withLock { state in
                guard let index = state.watchers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.watchers.remove(at: index)
            }
            watcher?.continuation.resume()
        }
    }

    private func add(_ sleeper: Sleeper) {
        enum Outcome { case wake, cancel, sleep([Watcher]) }
        let outcome: Outcome = state.withLock { state in
            if state.cancelled.remove(sleeper.number) != nil { return .cancel }
            if sleeper.deadline <= state.now { return .wake }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let ready = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return .sleep(ready)
        }
        switch outcome {
        case .wake: sleeper.continuation.resume()
        case .cancel: sleeper.continuation.resume(throwing: CancellationError())
        case .sleep(let watchers): for watcher in watchers { watcher.continuation.resume() }
        }
    }

    private func cancel(_ number: Int) {
        let sleeper: Sleeper? = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                // Not asleep yet: remembered, so that it does not fall asleep; or awake already, and then this
                // leaves one number behind, which a test can afford.
                state.cancelled.insert(number)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
