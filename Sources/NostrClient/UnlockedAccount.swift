internal import AsyncPrimitives
internal import Synchronization

/// What an account can do while it is unlocked; made when the key has come, dropped when it goes.
public final class UnlockedAccount: Sendable {
    /// What its services work with.
    public let context: UnlockedContext
    private let services: [any UnlockedService]
    /// Rings when it is over.
    private let end = Doorbell()

    init(_ context: UnlockedContext, services: [any UnlockedService]) {
        self.context = context
        self.services = services
    }

    /// The service of a type; `nil` where none was made.
    public func service<Service: UnlockedService>(_ type: Service.Type = Service.self) -> Service? {
        for case let service as Service in services { return service }
        return nil
    }

    /// Runs the services until cancelled or locked.
    func run() async {
        await withTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for service in self.services { group.addTask { await service.run() } }
                    // Services may have nothing to do; this lifetime ends only with the lock.
                    group.addTask { while !Task.isCancelled { await Doorbell().wait() } }
                }
            }
            group.addTask { await self.end.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Ends ``run()``, and has every service forget what was decrypted.
    func finish() async {
        end.ring()
        for service in services { await service.wipe() }
    }
}

/// The times an account is unlocked, one after the other.
///
/// A class over one lock: whether there is an ``UnlockedAccount`` is looked at by screens without waiting.
final class UnlockedLifetime: Sendable {
    private struct State {
        var vault = VaultState.locked
        var current: UnlockedAccount?
        /// Counts the times the account was locked: what a slow signer gives after that is dropped.
        var locks = 0
    }

    private let state = Mutex(State())
    private let gate = Turns()
    private let arrived = Doorbell()

    /// The account while it is unlocked.
    var current: UnlockedAccount? { state.withLock { $0.current } }
    /// How the vault stands.
    var vault: VaultState { state.withLock { $0.vault } }
    /// How often the account was locked.
    var locks: Int { state.withLock { $0.locks } }

    /// Unlocks; returns once everything is open, by whichever call.
    ///
    /// - Parameters:
    ///   - open: opens the vault; `nil` when it is damaged.
    ///   - make: makes the services.
    /// - Returns: whether it was this call that unlocked.
    /// - Throws: what opening throws; the account is locked then.
    func unlock(
        _ open: () async throws -> SealedRecords?, _ make: (SealedRecords) async -> UnlockedAccount
    ) async throws -> Bool {
        try await gate.take {
            let before = state.withLock { $0.current == nil ? $0.locks : nil }
            guard let before else { return false }
            guard let sealed = try await open() else {
                become(.damaged, unlessLockedSince: before)
                return false
            }
            become(.opening, unlessLockedSince: before)
            let opened = await make(sealed)
            let isInTime = state.withLock { state in
                // Locked again while the signer worked: what it gave is dropped.
                guard state.locks == before else { return false }
                state.current = opened
                state.vault = .open
                return true
            }
            if isInTime { arrived.ring() } else { await opened.finish() }
            return isInTime
        }
    }

    private func become(_ vault: VaultState, unlessLockedSince before: Int) {
        state.withLock { if $0.locks == before { $0.vault = vault } }
    }

    /// Ends the current time: cancels its work, wipes it, drops it.
    func lock() async {
        let ended = state.withLock { state in
            state.locks += 1
            state.vault = .locked
            defer { state.current = nil }
            return state.current
        }
        await ended?.finish()
    }

    /// Runs the services of each unlocked time until cancelled.
    func run() async {
        var last: UnlockedAccount?
        while !Task.isCancelled {
            if let current, current !== last {
                last = current
                await current.run()
            } else {
                last = nil
                await arrived.wait()
            }
        }
    }
}
