internal import NostrCore
internal import NostrNIPs
internal import NostrStore

// Work (NIP-13) before signing.
extension LiveAccount {
    public func workPolicy() async throws -> WorkPolicy {
        let kept = try await records.value(WorkPolicy.key, in: WorkPolicy.table)
        return kept.flatMap(WorkPolicy.init(record:)) ?? configuration.work
    }

    public func setWorkPolicy(_ policy: WorkPolicy) async throws {
        try await records.put(policy.record, for: WorkPolicy.key, in: WorkPolicy.table)
    }

    public func workInProgress() async -> WorkInProgress? {
        works.min { $0.key < $1.key }?.value.progress
    }

    public func skipWork() async {
        for work in works.values { work.skip.finish() }
    }

    /// Puts the work into a draft that the policy asks for.
    ///
    /// - Returns: the draft with its nonce, or as it was when it needs no work or somebody said to skip it.
    /// - Throws: `CancellationError`, or what the records throw.
    func worked(_ draft: EventDraft) async throws -> EventDraft {
        guard WorkPolicy.concerns(draft.kind) else { return draft }
        let bits = try await workPolicy().bits(for: draft.kind)
        guard bits > 0 else { return draft }
        let (skipped, skip) = AsyncStream.makeStream(of: Never.self)
        let (reports, report) = AsyncStream.makeStream(of: MiningProgress.self, bufferingPolicy: .bufferingNewest(1))
        let number = (works.keys.max() ?? 0) + 1
        works[number] = WorkAtHand(progress: WorkInProgress(bits: bits), skip: skip)
        feed.send(.work)
        defer {
            works[number] = nil
            feed.send(.work)
        }
        let (author, now, elapsed) = (publicKey, time.now, stopwatch(time.clock))
        let mined = await withTaskGroup(of: EventDraft?.self) { group in
            group.addTask {
                // It fails when it is cancelled, which is looked at below, and when there is no such nonce.
                try? await ProofOfWork.mine(
                    draft, author: author, bits: bits, clock: now, progress: { report.yield($0) })
            }
            group.addTask {
                for await _ in skipped {}
                return nil
            }
            group.addTask {
                for await progress in reports { await self.note(progress, of: number, after: elapsed()) }
                return nil
            }
            // The reports end only with the group, so the first result is the work's end or the word to skip it.
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        try Task.checkCancellation()
        return mined ?? draft
    }

    private func note(_ progress: MiningProgress, of number: Int, after elapsed: Duration) {
        guard works[number] != nil else { return }
        works[number]?.progress.hashes = progress.hashes
        works[number]?.progress.rate = progress.rate(after: elapsed)
        works[number]?.progress.remaining = progress.remaining(after: elapsed)
        feed.send(.work)
    }
}

/// One piece of work, and how to end it.
struct WorkAtHand: Sendable {
    var progress: WorkInProgress
    let skip: AsyncStream<Never>.Continuation
}

/// Starts counting; each call tells how long it was.
private func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
