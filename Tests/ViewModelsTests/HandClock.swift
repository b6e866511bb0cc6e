import NostrCore
import Synchronization

/// A clock that jumps by the given steps, one a tick, and ends the program after the last.
final class HandClock: Sendable {
    private struct State {
        var now = Timestamp(seconds: 1_700_000_000)
        var ticks: [Duration]
        var taken = 0
        var names = 0
    }

    private let state: Mutex<State>

    init(ticks: [Duration]) {
        state = Mutex(State(ticks: ticks))
    }

    var now: Timestamp { state.withLock { $0.now } }
    /// How many ticks passed.
    var publishedAfter: Int { state.withLock { $0.taken } }

    func tick() async throws {
        try state.withLock { state in
            guard !state.ticks.isEmpty else { throw CancellationError() }
            state.now = state.now + state.ticks.removeFirst()
            state.taken += 1
        }
    }

    func name() -> String {
        state.withLock { state in
            state.names += 1
            return "held-\(state.names)"
        }
    }
}
