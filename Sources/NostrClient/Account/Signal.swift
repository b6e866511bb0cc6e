internal import Synchronization

/// A doorbell for one waiter: a ring wakes it, and a ring while nobody waits is kept until somebody does.
final class Signal: Sendable {
    private enum State {
        case quiet, rung, waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.quiet)

    func ring() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            if case .waiting(let continuation) = state {
                state = .quiet
                return continuation
            }
            state = .rung
            return nil
        }
        waiter?.resume()
    }

    /// Returns at the next ring, at once if it has rung, or when cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let already = state.withLock { state in
                    if case .rung = state {
                        state = .quiet
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if already { continuation.resume() }
            }
        } onCancel: {
            let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
                guard case .waiting(let continuation) = state else { return nil }
                state = .quiet
                return continuation
            }
            waiter?.resume()
        }
    }

    /// Returns at the next ring or after the duration, whichever comes first.
    func wait(atMost duration: Duration, _ time: AccountTime) async {
        await withTaskGroup { group in
            group.addTask { await self.wait() }
            group.addTask { await time.pause(duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
