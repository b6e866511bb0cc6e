internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

/// What opens gift wraps while the account is unlocked.
protocol GiftWrapReader: AnyObject, Sendable {
    /// Opens wraps and keeps what is in them.
    ///
    /// - Parameter clearing: for some wraps, the change that is to become durable with what was in them.
    /// - Returns: the date of the oldest that was not here before, `nil` when none was new; and how many could not be
    ///   believed.
    /// - Throws: a `SigningFailure`, or ``MessagingError/Code/locked``, when the key went meanwhile.
    func read(_ wraps: [Event], clearing: [RecordChange]) async throws -> (oldestNew: Timestamp?, rejected: Int)
    /// Forgets marks of wraps that no relay is asked for any more.
    func forgetSeen(before moment: Timestamp) async throws
}

/// Gift wraps coming in from the account's inbox relays.
///
/// They do not go into the shared event store: that one is there for everybody who uses this machine's relay, and a wrap
/// says for whom it is. While the account is locked they wait in its own records as they came; while it is unlocked a
/// `GiftWrapReader` opens them.
public actor Inbox {
    /// Wraps that wait for the key.
    static let waitingTable = "wraps-waiting"
    /// How many may wait; the rest stays on the relays until the account is unlocked.
    static let mostWaiting = 20_000
    /// How many are opened and written together: an index is written once for all of them.
    static let batch = FirstDownload.mostPages * InboxProgress.pages.upperBound
    /// A standing request is made anew this often: some relays drop one without a word.
    private static let reissue: Duration = .seconds(900)
    static let progressTable = "inbox"

    let context: AccountContext
    let gossip: Gossip
    nonisolated let routes: InboxRoutes
    private let delivery: WrapDelivery
    nonisolated let inbound: InboundLedger
    /// Rings when the inbox relays or the key changed.
    private nonisolated let attending = Doorbell()
    /// What opens wraps, while the account is unlocked.
    private var reader: (any GiftWrapReader)?
    /// How far each relay's wraps are here; read from disk when first asked for.
    var progress: [RelayURL: InboxProgress] = [:]
    /// Relays that have sent all they hold since the start.
    var caughtUp: Set<RelayURL> = []
    /// Relays that are live now.
    private var live: Set<RelayURL> = []
    /// Relays that are being caught up with.
    var catching: Set<RelayURL> = []
    /// Wraps that could not be believed since the start.
    private(set) var rejected = 0
    /// Wraps on disk that wait for the key; `nil` before they were counted.
    private var waiting: Int?
    /// Grows whenever relays must be asked anew: after an unlock.
    private var unlocks = 0

    init(_ context: AccountContext, gossip: Gossip, routes: InboxRoutes, delivery: WrapDelivery, inbound: InboundLedger)
    {
        self.inbound = inbound
        self.context = context
        self.gossip = gossip
        self.routes = routes
        self.delivery = delivery
        gossip.ring(attending)
    }

    /// Listens at all inbox relays until cancelled, again whenever they change or the key comes.
    func run() async {
        while !Task.isCancelled {
            let relays = routes.own
            let unlocks = self.unlocks
            await withTaskGroup { group in
                for relay in relays { group.addTask { await self.attend(relay) } }
                group.addTask { await self.untilChanged(relays, unlocks) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    // MARK: The key comes and goes

    /// The account is unlocked: opens what waited for the key.
    func open(_ reader: any GiftWrapReader) async throws {
        self.reader = reader
        try await readWaiting()
        unlocks += 1
        for relay in routes.own { await context.network.refreshConsent(of: relay) }
        attending.ring()
    }

    /// The account is locked: what comes is kept closed.
    func close() { reader = nil }

    /// Opens what waited for the key, or for a signer that did not answer.
    func readWaiting() async throws {
        guard let reader else { return }
        let kept = try await context.records.records(in: Self.waitingTable)
        for part in kept.chunked(by: Self.batch) {
            let clearing = part.map { RecordChange.remove(table: Self.waitingTable, key: $0.key) }
            // They were checked when they came; what does not check now was damaged on the disk.
            let events = part.compactMap { try? Event(verifying: UnverifiedEvent(json: $0.value)) }
            _ = try await read(events, by: reader, clearing: clearing)
        }
        waiting = nil
    }

    // MARK: Receiving

    /// Opens wraps and keeps what is in them, or keeps them closed until there is a key.
    ///
    /// - Returns: the date of the oldest that was not here before; `nil` when none was new.
    func receive(_ events: [Event]) async throws -> Timestamp? {
        let mine = events.filter { event in
            (event.kind == GiftWrap.kind || event.kind == GiftWrap.ephemeralKind)
                && event.tags.named("p").contains { $0.publicKey(at: 1) == context.publicKey }
        }
        guard !mine.isEmpty else { return nil }
        guard let reader else {
            try await keepClosed(mine)
            return nil
        }
        var oldest: Timestamp?
        for part in mine.chunked(by: Self.batch) {
            guard let found = try await read(part, by: reader, clearing: []) else { continue }
            oldest = oldest.map { min($0, found) } ?? found
        }
        return oldest
    }

    private func read(
        _ wraps: [Event], by reader: any GiftWrapReader, clearing: [RecordChange]
    ) async throws -> Timestamp? {
        do {
            let (oldest, rejected) = try await reader.read(wraps, clearing: clearing)
            if rejected > 0 {
                self.rejected += rejected
                context.changes.send(.messaging)
            }
            return oldest
        } catch let failure where failure is SigningFailure || failure as? MessagingError == .locked {
            // The key went while they were opened.
            try await keepClosed(wraps)
            return nil
        }
    }

    private func keepClosed(_ wraps: [Event]) async throws {
        let fitting = wraps.filter { $0.content.utf8.count <= GiftWrap.longestContent }
        rejected += wraps.count - fitting.count
        let counted =
            if let waiting { waiting } else { try await context.records.records(in: Self.waitingTable).count }
        // Others may have come while they were counted.
        let known = max(waiting ?? 0, counted)
        guard known + fitting.count <= Self.mostWaiting else {
            throw MessagingError(.tooManyWaiting, limit: Self.mostWaiting)
        }
        // Counted before it is written: what comes meanwhile finds it counted.
        waiting = known + fitting.count
        do {
            try await context.records.apply(
                fitting.map { .put(table: Self.waitingTable, key: $0.id.hex, value: $0.unverified.json) })
        } catch {
            waiting = nil
            throw error
        }
    }

    /// Drops the marks of wraps that no relay is asked for any more.
    func forgetOldMarks() async throws {
        guard let reader else { return }
        let horizons = routes.own.map { progress[$0]?.horizon }
        guard let horizon = horizons.compactMap(\.self).min(), !horizons.contains(nil) else { return }
        try await reader.forgetSeen(before: horizon)
    }

    // MARK: Listening

    private func untilChanged(_ relays: [RelayURL], _ unlocks: Int) async {
        while !Task.isCancelled, routes.own == relays, self.unlocks == unlocks {
            await attending.wait()
            // One that was asked before a list of the account named it was not told who asks, and gave nothing. Without
            // the key it could not be told now either.
            guard !Task.isCancelled, reader != nil else { continue }
            for relay in routes.own where gossip.isOwn(relay) { await context.network.refreshConsent(of: relay) }
        }
    }

    nonisolated func wraps(since: Timestamp? = nil, until: Timestamp? = nil, limit: Int) -> Filter {
        Filter(
            kinds: [GiftWrap.kind, GiftWrap.ephemeralKind], tags: ["p": [context.publicKey.hex]], since: since,
            until: until, limit: limit)
    }

    /// Keeps a standing request at one relay until cancelled, and catches up whenever it may have missed something.
    private func attend(_ relay: RelayURL) async {
        while !Task.isCancelled {
            // No `since`: a relay would hold back a new wrap with an old date.
            let subscription = await context.network.subscribe([relay: [wraps(limit: 50)]])
            await withTaskGroup { group in
                group.addTask { await self.listen(to: subscription, at: relay) }
                group.addTask { await self.context.time.pause(for: Self.reissue) }
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
                    if await receiveLive(events, from: relay) != nil, !live.contains(relay) { mayHaveMissed = true }
                case .live:
                    live.insert(relay)
                    inbound.setLive(.messages, at: relay, true, now: context.time.now())
                    await delivery.relayIsBack(relay)
                    if mayHaveMissed { group.addTask { await self.catchUp(with: relay) } }
                    mayHaveMissed = false
                case .interrupted:
                    live.remove(relay)
                    inbound.setLive(.messages, at: relay, false, now: context.time.now())
                    mayHaveMissed = true
                }
            }
            live.remove(relay)
            // It ends when cancelled, or when the pool goes away.
            await context.time.pause(for: .seconds(5))
        }
    }

    private func receiveLive(_ events: [Event], from relay: RelayURL) async -> Timestamp? {
        do {
            let oldest = try await receive(events)
            inbound.receive(.messages, events, from: relay)
            return oldest
        } catch {
            context.report("messages could not be kept", error)
            // It is downloaded again: what was complete is not any more.
            caughtUp.remove(relay)
            return nil
        }
    }

    /// Whether a relay passes on what comes.
    func isLive(_ relay: RelayURL) -> Bool { live.contains(relay) }

    /// Whether a relay was not asked for all of the last days for a while.
    private func isBehind(_ relay: RelayURL) -> Bool {
        guard caughtUp.contains(relay), let done = progress[relay]?.completeAt else { return true }
        return done + 3600 < context.time.now().seconds
    }
}
