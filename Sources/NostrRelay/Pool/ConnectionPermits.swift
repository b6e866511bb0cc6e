import Synchronization

/// How many sockets a pool may hold; a socket that comes when all are taken waits its turn.
///
/// Not an `AsyncSemaphore`, as there are two kinds of use with one limit between them:
/// standing subscriptions may use up their own permits only, so that one-shot queries always find some of theirs.
final class ConnectionPermits: Sendable {
    /// What a socket is for when it opens.
    enum Use: Hashable, Sendable { case standing, oneShot }

    private struct Waiter {
        let number: Int
        let use: Use
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var standing = 0
        var oneShot = 0
        var waiters: [Waiter] = []
        var count = 0
    }

    private let state = Mutex(State())
    private let maxStanding: Int
    private let maxTotal: Int
    private let crowded: @Sendable () -> Void

    /// - Parameter crowded: called when somebody has to wait, so that unused sockets can close.
    init(standing: Int, spare: Int, crowded: @escaping @Sendable () -> Void) {
        maxStanding = standing
        maxTotal = standing + spare
        self.crowded = crowded
    }

    /// Takes a permit, waiting for one if need be; `false` when the task is cancelled first.
    func acquire(_ use: Use) async -> Bool {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if !state.waiters.contains(where: { $0.use == use }), admit(use, &state) { return true }
                    state.waiters.append(Waiter(number: number, use: use, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) } else { crowded() }
            }
        } onCancel: {
            state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }?.continuation.resume(returning: false)
        }
    }

    /// Whether somebody waits for a permit.
    var isCrowded: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Gives a permit back.
    func release(_ use: Use) {
        let admitted = state.withLock { state in
            switch use {
            case .standing: state.standing -= 1
            case .oneShot: state.oneShot -= 1
            }
            var admitted: [Waiter] = []
            var left: [Waiter] = []
            for waiter in state.waiters {
                if admit(waiter.use, &state) { admitted.append(waiter) } else { left.append(waiter) }
            }
            state.waiters = left
            return admitted
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func admit(_ use: Use, _ state: inout State) -> Bool {
        guard state.standing + state.oneShot < maxTotal else { return false }
        switch use {
        case .standing:
            guard state.standing < maxStanding else { return false }
            state.standing += 1
        case .oneShot: state.oneShot += 1
        }
        return true
    }
}
