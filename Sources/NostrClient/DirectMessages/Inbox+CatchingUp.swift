internal import AsyncPrimitives
internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Downloading what an inbox relay holds that is not here; a download stays where it was when the relay breaks off.
extension Inbox {
    func catchUp(with relay: RelayURL) async {
        guard catching.insert(relay).inserted else { return }
        defer { catching.remove(relay) }
        do {
            var progress = try await readProgress(of: relay)
            progress.begin(now: context.time.now())
            var failures = 0
            while let question = progress.question, failures < 4, !Task.isCancelled {
                if try await ask(question, of: relay, &progress) { failures = 0 } else { failures += 1 }
                self.progress[relay] = progress
                try await context.records.put(try progress.encoded(), for: relay.text, in: Self.progressTable)
            }
            guard progress.question == nil else { return }
            caughtUp.insert(relay)
            context.changes.send(.messaging)
            try await forgetOldMarks()
        } catch {
            context.report("messages could not be kept", error)
        }
    }

    /// Asks one page; whether it came whole.
    private func ask(
        _ question: InboxProgress.Question, of relay: RelayURL, _ progress: inout InboxProgress
    ) async throws -> Bool {
        let filter = wraps(since: question.since, until: question.until, limit: question.limit)
        var events: [Event] = []
        var isComplete = false
        for update in await gossip.collect([relay: [filter]], deadline: context.configuration.deadlines.timeline) {
            switch update {
            case .events(let more, _): events += more
            case .ended(_, let ending): isComplete = ending == .complete
            }
        }
        let oldestNew = try await receive(events)
        guard isComplete else {
            progress.failed()
            return false
        }
        progress.answered(count: events.count, oldest: events.map(\.createdAt).min(), oldestNew: oldestNew)
        return true
    }

    private func readProgress(of relay: RelayURL) async throws -> InboxProgress {
        if let known = progress[relay] { return known }
        return try await context.records.value(relay.text, in: Self.progressTable).flatMap(InboxProgress.init)
            ?? InboxProgress()
    }
}
