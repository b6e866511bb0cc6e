internal import AsyncPrimitives
internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Downloading what an inbox relay holds that is not here; a download stays where it was when the relay breaks off.
extension Inbox {
    func catchUp(with relay: RelayURL) async {
        guard catching.insert(relay).inserted else { return }
        inbound.ask(.messages, of: relay)
        inbound.setLive(.messages, at: relay, isLive(relay), now: context.time.now())
        // However it ends; once it has ended whole this changes nothing.
        defer {
            catching.remove(relay)
            inbound.end(.messages, at: relay, isComplete: false, now: context.time.now())
        }
        do {
            var progress = try await readProgress(of: relay)
            progress.begin(now: context.time.now())
            if !progress.needsToKnowWhatIsNew { try await downloadFirst(from: relay, &progress) }
            var failures = 0
            while let question = progress.question, failures < 4, !Task.isCancelled {
                if try await ask(question, of: relay, &progress) { failures = 0 } else { failures += 1 }
                try await keep(progress, of: relay)
            }
            guard progress.question == nil else { return }
            caughtUp.insert(relay)
            inbound.end(.messages, at: relay, isComplete: true, now: context.time.now())
            context.changes.send(.messaging)
            try await forgetOldMarks()
        } catch {
            context.report("messages could not be kept", error)
        }
    }

    /// The first download, in which everything is new: while pages are written the next ones are fetched and opened.
    ///
    /// It ends early where a page does not come whole; how far it has come is kept with what came.
    private func downloadFirst(from relay: RelayURL, _ progress: inout InboxProgress) async throws {
        let begun = progress
        progress = try await withThrowingTaskGroup(of: Int.self, returning: InboxProgress.self) { group in
            var download = FirstDownload(from: begun)
            while let question = download.question, !Task.isCancelled {
                let (events, isComplete) = await fetch(question, of: relay)
                guard isComplete else { break }
                download.add(events)
                read(download.batch(), in: &group)
                while download.isFull, let number = try await group.next() {
                    if download.didRead(number) { try await keep(download.reached, of: relay) }
                }
            }
            read(download.batch(atEnd: true), in: &group)
            while let number = try await group.next() {
                if download.didRead(number) { try await keep(download.reached, of: relay) }
            }
            return download.reached
        }
    }

    private func read(_ batch: FirstDownload.Batch?, in group: inout ThrowingTaskGroup<Int, any Error>) {
        guard let batch else { return }
        group.addTask {
            _ = try await self.receive(batch.wraps)
            return batch.number
        }
    }

    private func keep(_ progress: InboxProgress, of relay: RelayURL) async throws {
        self.progress[relay] = progress
        try await context.records.put(try progress.encoded(), for: relay.text, in: Self.progressTable)
    }

    /// What a relay answers to one question, and whether it came whole.
    private func fetch(_ question: InboxProgress.Question, of relay: RelayURL) async -> ([Event], isComplete: Bool) {
        let filter = wraps(since: question.since, until: question.until, limit: question.limit)
        var events: [Event] = []
        var isComplete = false
        for update in await gossip.collect([relay: [filter]], deadline: context.configuration.deadlines.timeline) {
            switch update {
            case .events(let more, _):
                events += more
                inbound.receive(.messages, more, from: relay)
            case .ended(_, let ending): isComplete = ending == .complete
            }
        }
        return (events, isComplete)
    }

    /// Asks one page; whether it came whole.
    private func ask(
        _ question: InboxProgress.Question, of relay: RelayURL, _ progress: inout InboxProgress
    ) async throws -> Bool {
        let (events, isComplete) = await fetch(question, of: relay)
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
