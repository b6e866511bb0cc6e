import Synchronization

/// A queue with one reader whose senders wait while it is full.
///
/// Each element has a weight; the capacity is a sum of weights.
package final class UpdateQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [(element: Element, weight: Int)] = []
        var head = 0
        var weight = 0
        var isFinished = false
        var reader: CheckedContinuation<Bool, Never>?
        var senders: [Int: CheckedContinuation<Void, Never>] = [:]
        var senderCount = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: the weight from which senders wait.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds an element, then waits while the queue is full; an element for a finished queue is dropped.
    package func send(_ element: Element, weight: Int = 1) async {
        guard append(element, weight: weight) else { return }
        let number = state.withLock { state in
            state.senderCount += 1
            return state.senderCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sender in
                let goesOn = state.withLock { state in
                    if state.isFinished || state.weight < capacity || Task.isCancelled { return true }
                    state.senders[number] = sender
                    return false
                }
                if goesOn { sender.resume() }
            }
        } onCancel: {
            state.withLock { $0.senders.removeValue(forKey: number) }?.resume()
        }
    }

    /// Adds an element however full the queue is; for the few that end something.
    func sendNow(_ element: Element) {
        _ = append(element, weight: 1)
    }

    /// Whether senders have to wait.
    var isFull: Bool { state.withLock { $0.weight >= capacity } }

    /// Ends the queue; what waits is still read.
    package func finish() {
        let (reader, senders) = state.withLock { state in
            defer {
                state.isFinished = true
                state.reader = nil
                state.senders = [:]
            }
            return (state.reader, Array(state.senders.values))
        }
        reader?.resume(returning: true)
        for sender in senders { sender.resume() }
    }

    /// The next element, or `nil` at the end or when cancelled.
    func next() async -> Element? {
        await nextBatch(1)?.first
    }

    /// Some elements, at least one, or `nil` at the end or when cancelled.
    package func nextBatch(_ most: Int) async -> [Element]? {
        while !Task.isCancelled {
            if let batch = take(most) { return batch.isEmpty ? nil : batch }
            let more = await withTaskCancellationHandler {
                await withCheckedContinuation { reader in
                    let isReady = state.withLock { state in
                        if state.isFinished || state.head < state.waiting.count || Task.isCancelled { return true }
                        state.reader?.resume(returning: false)
                        state.reader = reader
                        return false
                    }
                    if isReady { reader.resume(returning: true) }
                }
            } onCancel: {
                state.withLock { state in
                    defer { state.reader = nil }
                    return state.reader
                }?.resume(returning: false)
            }
            guard more else { return nil }
        }
        return nil
    }

    /// Whether there was room afterwards is for the caller to find out; `false` when finished.
    private func append(_ element: Element, weight: Int) -> Bool {
        let (taken, reader) = state.withLock { state -> (Bool, CheckedContinuation<Bool, Never>?) in
            guard !state.isFinished else { return (false, nil) }
            state.waiting.append((element, weight))
            state.weight += weight
            defer { state.reader = nil }
            return (true, state.reader)
        }
        reader?.resume(returning: true)
        return taken
    }

    /// What waits, up to a number; empty at the end, `nil` when nothing waits yet.
    private func take(_ most: Int) -> [Element]? {
        let (batch, senders) = state.withLock { state -> ([Element]?, [CheckedContinuation<Void, Never>]) in
            let end = min(state.head + most, state.waiting.count)
            guard end > state.head else { return (state.isFinished ? [] : nil, []) }
            let taken = state.waiting[state.head..<end]
            let batch = taken.map(\.element)
            state.weight -= taken.reduce(0) { $0 + $1.weight }
            state.head = end
            if state.head == state.waiting.count {
                state.waiting = []
                state.head = 0
            } else if state.head > 1024 {
                state.waiting.removeFirst(state.head)
                state.head = 0
            }
            guard state.weight < capacity else { return (batch, []) }
            defer { state.senders = [:] }
            return (batch, Array(state.senders.values))
        }
        for sender in senders { sender.resume() }
        return batch
    }
}
