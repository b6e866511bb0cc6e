internal import Synchronization

/// What the account does not want to see, for everything that shows notes and messages.
public final class MutesInForce: Sendable {
    private struct State {
        var mutes = Mutes()
        var renew: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    /// As the lists were last read; a look that does not wait.
    var current: Mutes { state.withLock { $0.mutes } }

    /// After lists that have changed since were read again.
    public func upToDate() async -> Mutes {
        await state.withLock({ $0.renew })?()
        return current
    }

    /// Puts mutes in force; returns whether they are other ones.
    func use(_ mutes: Mutes) -> Bool {
        state.withLock { state in
            guard mutes != state.mutes else { return false }
            state.mutes = mutes
            return true
        }
    }

    /// Says how lists are read again.
    func renew(by body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.renew = body }
    }
}
