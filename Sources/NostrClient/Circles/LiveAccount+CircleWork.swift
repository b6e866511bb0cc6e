internal import Logging
internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

/// Does for circles what is to be done outside of where they rest: relays, wraps, time.
extension LiveAccount {
    /// How often circles look at the clock.
    private static let circleTick: Duration = .seconds(5)
    /// How long relays have to give one event back, or to take one.
    private static let circleAnswer: Duration = .seconds(10)
    /// How long they have to give all they have.
    private static let circleFetch: Duration = .seconds(60)
    /// How many events become durable together when many come at once.
    private static let circleBatch = 64

    func keepCircles() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listenToCircles() }
            group.addTask { await self.offerCircleEvents() }
            group.addTask { await self.tickCircles() }
            group.addTask { await self.tendKeyPackages() }
            group.addTask { await self.tendSharing() }
            group.addTask { await self.readSource() }
            while !Task.isCancelled {
                while !circleDesk.todo.isEmpty {
                    let task = circleDesk.todo.removeFirst()
                    group.addTask { await self.doForCircle(task) }
                }
                await circleWork.wait()
            }
        }
    }

    /// Puts what is to be done on the list.
    func plan(_ tasks: [CircleEffect]) {
        guard !tasks.isEmpty else { return }
        for task in tasks {
            // It counts as unsent from now on, and not only once its turn has come.
            if case .session(.offer(let event), let id) = task { circleDesk.homes[event.id] = id }
            // At once: what follows in the list, as the wish to be let go, is to be sent.
            if case .wiped(let id) = task {
                forgetOutgoing(of: id)
                feed.send(.circles)
                continue
            }
            guard case .changed(let id) = task else {
                circleDesk.todo.append(task)
                continue
            }
            feed.send(.circle(id))
            // One may be out of the circle, or in step again.
            sharingBell.ring()
        }
        circleWork.ring()
    }

    /// The vault is open: reads circles, and takes up what was on its way.
    func circlesDidUnlock(_ sealed: SealedRecords) async {
        do {
            try await openSharing(sealed)
            plan(try await circleKeeper.unlock(sealed))
            try await loadCircleOutbox(sealed)
            try await takeCircleMail()
        } catch {
            report("circles could not be read from disk", error)
        }
        await subscribeToCircles()
        feed.send(.circles)
    }

    func circlesDidLock() async {
        await circleKeeper.lock()
        closeSharing()
        circleDesk.todo = []
        await circleDesk.live?.cancel()
        circleDesk.live = nil
        circleDesk.requests = [:]
        feed.send(.circles)
    }

    /// Tells a circle what happened, and plans what follows.
    func tellCircle(_ id: CircleID, _ input: SessionInput) async {
        do { plan(try await circleKeeper.tell(id, input)) } catch { reportCircle(error) }
    }

    private func reportCircle(_ error: any Error) {
        // What comes for a circle that has just been left or locked is no failure.
        if error is CircleError { return }
        report("a step of a circle could not be kept", error)
    }

    private func doForCircle(_ task: CircleEffect) async {
        switch task {
        case .session(let effect, let id): await perform(effect, for: id)
        case .sendWelcomes: await sendWelcomes()
        case .sendPlace(let place, let number, let id): await tell(place, number: number, in: id)
        case .showPictures(let id): await showPictures(in: id)
        case .wiped(let id): forgetOutgoing(of: id)
        case .changed(let id): feed.send(.circle(id))
        }
    }

    private func perform(_ effect: SessionEffect, for id: CircleID) async {
        switch effect {
        case .publish(let event): await publish(event, of: id)
        case .fetchBack(let event): await fetchBack(event, of: id)
        case .offer(let event): await queue(event, of: id)
        case .subscribe: await subscribeToCircles()
        case .refetch(let since, let everywhere): await refetch(id, since: since, everywhere: everywhere)
        case .askReadmission: await askReadmission(id)
        // Those are stored, and have nothing to be done after.
        case .message, .leaveRequested, .entered, .wentBack, .welcome, .dropped, .notice: break
        }
    }

    // MARK: - Commits

    /// Sends a commit to all relays of its circle; one that takes it is enough.
    private func publish(_ event: Event, of id: CircleID) async {
        let relays = await circleKeeper.relays(of: id)
        var outcomes: [PublishOutcome] = []
        await withTaskGroup(of: PublishOutcome.self) { group in
            for relay in relays {
                let offer = PublishQueue.Offer(event: event, relay: relay)
                group.addTask { await self.publish(offer, deadline: Self.circleAnswer) }
            }
            for await outcome in group {
                let isFirst = !outcomes.contains(where: \.isAccepted)
                outcomes.append(outcome)
                if outcome.isAccepted, isFirst { await self.tellCircle(id, .accepted(event.id)) }
            }
        }
        let areRefused = !outcomes.isEmpty && outcomes.allSatisfy { if case .rejected = $0 { true } else { false } }
        if areRefused { await tellCircle(id, .rejected(event.id)) }
    }

    private func fetchBack(_ event: EventID, of id: CircleID) async {
        let relays = await circleKeeper.relays(of: id)
        let filter = Filter(ids: [event], kinds: [.groupEvent])
        let requests = Dictionary(uniqueKeysWithValues: relays.map { ($0, [filter]) })
        var isAnswered = false
        for update in await collect(requests, deadline: Self.circleAnswer) {
            switch update {
            case .events(let events, _): return await hear(events, in: id)
            case .ended(_, let ending): isAnswered = isAnswered || ending == .complete
            }
        }
        if isAnswered { await tellCircle(id, .notFound(event)) }
    }

    // MARK: - Listening

    private func subscribeToCircles() async {
        let wanted = await circleKeeper.requests
        guard wanted != circleDesk.requests else { return }
        circleDesk.requests = wanted
        if let live = circleDesk.live { await live.change(to: wanted) } else { circleListening.ring() }
    }

    private func listenToCircles() async {
        while !Task.isCancelled {
            while circleDesk.requests.isEmpty, !Task.isCancelled { await circleListening.wait() }
            if Task.isCancelled { return }
            let subscription = await context.network.subscribe(circleDesk.requests)
            circleDesk.live = subscription
            for await update in subscription.updates { await take(circle: update) }
            circleDesk.live = nil
            circleDesk.connected = []
            sharingBell.ring()
            // It ends when it is cancelled, as when the account is locked, or when the pool goes away.
            if !Task.isCancelled, !circleDesk.requests.isEmpty { await time.pause(.seconds(5)) }
        }
        await circleDesk.live?.cancel()
    }

    private func take(circle update: LiveUpdate) async {
        switch update {
        case .events(let events, _): await hear(events)
        case .live(let relay):
            circleDesk.connected.insert(relay)
            for id in await circleKeeper.circles(at: relay) {
                plan([.session(.refetch(since: await circleKeeper.since(id), everywhere: false), in: id)])
            }
            circleDesk.outbox.relayIsBack(relay, now: time.now())
            circleMailing.ring()
            await connectionsDidChange(at: relay)
        case .interrupted(let relay, _):
            circleDesk.connected.remove(relay)
            await connectionsDidChange(at: relay)
            for id in await circleKeeper.circles(at: relay) {
                let relays = await circleKeeper.relays(of: id)
                if circleDesk.connected.isDisjoint(with: relays) { await tellCircle(id, .disconnected) }
            }
        }
    }

    /// Events of any circles, by the ids that relays know them by.
    private func hear(_ events: [Event]) async {
        var byCircle: [CircleID: [Event]] = [:]
        for event in events {
            guard let id = await circleKeeper.circle(of: event) else { continue }
            byCircle[id, default: []].append(event)
        }
        for (id, events) in byCircle { await hear(events, in: id) }
    }

    private func hear(_ events: [Event], in id: CircleID) async {
        let sorted = events.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        for part in sorted.chunked(by: Self.circleBatch) {
            do { plan(try await circleKeeper.hear(part, in: id)) } catch { reportCircle(error) }
        }
    }

    /// Asks relays for everything since a moment, page by page.
    private func refetch(_ id: CircleID, since: Timestamp, everywhere: Bool) async {
        guard circleDesk.catching.insert(id).inserted else {
            circleDesk.again[id] = min(circleDesk.again[id] ?? since, since)
            return
        }
        defer {
            circleDesk.catching.remove(id)
            if let since = circleDesk.again.removeValue(forKey: id) {
                plan([.session(.refetch(since: since, everywhere: everywhere), in: id)])
            }
        }
        guard var filter = await circleKeeper.filter(of: id) else { return }
        filter.since = since
        let relays = await circleKeeper.relays(of: id, everKnown: everywhere)
        let requests = Dictionary(uniqueKeysWithValues: relays.map { ($0, [filter]) })
        var events: [Event] = []
        var isComplete = false
        for update in await collect(requests, deadline: Self.circleFetch) {
            switch update {
            case .events(let more, _): events += more
            case .ended(_, let ending): isComplete = isComplete || ending == .complete
            }
        }
        await hear(events, in: id)
        if isComplete { await tellCircle(id, .caughtUp) }
    }

    private func tickCircles() async {
        while !Task.isCancelled {
            await time.pause(Self.circleTick)
            for id in await circleKeeper.due { await tellCircle(id, .tick) }
        }
    }
}

extension PublishOutcome {
    fileprivate var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
