internal import AsyncPrimitives
internal import NostrCore
internal import Synchronization

/// What an account can do while it is unlocked; made when the key has come, dropped when it goes.
public final class UnlockedAccount: Sendable {
    /// What its services work with.
    public let context: UnlockedContext
    private let services: [any UnlockedService]
    /// ``run()`` is inside as long as it lasts, so that nothing is wiped under work that is still going on.
    private let working = SerialGate()
    private let isOver = Atomic(false)
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
        await working.run {
            guard !isOver.load(ordering: .acquiring) else { return }
            await withTaskGroup { group in
                group.addTask { await self.runServices() }
                group.addTask { await self.end.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func runServices() async {
        await withDiscardingTaskGroup { group in
            for service in services { group.addTask { await service.run() } }
            // Services may have nothing to do; this lifetime ends only with the lock.
            group.addTask { while !Task.isCancelled { await Doorbell().wait() } }
        }
    }

    /// The person answered whether a relay may learn who the account is, or took the answer back.
    func consentDidChange(for relay: RelayURL) async {
        for service in services { await service.consentDidChange(for: relay) }
    }

    /// What signs is there again.
    func signerDidReturn() async {
        for service in services { await service.signerDidReturn() }
    }

    /// Cancels ``run()``, waits for its end, then has every service forget what was decrypted.
    ///
    /// No service may call it from its own work, which would wait for itself.
    func finish() async {
        isOver.store(true, ordering: .releasing)
        end.ring()
        await working.run {
            for service in services { await service.wipe() }
        }
    }
}

/// The times an account is unlocked, one after the other.
///
/// A class over one lock: whether there is an ``UnlockedAccount`` is looked at by screens without waiting.
final class UnlockedLifetime: Sendable {
    private struct State {
        var vault = VaultState.locked
        var current: UnlockedAccount?
        /// Locked, and not wiped yet.
        var ending: [UnlockedAccount] = []
        /// Counts the times the account was locked: what a slow signer gives after that is dropped.
        var locks = 0
    }

    private let state = Mutex(State())
    private let gate = SerialGate()
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
        try await gate.run {
            // What services share beyond one time, as the mail, is closed by the last before the next opens it.
            await finishEnded()
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
        let mustFinish = state.withLock { state in
            state.locks += 1
            state.vault = .locked
            if let current = state.current { state.ending.append(current) }
            state.current = nil
            return !state.ending.isEmpty
        }
        // Who waits for a slow signer holds the gate, but then nothing is open.
        if mustFinish { await gate.run { await finishEnded() } }
    }

    private func finishEnded() async {
        let ended = state.withLock { state in
            defer { state.ending = [] }
            return state.ending
        }
        for account in ended { await account.finish() }
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
