internal import AsyncPrimitives
internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Downloading what an inbox relay holds that is not here; a download stays where it was when the relay breaks off.
extension Inbox {
    /// How many pages may be read beside the one that is fetched.
    private static let pagesAtOnce = 2

    func catchUp(with relay: RelayURL) async {
        guard catching.insert(relay).inserted else { return }
        defer { catching.remove(relay) }
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
            context.changes.send(.messaging)
            try await forgetOldMarks()
        } catch {
            context.report("messages could not be kept", error)
        }
    }

    /// The first download, in which everything is new: while one page is written the next is fetched and opened.
    ///
    /// A page counts as done once it and all before it are on the disk. It ends early where a page does not come whole.
    private func downloadFirst(from relay: RelayURL, _ progress: inout InboxProgress) async throws {
        let begun = progress
        progress = try await withThrowingTaskGroup(of: Int.self, returning: InboxProgress.self) { group in
            var reached = begun
            var pages = PagesBeingRead(reached: begun)
            while let question = reached.question, !Task.isCancelled {
                let (events, isComplete) = await fetch(question, of: relay)
                guard isComplete else { break }
                reached.answered(count: events.count, oldest: events.map(\.createdAt).min(), oldestNew: nil)
                let number = pages.add(reached)
                group.addTask {
                    _ = try await self.receive(events)
                    return number
                }
                guard pages.open > Self.pagesAtOnce, let read = try await group.next() else { continue }
                if pages.didRead(read) { try await keep(pages.reached, of: relay) }
            }
            while let read = try await group.next() {
                if pages.didRead(read) { try await keep(pages.reached, of: relay) }
            }
            return pages.reached
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
            case .events(let more, _): events += more
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

/// Pages that are being read beside each other, and how far the download has come without a gap.
private struct PagesBeingRead {
    /// How far it has come: this page and all before it are read.
    private(set) var reached: InboxProgress
    private var pages: [(progress: InboxProgress, isRead: Bool)] = []
    private var done = 0

    /// How many pages wait for themselves, or for one before them.
    var open: Int { pages.count - done }

    init(reached: InboxProgress) {
        self.reached = reached
    }

    /// A page came, with which the download will have come so far; returns its number.
    mutating func add(_ progress: InboxProgress) -> Int {
        pages.append((progress, false))
        return pages.count - 1
    }

    /// A page is read; whether the download has come further with it.
    mutating func didRead(_ number: Int) -> Bool {
        pages[number].isRead = true
        let before = done
        while done < pages.count, pages[done].isRead { done += 1 }
        guard done > before else { return false }
        reached = pages[done - 1].progress
        return true
    }
}
