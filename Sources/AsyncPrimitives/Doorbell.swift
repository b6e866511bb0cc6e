internal import Synchronization

/// Wakes whoever waits for something to do; a ring while nobody waits is kept, and several count as one.
///
/// Any number of tasks may wait: a ring wakes all of them. It says that something has changed, never what: look for
/// work first, then wait.
public final class Doorbell: Sendable {
    private struct State {
        var isRung = false
        var lastNumber = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// A bell that has not been rung.
    public init() {}

    /// Wakes all who wait, or the next to wait.
    public func ring() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            if state.waiting.isEmpty { state.isRung = true }
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Returns at the next ring, at once if one is kept, or when the task is cancelled.
    public func wait() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    if state.isRung {
                        state.isRung = false
                        return true
                    }
                    if Task.isCancelled { return true }
                    state.waiting[number] = waiter
                    return false
                }
                if goesOn { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    /// Returns at the next ring, after the span, or when the task is cancelled, whichever comes first.
    ///
    /// The span begins when this is called, however late the sleep does where much else is to be done.
    public func wait(atMost span: Duration, on clock: any Clock<Duration>) async {
        let sleep = sleeping(for: span, on: clock)
        _ = await race({ await self.wait() }, against: sleep)
    }
}
