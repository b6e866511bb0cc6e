internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Notices who begins to follow the account.
///
/// Lists of follows replace each other, so what was noticed is kept in the account's records, person by person. A class
/// over one lock, since every event that is stored passes by.
final class NewFollowers: Sendable {
    /// Events reach relays late, and relays were down.
    private static let overlap: Duration = .seconds(86_400)
    /// Nothing older is asked for, however long the program did not run.
    private static let longest: Duration = .seconds(30 * 86_400)
    private static let mostLists = 1_000

    private struct State {
        var history: FollowerHistory?
        /// What came and was not looked at yet.
        var waiting: [FollowSighting] = []
        /// Whether the store is to be looked through, since something may have passed unseen.
        var looksAgain = true
    }

    private let context: AccountContext
    private let state = Mutex(State())
    private let bell = Doorbell()
    /// One change at a time is written, and read by others only then.
    private let writing = SerialGate()

    init(_ context: AccountContext) {
        self.context = context
    }

    /// Who began to follow the account, the newest first.
    func all() async throws -> [Follower] { try await history().told }

    /// From when on relays are asked for lists.
    func askSince() async throws -> Timestamp {
        let now = context.time.now()
        try await begin()
        let history = try await history()
        return max((history.heard ?? now) - Self.overlap, history.began ?? now, now - Self.longest)
    }

    /// An event was stored.
    func stored(_ event: Event) {
        guard let sighting = FollowSighting(event, naming: context.publicKey) else { return }
        state.withLock { $0.waiting.append(sighting) }
        bell.ring()
    }

    /// Changes of the store were missed.
    func lookAgain() {
        state.withLock { $0.looksAgain = true }
        bell.ring()
    }

    /// A relay has told everything it holds.
    func heard() async {
        let now = context.time.now()
        do { try await change { ($0.markHeard(until: now), []) } } catch {
            context.report("until when followers are known could not be kept", error)
        }
    }

    /// Looks at what comes until cancelled.
    ///
    /// - Parameter tell: called with those who are news, once they are on the disk.
    func run(_ tell: @Sendable ([Follower]) -> Void) async {
        while !Task.isCancelled {
            do {
                let new = try await look()
                if !new.isEmpty { tell(new) }
                if state.withLock({ $0.waiting.isEmpty && !$0.looksAgain }) { await bell.wait() }
            } catch {
                context.report("who follows the account could not be kept", error)
                // The store is looked through then: nothing is lost.
                state.withLock { $0.looksAgain = true }
                await context.time.pause(for: .seconds(60))
            }
        }
    }

    /// Takes what came, and what the store holds where that is to be looked through.
    private func look() async throws -> [Follower] {
        let (looksAgain, waiting) = state.withLock { state in
            defer { (state.looksAgain, state.waiting) = (false, []) }
            return (state.looksAgain, state.waiting)
        }
        try await begin()
        var sightings = waiting
        if looksAgain { sightings = try await storedSightings() + waiting }
        guard !sightings.isEmpty else { return [] }
        let (all, now) = (sightings, context.time.now())
        return try await change { history in
            var changes: [RecordChange] = []
            var new: [Follower] = []
            for sighting in all {
                let taken = history.receive(sighting, now: now)
                changes += taken.changes
                if let follower = taken.new { new.append(follower) }
            }
            return (changes, new)
        }
    }

    /// What the store holds: all when the account is new here, so that nothing of it is news later; else what came since
    /// it was heard last.
    private func storedSightings() async throws -> [FollowSighting] {
        let history = try await history()
        let isNew = history.began == history.heard
        let filter = Filter(
            kinds: [FollowList.kind], tags: ["p": [context.publicKey.hex]],
            since: isNew ? nil : history.heard.map { $0 - Self.overlap }, limit: Self.mostLists)
        return try await context.store.query([filter]).compactMap { FollowSighting($0, naming: context.publicKey) }
    }

    private func begin() async throws {
        guard try await history().began == nil else { return }
        let now = context.time.now()
        try await change { ($0.begin(at: now), []) }
    }

    private func history() async throws -> FollowerHistory {
        if let history = state.withLock({ $0.history }) { return history }
        let records = try await context.records.records(in: FollowerHistory.table, prefix: "")
        return state.withLock { state in
            let history = state.history ?? FollowerHistory(records: records)
            state.history = history
            return history
        }
    }

    /// Changes what is known once that is on the disk.
    @discardableResult
    private func change(
        _ body: @escaping @Sendable (inout FollowerHistory) -> (changes: [RecordChange], new: [Follower])
    ) async throws -> [Follower] {
        _ = try await history()
        return try await writing.run {
            var history = try await self.history()
            let (changes, new) = body(&history)
            guard !changes.isEmpty else { return [] }
            try await context.records.apply(changes)
            let changed = history
            state.withLock { $0.history = changed }
            return new
        }
    }
}
