internal import AsyncPrimitives
internal import Logging
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Does for circles what is to be done outside of where they rest: commits, listening, fetching, time.
///
/// What is to be done comes as ``CircleEffect``s, by ``plan(_:)``, and is done in ``run(_:)``.
actor CircleWork {
    /// How often circles look at the clock.
    private static let tick: Duration = .seconds(5)
    /// How long relays have to give one event back, or to take one.
    private static let answer: Duration = .seconds(10)
    /// How long they have to give all they have.
    private static let fetch: Duration = .seconds(60)
    /// How many events become durable together when many come at once.
    private static let batch = 64

    nonisolated let account: AccountContext
    nonisolated let gossip: Gossip
    nonisolated let store: CircleStore
    nonisolated let outbox: CircleOutbox
    /// Rings when connections or the standing in a circle may have changed: sharing of places looks again.
    nonisolated let surroundings = Doorbell()
    /// Rings when something is to be done.
    private let planned = Doorbell()
    /// Rings when there is a circle to listen to.
    private let listening = Doorbell()

    /// What is to be done, the next first.
    private var todo: [CircleEffect] = []
    private var live: (any LiveSubscription)?
    /// What was asked of which relay.
    private var requests: [RelayURL: [Filter]] = [:]
    /// Relays that are live now.
    private(set) var connected: Set<RelayURL> = []
    /// Circles that relays are being asked for.
    private var catching: Set<CircleID> = []
    /// What relays are answering now, by circle.
    private var fetches: [CircleID: CircleFetch] = [:]
    /// Circles that relays are to be asked for once more after that, and since when.
    private var again: [CircleID: Timestamp] = [:]

    init(_ context: UnlockedContext, store: CircleStore, outbox: CircleOutbox) {
        (account, gossip, self.store, self.outbox) = (context.account, context.gossip, store, outbox)
    }

    /// Works until cancelled.
    ///
    /// - Parameter others: does what is neither for relays of circles nor for screens.
    func run(_ others: @escaping @Sendable (CircleEffect) async -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listen() }
            group.addTask { await self.watchClock() }
            while !Task.isCancelled {
                while !todo.isEmpty {
                    let effect = todo.removeFirst()
                    group.addTask { await self.perform(effect, others) }
                }
                await planned.wait()
            }
        }
    }

    /// Ends what is under way, and forgets it.
    func wipe() async {
        todo = []
        requests = [:]
        gossip.use(typed: [], for: .circles)
        await live?.cancel()
        live = nil
        await outbox.wipe()
    }

    /// Puts what is to be done on the list.
    func plan(_ effects: [CircleEffect]) async {
        guard !effects.isEmpty else { return }
        for effect in effects {
            switch effect {
            case .session(.offer(let event), let id):
                // It counts as unsent from now on, and not only once its turn has come.
                await outbox.expect(event.id, of: id)
                todo.append(effect)
            case .wiped(let id):
                // At once: what follows in the list, as the wish to be let go, is to be sent.
                todo.removeAll { if case .session(.offer, id) = $0 { true } else { false } }
                await outbox.forget(id)
                account.changes.send(.circles)
            // It asks for all circles as they are by then: what a start or catching up adds fifty times is done once.
            case .session(.subscribe, _):
                if !todo.contains(where: { if case .session(.subscribe, _) = $0 { true } else { false } }) {
                    todo.append(effect)
                }
            case .changed(let id):
                account.changes.send(.circle(id))
                // We may be out of the circle, or in step again.
                surroundings.ring()
            default: todo.append(effect)
            }
        }
        planned.ring()
    }

    /// Asks relays for circles as they are now.
    func subscribe() async {
        gossip.use(typed: await store.typedRelays, for: .circles)
        let wanted = await store.requests
        guard wanted != requests else { return }
        requests = wanted
        if let live { await live.change(to: wanted) } else { listening.ring() }
    }

    private func perform(_ effect: CircleEffect, _ others: @Sendable (CircleEffect) async -> Void) async {
        guard case .session(let asked, let id) = effect else { return await others(effect) }
        switch asked {
        case .publish(let event): await publish(event, of: id)
        case .fetchBack(let event): await fetchBack(event, of: id)
        case .offer(let event): await outbox.offer(event, of: id, at: await store.relays(of: id))
        case .subscribe: await subscribe()
        case .refetch(let since, let everywhere): await refetch(id, since: since, everywhere: everywhere)
        case .askReadmission, .askMembers: await others(effect)
        // Those are stored, and have nothing to be done after.
        case .message, .leaveRequested, .entered, .wentBack, .welcome, .dropped, .notice: break
        }
    }

    /// Tells a circle what happened, and plans what follows.
    private func receive(_ input: SessionInput, in id: CircleID) async {
        do { await plan(try await store.receive(input, in: id)) } catch { report(error) }
    }

    private func report(_ error: any Error) {
        // What comes for a circle that has just been left or wiped is no failure.
        if error is CircleError { return }
        account.report("a step of a circle could not be kept", error)
    }

    // MARK: - Commits

    /// Sends a commit to all relays of its circle; one that takes it is enough.
    private func publish(_ event: Event, of id: CircleID) async {
        let relays = await store.relays(of: id)
        let gossip = gossip
        var answers: [(relay: RelayURL, outcome: PublishOutcome)] = []
        await withTaskGroup(of: (relay: RelayURL, outcome: PublishOutcome).self) { group in
            for relay in relays {
                group.addTask { (relay, await gossip.offer(event, to: relay, deadline: Self.answer)) }
            }
            for await answer in group {
                let isFirst = !answers.contains { $0.outcome.isAccepted }
                answers.append(answer)
                if answer.outcome.isAccepted, isFirst { await self.receive(.accepted(event.id), in: id) }
            }
        }
        // A relay that wants to know who writes has refused nothing, unless the person never lets it know.
        let areRefused =
            !answers.isEmpty
            && answers.allSatisfy { relay, outcome in
                outcome.isRefused
                    && (!outcome.wantsAuthentication || gossip.consentStanding(of: relay) == .refused)
            }
        if areRefused { await receive(.rejected(event.id), in: id) }
    }

    private func fetchBack(_ event: EventID, of id: CircleID) async {
        let relays = await store.relays(of: id)
        let filter = Filter(ids: [event], kinds: [.groupEvent])
        let requests = Dictionary(uniqueKeysWithValues: relays.map { ($0, [filter]) })
        let found = await CircleFetch(gossip, account.time).first(requests, deadline: Self.answer)
        if !found.events.isEmpty { return await receive(found.events, in: id) }
        if found.isAnswered { await receive(.notFound(event), in: id) }
    }

    // MARK: - Listening

    private func listen() async {
        while !Task.isCancelled {
            while requests.isEmpty, !Task.isCancelled { await listening.wait() }
            if Task.isCancelled { return }
            let subscription = await account.network.subscribe(requests)
            live = subscription
            for await update in subscription.updates { await receive(update) }
            live = nil
            connected = []
            surroundings.ring()
            // It ends when it is cancelled, as when the account is locked, or when the pool goes away.
            if !Task.isCancelled, !requests.isEmpty { await account.time.pause(for: .seconds(5)) }
        }
        await live?.cancel()
    }

    private func receive(_ update: LiveUpdate) async {
        switch update {
        case .events(let events, _): await receive(events)
        case .live(let relay):
            connected.insert(relay)
            for id in await store.circles(at: relay) {
                await plan([.session(.refetch(since: await store.since(id), everywhere: false), in: id)])
            }
            await outbox.relayIsBack(relay)
            await connectionsDidChange(at: relay)
        case .interrupted(let relay, let ending):
            connected.remove(relay)
            if ending.wantsAuthentication { await gossip.noteQuestion(.circle, at: relay) }
            await connectionsDidChange(at: relay)
            for id in await store.circles(at: relay) {
                let relays = await store.relays(of: id)
                if connected.isDisjoint(with: relays) { await receive(.disconnected, in: id) }
            }
        }
    }

    /// Places can be sent or not, and screens say whether they can be received.
    private func connectionsDidChange(at relay: RelayURL) async {
        surroundings.ring()
        for id in await store.circles(at: relay) { account.changes.send(.circle(id)) }
    }

    /// Events of any circles, by the ids that relays know them by.
    private func receive(_ events: [Event]) async {
        var byCircle: [CircleID: [Event]] = [:]
        for event in events {
            guard let id = await store.circle(of: event) else { continue }
            byCircle[id, default: []].append(event)
        }
        for (id, events) in byCircle { await receive(events, in: id) }
    }

    private func receive(_ events: [Event], in id: CircleID) async {
        let sorted = events.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        for start in stride(from: 0, to: sorted.count, by: Self.batch) {
            let part = Array(sorted[start..<min(start + Self.batch, sorted.count)])
            do { await plan(try await store.receive(part, in: id)) } catch { report(error) }
        }
    }

    /// Asks relays for everything since a moment, page by page.
    private func refetch(_ id: CircleID, since: Timestamp, everywhere: Bool) async {
        guard catching.insert(id).inserted else {
            again[id] = min(again[id] ?? since, since)
            return
        }
        await fetchAll(of: id, since: since, everywhere: everywhere)
        catching.remove(id)
        if let since = again.removeValue(forKey: id) {
            await plan([.session(.refetch(since: since, everywhere: everywhere), in: id)])
        }
    }

    private func fetchAll(of id: CircleID, since: Timestamp, everywhere: Bool) async {
        guard var filter = await store.filter(of: id) else { return }
        filter.since = since
        let relays = await store.relays(of: id, everKnown: everywhere)
        let requests = Dictionary(uniqueKeysWithValues: relays.map { ($0, [filter]) })
        let fetch = CircleFetch(gossip, account.time)
        fetches[id] = fetch
        account.changes.send(.circle(id))
        let isComplete = await fetch.all(requests, deadline: Self.fetch) {
            self.account.changes.send(.circle(id))
        } receive: {
            await self.receive($0, in: id)
        }
        fetches[id] = nil
        if isComplete { await receive(.caughtUp, in: id) }
        account.changes.send(.circle(id))
    }

    /// How many events of a circle relays have given that are not read yet; nil while none is being asked.
    func fetched(of id: CircleID) -> Int? { fetches[id]?.waiting }

    private func watchClock() async {
        while !Task.isCancelled {
            await account.time.pause(for: Self.tick)
            for id in await store.due { await receive(.tick, in: id) }
        }
    }
}

extension PublishOutcome {
    fileprivate var isAccepted: Bool { if case .accepted = self { true } else { false } }

    /// Whether the relay will not have it, as far as it says.
    fileprivate var isRefused: Bool {
        switch self {
        case .rejected, .tooLong, .unauthenticated: true
        case .accepted, .timedOut, .failed, .blocked, .shuttingDown: false
        }
    }
}
