internal import AsyncPrimitives
internal import NostrCore
internal import NostrStore
internal import Synchronization

/// What the choice of relays learned, over restarts: how relays behaved, and where people are said to be.
extension Gossip {
    /// Reads what was learned at earlier starts.
    func remember() async throws {
        let health = try await context.records.records(in: RelayTrack.table)
        let hints = try await context.records.records(in: HintRecords.table)
        let now = context.time.now()
        let kept = hintRecords.withLock { $0.read(hints, now: now) }
        knowledge.withLock { known in
            known.router.health.restore(health, now: now)
            known.router.hints.restore(kept, now: now)
        }
    }

    /// What of it is to be written now: seldom, and at the end.
    func changesToKeep(now: Timestamp, isLast: Bool) -> [RecordChange] {
        let (router, followed) = knowledge.withLock { ($0.router, $0.followed) }
        // Of a copy: thousands of people are looked through, and pages look at what stands under the lock.
        let hints = hintRecords.withLock { records in
            records.changes(
                of: router.hints, followed: followed, isListed: { router.lists[$0] != nil }, now: now, isLast: isLast)
        }
        return learnHealth { $0.changes(now: now, isLast: isLast) } + hints
    }
}
