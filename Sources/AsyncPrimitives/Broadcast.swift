public import Synchronization

/// Hands everything that is sent to all who listen; a slow listener slows nobody and holds a bounded number.
///
/// What a listener has not received is dropped, oldest first, once more than the capacity waits; where there is a
/// marker, it is received in the place of what was dropped, so that the listener knows to read everything again.
///
/// What is done to send an element is inlinable, so that it is compiled for the elements of each module: where types are
/// only known while the program runs, looking them up is a good part of the work.
public final class Broadcast<Element: Sendable>: Sendable {
    @usableFromInline
    struct Listener: Sendable {
        @usableFromInline weak let buffer: ListenerBuffer<Element>?
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var isFinished = false
        @usableFromInline var listeners: [Listener] = []
    }

    @usableFromInline let state = Mutex(State())
    private let capacity: Int
    private let missed: Element?

    /// - Parameters:
    ///   - capacity: how many wait for one listener.
    ///   - missed: received in the place of all that was dropped; `nil` where the newest say all.
    public init(capacity: Int = 1024, missed: Element? = nil) {
        self.capacity = capacity
        self.missed = missed
    }

    deinit { finish() }

    /// Everything sent from now on, until the listener's task is cancelled, it drops the stream, or the broadcast ends.
    public func listen() -> AsyncStream<Element> {
        listen(startingWith: nil)
    }

    /// Everything sent from now on, after a first element of its own.
    public func listen(startingWith first: Element?) -> AsyncStream<Element> {
        let buffer = ListenerBuffer(capacity: capacity, missed: missed)
        if let first { buffer.add(CollectionOfOne(first)) }
        let isOver = state.withLock { state in
            if !state.isFinished { state.listeners.append(Listener(buffer: buffer)) }
            return state.isFinished
        }
        if isOver { buffer.finish() }
        return AsyncStream(unfolding: { await buffer.next() }, onCancel: { buffer.cancel() })
    }

    /// Sends an element to all listeners.
    @inlinable
    public func send(_ element: Element) {
        send(contentsOf: CollectionOfOne(element))
    }

    /// Sends elements to all listeners, in order.
    @inlinable
    public func send(contentsOf elements: some Collection<Element>) {
        guard !elements.isEmpty else { return }
        for buffer in buffers() { buffer.add(elements) }
    }

    /// Ends every listener's stream, after what it still has to receive; nobody hears what is sent later.
    public func finish() {
        state.withLock { $0.isFinished = true }
        for buffer in buffers() { buffer.finish() }
        state.withLock { $0.listeners = [] }
    }

    @inlinable
    func buffers() -> [ListenerBuffer<Element>] {
        state.withLock { state in
            let buffers = state.listeners.compactMap { $0.buffer }
            if buffers.count < state.listeners.count { state.listeners.removeAll { $0.buffer == nil } }
            return buffers
        }
    }
}

/// What one listener of a broadcast has not received yet.
@usableFromInline
final class ListenerBuffer<Element: Sendable>: Sendable {
    @usableFromInline typealias Receiver = CheckedContinuation<Element?, Never>

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var waiting: [Element] = []
        /// Where `waiting` begins: what is before has been received.
        @usableFromInline var first = 0
        @usableFromInline var hasMissed = false
        @usableFromInline var isFinished = false
        @usableFromInline var receivers: [Receiver] = []

        @inlinable
        mutating func remove(missed: Element?) -> Element? {
            if hasMissed {
                hasMissed = false
                if let missed { return missed }
            }
            guard first < waiting.count else { return nil }
            defer {
                first += 1
                if first == waiting.count {
                    waiting.removeAll(keepingCapacity: true)
                    first = 0
                }
            }
            return waiting[first]
        }

        @inlinable
        mutating func add(_ elements: some Collection<Element>, capacity: Int) {
            waiting.append(contentsOf: elements)
            guard waiting.count - first > capacity else { return }
            waiting.removeFirst(waiting.count - capacity)
            first = 0
            hasMissed = true
        }
    }

    @usableFromInline let state = Mutex(State())
    @usableFromInline let capacity: Int
    @usableFromInline let missed: Element?

    init(capacity: Int, missed: Element?) {
        self.capacity = capacity
        self.missed = missed
    }

    @inlinable
    func add(_ elements: some Collection<Element>) {
        let woken = state.withLock { state -> [(Receiver, Element)] in
            guard !state.isFinished else { return [] }
            state.add(elements, capacity: capacity)
            var woken: [(Receiver, Element)] = []
            while !state.receivers.isEmpty, let element = state.remove(missed: missed) {
                woken.append((state.receivers.removeFirst(), element))
            }
            return woken
        }
        for (receiver, element) in woken { receiver.resume(returning: element) }
    }

    /// The next element, waiting for one; `nil` at the end.
    func next() async -> Element? {
        if let element = state.withLock({ $0.remove(missed: missed) }) { return element }
        return await withCheckedContinuation { receiver in
            let answer = state.withLock { state -> Element?? in
                if let element = state.remove(missed: missed) { return .some(element) }
                if state.isFinished { return .some(nil) }
                state.receivers.append(receiver)
                return nil
            }
            if let answer { receiver.resume(returning: answer) }
        }
    }

    /// Ends the stream after what waits.
    func finish() {
        let receivers = state.withLock { state in
            state.isFinished = true
            defer { state.receivers = [] }
            return state.receivers
        }
        for receiver in receivers { receiver.resume(returning: nil) }
    }

    /// Ends the stream at once.
    func cancel() {
        state.withLock { state in
            state.waiting = []
            state.first = 0
            state.hasMissed = false
        }
        finish()
    }
}
