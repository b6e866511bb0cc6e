public import Synchronization

/// A first-in, first-out queue of bounded weight between tasks: senders wait while it is full.
///
/// Each element has a weight, and the capacity is a sum of weights. An element goes in at once and its sender waits
/// afterwards, so order is the order of sending, and the queue holds at most its capacity and one element per sender.
/// Any number of tasks may send and receive. What is done for each element is inlinable, as in ``Broadcast``.
public final class BoundedQueue<Element: Sendable>: Sendable {
    @usableFromInline
    struct Waiter: Sendable {
        @usableFromInline let number: Int
        @usableFromInline let continuation: CheckedContinuation<Void, Never>

        @inlinable
        init(number: Int, continuation: CheckedContinuation<Void, Never>) {
            (self.number, self.continuation) = (number, continuation)
        }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var elements: [(element: Element, weight: Int)] = []
        /// Where `elements` begins: what is before has been received.
        @usableFromInline var head = 0
        @usableFromInline var weight = 0
        @usableFromInline var isFinished = false
        @usableFromInline var lastNumber = 0
        @usableFromInline var receivers: [Waiter] = []
        @usableFromInline var senders: [Waiter] = []

        @inlinable var isEmpty: Bool { head == elements.count }

        @inlinable
        mutating func didRemove(_ count: Int, weight removed: Int) {
            weight -= removed
            head += count
            if head == elements.count {
                // A little room stays, so that a queue that is read as fast as it is filled allocates nothing.
                elements.removeAll(keepingCapacity: elements.capacity <= 64)
                head = 0
            } else if head > 1024 {
                elements.removeFirst(head)
                head = 0
            }
        }

        @inlinable
        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    @usableFromInline let state = Mutex(State())
    @usableFromInline let capacity: Int

    /// - Parameter capacity: the weight from which senders wait.
    public init(capacity: Int) {
        self.capacity = capacity
    }

    /// Whether senders have to wait.
    @inlinable public var isFull: Bool { state.withLock { $0.weight >= capacity } }

    /// Adds an element, then waits while the queue is full; no longer once the task is cancelled.
    ///
    /// - Returns: `false` when the queue is finished; then the element is dropped.
    @discardableResult @inlinable
    public func send(_ element: Element, weight: Int = 1) async -> Bool {
        switch append(element, weight: weight) {
        case .refused: return false
        case .added(isFull: false): break
        case .added(isFull: true): await waitWhileFull()
        }
        return true
    }

    /// Waits while the queue is full; no longer once it is finished or the task is cancelled.
    ///
    /// For a sender that has something to do between ``sendNow(_:weight:)`` and its wait.
    @inlinable
    public func waitWhileFull() async {
        guard isFull else { return }
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
    }

    /// Adds an element however full the queue is: for the few small ones that must not be lost.
    ///
    /// - Returns: whether there is room for more.
    @discardableResult @inlinable
    public func sendNow(_ element: Element, weight: Int = 1) -> Bool {
        append(element, weight: weight) == .added(isFull: false)
    }

    /// Adds an element if it fits, as a single one always does.
    ///
    /// - Returns: `false` when it does not fit or the queue is finished; then the element is dropped.
    @inlinable
    public func trySend(_ element: Element, weight: Int = 1) -> Bool {
        let outcome = append(element, weight: weight) { state, capacity in
            state.isEmpty || state.weight + weight <= capacity
        }
        return outcome != .refused
    }

    /// The next element, waiting for one; `nil` at the end, or when the task is cancelled.
    @inlinable
    public func receive() async -> Element? {
        await next { self.removeFirst() }
    }

    /// Some elements, at least one, waiting for the first; `nil` at the end, or when the task is cancelled.
    @inlinable
    public func receive(atMost most: Int) async -> [Element]? {
        await next { self.remove(most) }
    }

    /// Some elements, at least one, waiting for the first, cancelled or not; `nil` at the end only.
    ///
    /// For what must be done once it is in the queue. Somebody has to ``finish()`` the queue when the task is cancelled.
    @inlinable
    public func receiveUntilFinished(atMost most: Int) async -> [Element]? {
        while true {
            switch remove(most) {
            case .removed(let batch): return batch
            case .finished: return nil
            case .empty: break
            }
            await wait(as: 0, heedsCancellation: false)
        }
    }

    /// Some elements, as many as there are but no more than `most`, without waiting; none when it is empty.
    @inlinable
    public func receiveNow(atMost most: Int) -> [Element] {
        guard case .removed(let batch) = remove(most) else { return [] }
        return batch
    }

    /// Whether there is nothing to receive.
    @inlinable public var isEmpty: Bool { state.withLock { $0.isEmpty } }

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

    @usableFromInline
    enum Outcome: Equatable {
        case refused
        case added(isFull: Bool)
    }

    @inlinable
    func append(
        _ element: Element, weight: Int, if condition: (State, Int) -> Bool = { _, _ in true }
    ) -> Outcome {
        let (outcome, receiver) = state.withLock { state -> (Outcome, Waiter?) in
            guard !state.isFinished, condition(state, capacity) else { return (.refused, nil) }
            state.elements.append((element, weight))
            state.weight += weight
            let isFull = state.weight >= capacity
            return (.added(isFull: isFull), state.receivers.isEmpty ? nil : state.receivers.removeFirst())
        }
        receiver?.continuation.resume()
        return outcome
    }

    @usableFromInline
    enum Removal<Removed> {
        case removed(Removed)
        case empty, finished
    }

    @inlinable
    func next<Removed>(_ remove: () -> Removal<Removed>) async -> Removed? {
        while !Task.isCancelled {
            switch remove() {
            case .removed(let removed): return removed
            case .finished: return nil
            case .empty: break
            }
            let number = state.withLock { $0.nextNumber() }
            await withTaskCancellationHandler {
                await wait(as: number, heedsCancellation: true)
            } onCancel: {
                let receiver = state.withLock { Self.remove(number, from: &$0.receivers) }
                receiver?.continuation.resume()
            }
        }
        // It may have been woken for an element and cancelled before it looked; then another is to have it.
        wakeNextReceiver()
        return nil
    }

    @inlinable
    func removeFirst() -> Removal<Element> {
        remove { state in
            let (element, weight) = state.elements[state.head]
            state.didRemove(1, weight: weight)
            return element
        }
    }

    @inlinable
    func remove(_ most: Int) -> Removal<[Element]> {
        remove { state in
            let end = min(state.head + most, state.elements.count)
            var batch: [Element] = []
            batch.reserveCapacity(end - state.head)
            var weight = 0
            for index in state.head..<end {
                batch.append(state.elements[index].element)
                weight += state.elements[index].weight
            }
            state.didRemove(batch.count, weight: weight)
            return batch
        }
    }

    /// Removes something if there is anything, and lets senders go on when there is room.
    @inlinable
    func remove<Removed>(_ body: (inout State) -> Removed) -> Removal<Removed> {
        let (removal, senders) = state.withLock { state -> (Removal<Removed>, [Waiter]) in
            guard !state.isEmpty else { return (state.isFinished ? .finished : .empty, []) }
            let removed = body(&state)
            guard state.weight < capacity else { return (.removed(removed), []) }
            defer { state.senders.removeAll() }
            return (.removed(removed), state.senders)
        }
        for sender in senders { sender.continuation.resume() }
        return removal
    }

    @inlinable
    func wait(as number: Int, heedsCancellation: Bool) async {
        await withCheckedContinuation { receiver in
            let isReady = state.withLock { state in
                if state.isFinished || !state.isEmpty || heedsCancellation && Task.isCancelled { return true }
                state.receivers.append(Waiter(number: number, continuation: receiver))
                return false
            }
            if isReady { receiver.resume() }
        }
    }

    @inlinable
    func wakeNextReceiver() {
        let receiver: Waiter? = state.withLock { state in
            guard !state.isEmpty, !state.receivers.isEmpty else { return nil }
            return state.receivers.removeFirst()
        }
        receiver?.continuation.resume()
    }

    @inlinable
    static func remove(_ number: Int, from waiters: inout [Waiter]) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }
}
