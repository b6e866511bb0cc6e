internal import Synchronization

/// The changes of an account: hands each to every screen that listens; at most 1024 wait per listener, then the oldest are dropped and
/// a ``AccountChange/missed`` tells the listener to read again.
public final class ChangeFeed: Sendable {
    private struct Listeners {
        var next = 0
        var continuations: [Int: AsyncStream<AccountChange>.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    init() {}

    /// What happens from now on.
    public func listen() -> AsyncStream<AccountChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AccountChange.self, bufferingPolicy: .bufferingNewest(1024))
        let key = listeners.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.continuations[key] = nil }
        }
        return stream
    }

    /// Tells everybody who listens.
    package func send(_ change: AccountChange) {
        let open = listeners.withLock { Array($0.continuations.values) }
        for continuation in open {
            if case .dropped = continuation.yield(change) { continuation.yield(.missed) }
        }
    }
}
