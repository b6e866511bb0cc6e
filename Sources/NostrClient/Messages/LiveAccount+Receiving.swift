internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

/// Gift wraps coming in.
///
/// They do not go into the shared event store: that one is there for everybody who uses this machine's relay, and a wrap
/// says for whom it is. What is in them rests in the vault, and while the account is locked they wait in its own
/// records as they came.
extension LiveAccount {
    /// Wraps that wait for the key.
    static let waitingWraps = "wraps-waiting"
    /// How many may wait; the rest stays on the relays until the account is unlocked.
    static let mostWaitingWraps = 20_000
    private static let batch = 256
    /// A standing request is made anew this often: some relays drop one without a word.
    private static let reissue: Duration = .seconds(900)
    private static let progressTable = "inbox"

    /// Listens at all inbox relays, again whenever they change or the key comes.
    func receiveMail() async {
        while !Task.isCancelled {
            let relays = mailRelays
            let epoch = mail.epoch
            await withTaskGroup { group in
                for relay in relays { group.addTask { await self.attend(relay) } }
                group.addTask { await self.untilMailChanges(from: relays, epoch) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func untilMailChanges(from relays: [RelayURL], _ epoch: Int) async {
        while !Task.isCancelled, mailRelays == relays, mail.epoch == epoch { await attending.wait() }
    }

    private func wraps(since: Timestamp? = nil, until: Timestamp? = nil, limit: Int) -> Filter {
        Filter(
            kinds: [GiftWrap.kind, GiftWrap.ephemeralKind], tags: ["p": [publicKey.hex]], since: since, until: until,
            limit: limit)
    }

    /// Keeps a standing request at one relay until cancelled, and catches up whenever it may have missed something.
    private func attend(_ relay: RelayURL) async {
        while !Task.isCancelled {
            // No `since`: a relay would hold back a new wrap with an old date.
            let subscription = await context.network.subscribe([relay: [wraps(limit: 50)]])
            await withTaskGroup { group in
                group.addTask { await self.listen(to: subscription, at: relay) }
                group.addTask { await self.time.pause(Self.reissue) }
                await group.next()
                group.cancelAll()
            }
            await subscription.cancel()
        }
    }

    private func listen(to subscription: any LiveSubscription, at relay: RelayURL) async {
        await withDiscardingTaskGroup { group in
            var mayHaveMissed = isBehind(relay)
            for await update in subscription.updates {
                switch update {
                case .events(let events, _):
                    // The first answer is of what was there before: something new among it was missed.
                    if await receive(events, from: relay) != nil, !isLive(relay) { mayHaveMissed = true }
                case .live:
                    mail.live.insert(relay)
                    mail.outbox.relayIsBack(relay, now: time.now())
                    mailing.ring()
                    if mayHaveMissed { group.addTask { await self.catchUp(with: relay) } }
                    mayHaveMissed = false
                case .interrupted:
                    mail.live.remove(relay)
                    mayHaveMissed = true
                }
            }
            mail.live.remove(relay)
            // It ends when cancelled, or when the pool goes away.
            await time.pause(.seconds(5))
        }
    }

    private func isLive(_ relay: RelayURL) -> Bool { mail.live.contains(relay) }

    /// Whether a relay was not asked for all of the last days for a while.
    private func isBehind(_ relay: RelayURL) -> Bool {
        guard mail.caughtUp.contains(relay), let done = mail.progress[relay]?.completeAt else { return true }
        return done + 3600 < time.now().seconds
    }

    // MARK: Catching up

    /// Downloads what one relay may hold that is not here; stays where it was when the relay breaks off.
    func catchUp(with relay: RelayURL) async {
        guard mail.catching.insert(relay).inserted else { return }
        defer { mail.catching.remove(relay) }
        do {
            var progress = try await readProgress(of: relay)
            progress.begin(now: time.now())
            var failures = 0
            while let question = progress.question, failures < 4, !Task.isCancelled {
                if try await ask(question, of: relay, &progress) { failures = 0 } else { failures += 1 }
                mail.progress[relay] = progress
                try await records.put(try progress.encoded(), for: relay.text, in: Self.progressTable)
            }
            guard progress.question == nil else { return }
            mail.caughtUp.insert(relay)
            feed.send(.messaging)
            try await forgetOldMarks()
        } catch {
            report("messages could not be kept", error)
        }
    }

    /// Asks one page; whether it came whole.
    private func ask(
        _ question: InboxProgress.Question, of relay: RelayURL, _ progress: inout InboxProgress
    ) async throws -> Bool {
        let filter = wraps(since: question.since, until: question.until, limit: question.limit)
        var events: [Event] = []
        var isComplete = false
        for update in await collect([relay: [filter]], deadline: configuration.deadlines.timeline) {
            switch update {
            case .events(let more, _): events += more
            case .ended(_, let ending): isComplete = ending == .complete
            }
        }
        let oldestNew = try await take(events)
        guard isComplete else {
            progress.failed()
            return false
        }
        progress.answered(count: events.count, oldest: events.map(\.createdAt).min(), oldestNew: oldestNew)
        return true
    }

    private func readProgress(of relay: RelayURL) async throws -> InboxProgress {
        if let known = mail.progress[relay] { return known }
        return try await records.value(relay.text, in: Self.progressTable).flatMap(InboxProgress.init)
            ?? InboxProgress()
    }

    /// Marks of wraps that no relay is asked for any more are dropped.
    private func forgetOldMarks() async throws {
        guard sealed != nil else { return }
        let horizons = mailRelays.map { mail.progress[$0]?.horizon }
        guard let horizon = horizons.compactMap(\.self).min(), !horizons.contains(nil) else { return }
        try await mailbox.forgetSeen(before: horizon)
    }

    // MARK: Opening

    /// Takes wraps in; returns the date of the oldest that is new here, for those that came live.
    private func receive(_ events: [Event], from relay: RelayURL) async -> Timestamp? {
        do {
            return try await take(events)
        } catch {
            report("messages could not be kept", error)
            // It is downloaded again: what was complete is not any more.
            mail.caughtUp.remove(relay)
            return nil
        }
    }

    /// Opens wraps and keeps what is in them, or keeps them closed until there is a key.
    ///
    /// - Returns: the date of the oldest that was not here before; `nil` when none was new.
    func take(_ events: [Event]) async throws -> Timestamp? {
        let mine = events.filter { event in
            (event.kind == GiftWrap.kind || event.kind == GiftWrap.ephemeralKind)
                && event.tags.named("p").contains { $0.publicKey(at: 1) == publicKey }
        }
        guard !mine.isEmpty else { return nil }
        guard sealed != nil, await mailbox.isOpen else {
            try await keepClosed(mine)
            return nil
        }
        let new = await mailbox.unseen(mine)
        for part in new.chunked(by: Self.batch) { try await open(part, clearing: []) }
        return new.map(\.createdAt).min()
    }

    private func open(_ wraps: [Event], clearing: [RecordChange]) async throws {
        guard let signer else { return }
        do {
            let gifts = try await signer.open(wraps)
            let outcome = try await mailbox.take(wraps, gifts, now: time.now(), clearing: clearing)
            mail.rejected += outcome.rejected
            for room in outcome.rooms { feed.send(.conversation(room)) }
            if outcome.rejected > 0 || !outcome.rooms.isEmpty { feed.send(.messaging) }
            if !outcome.others.isEmpty { arrivals.ring() }
        } catch let failure where failure is SigningFailure || failure as? MessagingError == .locked {
            // The key went while they were opened.
            try await keepClosed(wraps)
        }
    }

    private func keepClosed(_ wraps: [Event]) async throws {
        let fitting = wraps.filter { $0.content.utf8.count <= GiftWrap.longestContent }
        mail.rejected += wraps.count - fitting.count
        let known =
            if let waiting = mail.waiting { waiting } else {
                try await records.records(in: Self.waitingWraps).count
            }
        guard known + fitting.count <= Self.mostWaitingWraps else {
            throw MessagingError(.locked, "Too many messages wait for the account to be unlocked.")
        }
        try await records.apply(
            fitting.map { .put(table: Self.waitingWraps, key: $0.id.hex, value: $0.unverified.json) })
        mail.waiting = known + fitting.count
    }

    /// Opens what waited for the key.
    func openWaiting() async throws {
        let waiting = try await records.records(in: Self.waitingWraps)
        for part in waiting.chunked(by: Self.batch) {
            let clearing = part.map { RecordChange.remove(table: Self.waitingWraps, key: $0.key) }
            // They were checked when they came; what does not check now was damaged on the disk.
            let events = part.compactMap { try? Event(verifying: UnverifiedEvent(json: $0.value)) }
            try await open(await mailbox.unseen(events), clearing: clearing)
        }
        mail.waiting = nil
    }
}
