import Synchronization

/// Long-lived work that can be stopped alone, and whose end can be waited for.
///
/// ``run()`` is called once, by the owner of the work.
final class StoppableWork: Sendable {
    private enum State {
        case waiting, running, ended
    }

    private let work: @Sendable () async -> Void
    private let state = Mutex(State.waiting)
    private let stopRequest: (asked: AsyncStream<Never>, ask: AsyncStream<Never>.Continuation)
    private let ending: (seen: AsyncStream<Never>, tell: AsyncStream<Never>.Continuation)

    /// - Parameter work: returns soon after its task is cancelled; nothing else stops it.
    init(_ work: @escaping @Sendable () async -> Void) {
        self.work = work
        let (asked, ask) = AsyncStream.makeStream(of: Never.self)
        stopRequest = (asked, ask)
        let (seen, tell) = AsyncStream.makeStream(of: Never.self)
        ending = (seen, tell)
    }

    /// Works until cancelled or stopped; does nothing after ``stop()``.
    func run() async {
        let mayStart = state.withLock { state in
            guard state == .waiting else { return false }
            state = .running
            return true
        }
        guard mayStart else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.work() }
            group.addTask {
                for await _ in self.stopRequest.asked {}
            }
            await group.next()
            group.cancelAll()
        }
        state.withLock { $0 = .ended }
        ending.tell.finish()
    }

    /// Cancels the work and returns after it has ended; work that never began never will.
    func stop() async {
        stopRequest.ask.finish()
        let mustWait = state.withLock { state in
            guard state == .running else {
                state = .ended
                return false
            }
            return true
        }
        if mustWait {
            for await _ in ending.seen {}
        }
    }
}
