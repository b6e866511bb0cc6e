internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Work (NIP-13) that is put into drafts before they are signed.
public actor Mining {
    private nonisolated let context: AccountContext
    private var works: [Int: Work] = [:]

    /// One piece of work, and how to end it.
    private struct Work {
        var progress: WorkInProgress
        let skip: AsyncStream<Never>.Continuation
    }

    init(_ context: AccountContext) {
        self.context = context
    }

    /// How much work goes into what the account publishes.
    public func policy() async throws -> WorkPolicy {
        let kept = try await context.records.value(WorkPolicy.key, in: WorkPolicy.table)
        return kept.flatMap(WorkPolicy.init(record:)) ?? context.configuration.work
    }

    /// Changes that from now on, durably.
    public func setPolicy(_ policy: WorkPolicy) async throws {
        try await context.records.put(policy.record, for: WorkPolicy.key, in: WorkPolicy.table)
    }

    /// Work being put into an event right now; publishing waits for it.
    public func inProgress() -> WorkInProgress? {
        works.min { $0.key < $1.key }?.value.progress
    }

    /// Ends the work in progress: what waits for it is published without.
    public func skip() {
        for work in works.values { work.skip.finish() }
    }

    /// Puts the work into a draft that the policy asks for.
    ///
    /// - Returns: the draft with its nonce, or as it was when it needs no work or a person said to skip it.
    /// - Throws: `CancellationError`, or what the records throw.
    func mined(_ draft: EventDraft) async throws -> EventDraft {
        guard WorkPolicy.concerns(draft.kind) else { return draft }
        let bits = try await policy().bits(for: draft.kind)
        guard bits > 0 else { return draft }
        let (skipped, skip) = AsyncStream.makeStream(of: Never.self)
        let (reports, report) = AsyncStream.makeStream(of: MiningProgress.self, bufferingPolicy: .bufferingNewest(1))
        let number = (works.keys.max() ?? 0) + 1
        works[number] = Work(progress: WorkInProgress(bits: bits), skip: skip)
        context.changes.send(.work)
        defer {
            works[number] = nil
            context.changes.send(.work)
        }
        let (author, now, elapsed) = (context.publicKey, context.time.now, stopwatch(context.time.clock))
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
        context.changes.send(.work)
    }
}
