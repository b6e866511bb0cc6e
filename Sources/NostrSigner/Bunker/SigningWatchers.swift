internal import Synchronization

/// Those who are told what changes in a signer.
final class SigningWatchers: Sendable {
    private struct Watchers {
        var next = 0
        var continuations: [Int: AsyncStream<SigningChange>.Continuation] = [:]
    }

    private let watchers = Mutex(Watchers())

    /// Changes from now on; the newest 256 wait.
    func watch() -> AsyncStream<SigningChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SigningChange.self, bufferingPolicy: .bufferingNewest(256))
        let number = watchers.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.watchers.withLock { _ = $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Sends a change to all.
    func send(_ change: SigningChange) {
        let open = watchers.withLock { Array($0.continuations.values) }
        for continuation in open { continuation.yield(change) }
    }
}
