internal import Synchronization

/// A first-in, first-out queue of bounded weight between tasks: senders wait while it is full.
///
/// Each element has a weight, and the capacity is a sum of weights. An element goes in at once and its sender waits
/// afterwards, so order is the order of sending, and the queue holds at most its capacity and one element per sender.
/// Any number of tasks may send and receive.
public final class BoundedQueue<Element: Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var elements: [(element: Element, weight: Int)] = []
        /// Where `elements` begins: what is before has been received.
        var head = 0
        var weight = 0
        var isFinished = false
        var isDraining = false
        var lastNumber = 0
        var receivers: [Waiter] = []
        var senders: [Waiter] = []

        var isEmpty: Bool { head == elements.count }

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let lowWater: Int
    private let whenDrained: (@Sendable () -> Void)?

    /// - Parameter capacity: the weight from which senders wait.
    public init(capacity: Int) {
        self.capacity = capacity
        lowWater = capacity - 1
        whenDrained = nil
    }

    /// A queue whose sender cannot wait, as an event loop cannot, and is called back instead.
    ///
    /// - Parameters:
    ///   - capacity: the weight from which ``sendNow(_:weight:)`` answers `false`.
    ///   - lowWater: the weight at which a queue that was full takes more.
    ///   - whenDrained: called then, by the task that receives, outside any lock.
    public init(capacity: Int, lowWater: Int, whenDrained: @escaping @Sendable () -> Void) {
        self.capacity = capacity
        self.lowWater = min(lowWater, capacity - 1)
        self.whenDrained = whenDrained
    }

    /// Whether senders have to wait.
    public var isFull: Bool { state.withLock { $0.weight >= capacity } }

    /// Adds an element, then waits while the queue is full; no longer once the task is cancelled.
    ///
    /// - Returns: `false` when the queue is finished; then the element is dropped.
    @discardableResult
    public func send(_ element: Element, weight: Int = 1) async -> Bool {
        switch append(element, weight: weight) {
        case .refused: return false
        case .added(isFull: false): return true
        case .added(isFull: true): break
        }
        let number = state.withLock { $0.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sender in
                let goesOn = state.withLock { state in
                    if state.isFinished || state.weight < capacity || Task.isCancelled { return true }
                    state.senders.append(Waiter(number: number, continuation: sender))
                    return false
                }
                if goesOn { sender.resume() }
            }
        } onCancel: {
            let sender = state.withLock { Self.remove(number, from: &$0.senders) }
            sender?.continuation.resume()
        }
        return true
    }

    /// Adds an element however full the queue is: for the few small ones that must not be lost, and for senders that
    /// stop by themselves.
    ///
    /// - Returns: whether there is room for more.
    @discardableResult
    public func sendNow(_ element: Element, weight: Int = 1) -> Bool {
        append(element, weight: weight) == .added(isFull: false)
    }

    /// Adds an element if it fits, as a single one always does.
    ///
    /// - Returns: `false` when it does not fit or the queue is finished; then the element is dropped.
    public func trySend(_ element: Element, weight: Int = 1) -> Bool {
        let outcome = append(element, weight: weight) { state, capacity in
            state.isEmpty || state.weight + weight <= capacity
        }
        return outcome != .refused
    }

    /// The next element, waiting for one; `nil` at the end, or when the task is cancelled.
    public func receive() async -> Element? {
        await receive(atMost: 1)?.first
    }

    /// Some elements, at least one, waiting for the first; `nil` at the end, or when the task is cancelled.
    public func receive(atMost most: Int) async -> [Element]? {
        while !Task.isCancelled {
            if let batch = remove(most) { return batch.isEmpty ? nil : batch }
            let number = state.withLock { $0.nextNumber() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { receiver in
                    let isReady = state.withLock { state in
                        if state.isFinished || !state.isEmpty || Task.isCancelled { return true }
                        state.receivers.append(Waiter(number: number, continuation: receiver))
                        return false
                    }
                    if isReady { receiver.resume() }
                }
            } onCancel: {
                let receiver = state.withLock { Self.remove(number, from: &$0.receivers) }
                receiver?.continuation.resume()
            }
        }
        // A receiver that was woken for an element and cancelled at once must not leave another waiting beside it.
        wakeNextReceiver()
        return nil
    }

    /// Ends the queue: senders wait no more, and what is in it is still received.
    public func finish() {
        let waiting = state.withLock { state in
            defer {
                state.isFinished = true
                state.receivers = []
                state.senders = []
            }
            return state.receivers + state.senders
        }
        for waiter in waiting { waiter.continuation.resume() }
    }

    private enum Outcome: Equatable {
        case refused
        case added(isFull: Bool)
    }

    private func append(
        _ element: Element, weight: Int, if condition: (State, Int) -> Bool = { _, _ in true }
    ) -> Outcome {
        let (outcome, receiver) = state.withLock { state -> (Outcome, Waiter?) in
            guard !state.isFinished, condition(state, capacity) else { return (.refused, nil) }
            state.elements.append((element, weight))
            state.weight += weight
            let isFull = state.weight >= capacity
            if isFull { state.isDraining = true }
            return (.added(isFull: isFull), state.receivers.isEmpty ? nil : state.receivers.removeFirst())
        }
        receiver?.continuation.resume()
        return outcome
    }

    /// What is there, up to a number; empty at the end, `nil` when nothing is there yet.
    private func remove(_ most: Int) -> [Element]? {
        let (batch, senders, isDrained) = state.withLock { state -> ([Element]?, [Waiter], Bool) in
            let end = min(state.head + most, state.elements.count)
            guard end > state.head else { return (state.isFinished ? [] : nil, [], false) }
            let taken = state.elements[state.head..<end]
            let batch = taken.map(\.element)
            state.weight -= taken.reduce(0) { $0 + $1.weight }
            state.head = end
            if state.isEmpty {
                state.elements = []
                state.head = 0
            } else if state.head > 1024 {
                state.elements.removeFirst(state.head)
                state.head = 0
            }
            guard state.weight < capacity else { return (batch, [], false) }
            let isDrained = state.isDraining && state.weight <= lowWater
            if isDrained { state.isDraining = false }
            defer { state.senders = [] }
            return (batch, state.senders, isDrained)
        }
        for sender in senders { sender.continuation.resume() }
        if isDrained { whenDrained?() }
        return batch
    }

    private func wakeNextReceiver() {
        let receiver: Waiter? = state.withLock { state in
            guard !state.isEmpty, !state.receivers.isEmpty else { return nil }
            return state.receivers.removeFirst()
        }
        receiver?.continuation.resume()
    }

    private static func remove(_ number: Int, from waiters: inout [Waiter]) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }
}
