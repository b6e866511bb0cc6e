internal import Synchronization

/// A first-in, first-out queue of bounded weight between tasks: who pushes into a full one waits.
///
/// Any number of tasks may push and take. After ``finish()`` nothing more goes in, and takers get what is left.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [(element: Element, weight: Int)] = []
        var weight = 0
        var isFinished = false
        var pushers: [(element: Element, weight: Int, done: CheckedContinuation<Bool, Never>)] = []
        var takers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: the most weight that waits; one element may weigh more and then waits alone.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Puts an element in, waiting for room.
    ///
    /// - Returns: `false` when the queue is finished; then the element is dropped.
    @discardableResult
    func push(_ element: Element, weight: Int = 1) async -> Bool {
        if let settled = tryPushOrRefuse(element, weight: weight) { return settled }
        return await withCheckedContinuation { done in
            state.withLock { state in
                if state.isFinished {
                    done.resume(returning: false)
                } else if state.pushers.isEmpty, fits(weight, in: state) {
                    admit(element, weight: weight, to: &state)
                    done.resume(returning: true)
                } else {
                    state.pushers.append((element, weight, done))
                }
            }
        }
    }

    /// Puts an element in without waiting.
    ///
    /// - Parameter force: goes in even when the queue is full; for the few small elements that must not be lost.
    /// - Returns: `false` when the queue is full or finished.
    func tryPush(_ element: Element, weight: Int = 1, force: Bool = false) -> Bool {
        state.withLock { state in
            guard !state.isFinished, force || (state.pushers.isEmpty && fits(weight, in: state)) else { return false }
            admit(element, weight: weight, to: &state)
            return true
        }
    }

    /// Takes up to `most` elements, waiting for the first.
    ///
    /// - Returns: `nil` when the queue is finished and empty.
    func take(atMost most: Int) async -> [Element]? {
        while true {
            let taken: [Element]? = state.withLock { state in
                guard !state.waiting.isEmpty else { return state.isFinished ? [] : nil }
                return remove(most, from: &state)
            }
            if let taken { return taken.isEmpty ? nil : taken }
            await withCheckedContinuation { wake in
                state.withLock { state in
                    if state.waiting.isEmpty, !state.isFinished {
                        state.takers.append(wake)
                    } else {
                        wake.resume()
                    }
                }
            }
        }
    }

    /// Ends the queue: waiting pushers give up, takers get what is left and then `nil`.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            for pusher in state.pushers { pusher.done.resume(returning: false) }
            state.pushers = []
            for taker in state.takers { taker.resume() }
            state.takers = []
        }
    }

    private func tryPushOrRefuse(_ element: Element, weight: Int) -> Bool? {
        state.withLock { state in
            if state.isFinished { return false }
            guard state.pushers.isEmpty, fits(weight, in: state) else { return nil }
            admit(element, weight: weight, to: &state)
            return true
        }
    }

    private func fits(_ weight: Int, in state: State) -> Bool {
        state.waiting.isEmpty || state.weight + weight <= capacity
    }

    private func admit(_ element: Element, weight: Int, to state: inout State) {
        state.waiting.append((element, weight))
        state.weight += weight
        if !state.takers.isEmpty { state.takers.removeFirst().resume() }
    }

    private func remove(_ most: Int, from state: inout State) -> [Element] {
        let taken = state.waiting.prefix(most)
        state.waiting.removeFirst(taken.count)
        state.weight -= taken.reduce(0) { $0 + $1.weight }
        while let first = state.pushers.first, fits(first.weight, in: state) {
            state.pushers.removeFirst()
            admit(first.element, weight: first.weight, to: &state)
            first.done.resume(returning: true)
        }
        return taken.map(\.element)
    }
}
