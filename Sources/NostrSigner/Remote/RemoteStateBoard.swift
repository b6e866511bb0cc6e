internal import Synchronization

/// The state of a signer elsewhere, for all who watch it; each gets the newest only.
final class RemoteStateBoard: Sendable {
    private struct Watchers {
        var current = RemoteSignerState.connecting
        var next = 0
        var continuations: [Int: AsyncStream<RemoteSignerState>.Continuation] = [:]
    }

    private let watchers = Mutex(Watchers())

    /// The state now.
    var current: RemoteSignerState { watchers.withLock { $0.current } }

    /// The state now and whenever it changes.
    func watch() -> AsyncStream<RemoteSignerState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RemoteSignerState.self, bufferingPolicy: .bufferingNewest(1))
        let key = watchers.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            continuation.yield(state.current)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.watchers.withLock { $0.continuations[key] = nil }
        }
        return stream
    }

    /// Tells a state, if it is another than before.
    func tell(_ state: RemoteSignerState) {
        let open = watchers.withLock { watchers in
            guard watchers.current != state else { return [AsyncStream<RemoteSignerState>.Continuation]() }
            watchers.current = state
            return Array(watchers.continuations.values)
        }
        for continuation in open { continuation.yield(state) }
    }
}
