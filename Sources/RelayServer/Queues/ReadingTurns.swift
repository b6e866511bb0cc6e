internal import AsyncPrimitives
internal import Synchronization

/// Lets the questions of all clients read the store in turns, a few at a time: the driver of a ``FairQueue`` whose cost
/// is time.
///
/// There are fewer turns at a time than the store has readers, so that the program's own pages always find one.
final class ReadingTurns: Sendable {
    /// What became of waiting for a turn.
    enum Turn: Sendable {
        /// It is the caller's turn, which must be given back with ``end(of:after:)``.
        case begun
        /// The time for waiting is over.
        case late
        /// The client has left.
        case withdrawn
    }

    private struct Waiter {
        let until: Duration
        let continuation: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var queue: FairQueue<Waiter>
        var free: Int
        /// When those who are late are looked for next.
        var nextLook: Duration = .zero
    }

    private typealias Resumption = (waiter: Waiter, turn: Turn)

    private let state: Mutex<State>
    private let changes: Doorbell
    private let slice: Int
    private let uptime: @Sendable () -> Duration
    /// How often those who are late are looked for.
    private let look: Duration = .seconds(1)

    /// - Parameters:
    ///   - places: how many read at the same time.
    ///   - slice: how long a turn is expected to take.
    ///   - uptime: the time since some fixed moment, by a clock that never goes back.
    ///   - changes: rings when more or fewer wait.
    init(places: Int, slice: Duration, uptime: @escaping @Sendable () -> Duration, changes: Doorbell = Doorbell()) {
        self.changes = changes
        self.slice = slice.nanoseconds
        self.uptime = uptime
        state = Mutex(State(queue: FairQueue(headStart: slice.nanoseconds), free: max(places, 1)))
    }

    /// How many wait for a turn.
    var waitingCount: Int { state.withLock { $0.queue.count } }

    /// Waits for a turn.
    ///
    /// - Parameter until: when to wait no longer, as ``uptime`` counts.
    func wait(as asker: Asker, until: Duration) async -> Turn {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(until: until, continuation: continuation)
            resume { state in
                state.queue.add(waiter, of: asker, cost: slice)
                return begin(&state)
            }
        }
    }

    /// Gives a turn back after some time; somebody else begins.
    func end(of asker: Asker, after time: Duration) {
        resume { state in
            state.queue.add(time.nanoseconds - slice, to: asker)
            state.free += 1
            return begin(&state)
        }
    }

    /// A client has left: what it waits for is withdrawn.
    func withdraw(_ asker: Asker) {
        resume { state in state.queue.remove(asker).map { ($0, .withdrawn) } }
    }

    private func begin(_ state: inout State) -> [Resumption] {
        let now = uptime()
        var resumptions: [Resumption] = []
        if now >= state.nextLook {
            state.nextLook = now + look
            resumptions = state.queue.remove { $0.until <= now }.map { ($0, .late) }
        }
        while state.free > 0, let (asker, waiter) = state.queue.next() {
            if waiter.until <= now {
                state.queue.add(-slice, to: asker)
                resumptions.append((waiter, .late))
            } else {
                state.free -= 1
                resumptions.append((waiter, .begun))
            }
        }
        return resumptions
    }

    private func resume(_ body: (inout sending State) -> [Resumption]) {
        let resumptions = state.withLock { body(&$0) }
        for (waiter, turn) in resumptions { waiter.continuation.resume(returning: turn) }
        changes.ring()
    }
}

extension Duration {
    /// Whole nanoseconds, as many as fit.
    fileprivate var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return whole.overflow ? .max / 2 : Int(whole.partialValue) + Int(attoseconds / 1_000_000_000)
    }
}
