internal import Synchronization

/// The changes one reader has not taken yet: at most a fixed number; what is lost shows as ``StoreChange/missed``.
final class ChangeQueue: Sendable {
    private struct State {
        var waiting: [StoreChange] = []
        /// Where `waiting` begins: what is before has been taken.
        var first = 0
        var hasMissed = false
        var isFinished = false
        var reader: CheckedContinuation<StoreChange?, Never>?

        var count: Int { waiting.count - first }

        mutating func take() -> StoreChange? {
            if hasMissed {
                hasMissed = false
                return .missed
            }
            guard first < waiting.count else { return nil }
            let change = waiting[first]
            first += 1
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                first = 0
            }
            return change
        }

        mutating func add(_ changes: [StoreChange], capacity: Int) {
            waiting.append(contentsOf: changes)
            guard count > capacity else { return }
            waiting.removeFirst(waiting.count - capacity)
            first = 0
            hasMissed = true
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds changes; drops the oldest when too many wait.
    func add(_ changes: [StoreChange]) {
        let wake = state.withLock { state -> (CheckedContinuation<StoreChange?, Never>, StoreChange)? in
            guard !state.isFinished else { return nil }
            state.add(changes, capacity: capacity)
            guard let reader = state.reader, let change = state.take() else { return nil }
            state.reader = nil
            return (reader, change)
        }
        wake?.0.resume(returning: wake?.1)
    }

    /// The next change, waiting for one; `nil` after ``finish()``.
    func next() async -> StoreChange? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> StoreChange?? in
                if state.isFinished { return .some(nil) }
                if let change = state.take() { return .some(change) }
                state.reader = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Ends the stream for its reader.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}
