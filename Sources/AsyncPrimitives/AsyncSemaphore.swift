internal import Synchronization

/// A number of permits; who asks for one when all are given out waits, in the order of asking.
public final class AsyncSemaphore: Sendable {
    /// Why no permit was given.
    public enum Refusal: Error, Hashable, Sendable {
        /// As many wait as may.
        case queueIsFull
    }

    private enum Answer { case granted, cancelled, refused }

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var free: Int
        var lastNumber = 0
        var waiting: [Waiter] = []
    }

    private let state: Mutex<State>
    private let longestQueue: Int

    /// - Parameters:
    ///   - permits: how many may work at once.
    ///   - longestQueue: how many may wait; who comes then is refused.
    public init(permits: Int, longestQueue: Int = .max) {
        state = Mutex(State(free: permits))
        self.longestQueue = longestQueue
    }

    /// How many wait for a permit.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Works with a permit, and gives it back at the end.
    ///
    /// - Throws: ``Refusal/queueIsFull``, `CancellationError` when the task is cancelled while it waits, or what the
    ///   work throws.
    public func withPermit<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await acquire()
        defer { release() }
        return try await work()
    }

    /// Takes a permit if one is free; it must be given back with ``release()``.
    public func tryAcquire() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }

    /// Takes a permit, waiting for one; it must be given back with ``release()``.
    ///
    /// - Throws: as ``withPermit(_:)``; then there is nothing to give back.
    public func acquire() async throws {
        if tryAcquire() { return }
        let number = nextNumber()
        let answer = await withTaskCancellationHandler {
            await permit(number, heedsCancellation: true, longestQueue: longestQueue)
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: .cancelled)
        }
        switch answer {
        case .granted: return
        case .cancelled: throw CancellationError()
        case .refused: throw Refusal.queueIsFull
        }
    }

    /// Gives a permit back: to who waits longest.
    public func release() {
        let next: Waiter? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: .granted)
    }

    /// Takes a permit, waiting for one even when the task is cancelled.
    func waitWhateverComes() async {
        if tryAcquire() { return }
        _ = await permit(nextNumber(), heedsCancellation: false, longestQueue: .max)
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func permit(_ number: Int, heedsCancellation: Bool, longestQueue: Int) async -> Answer {
        await withCheckedContinuation { continuation in
            let answer: Answer? = state.withLock { state in
                if heedsCancellation, Task.isCancelled { return .cancelled }
                if state.free > 0 {
                    state.free -= 1
                    return .granted
                }
                guard state.waiting.count < longestQueue else { return .refused }
                state.waiting.append(Waiter(number: number, continuation: continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
