internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

extension LiveAccount {
    /// Does all the account's work with relays until it is cancelled; a service group owns it.
    ///
    /// Gathers the home timeline and keeps it live, answers the demands of screens, delivers what was published.
    /// Every wait in it has an end or is woken by a cancellation.
    public func run() async {
        guard await loadWithPatience() else { return }
        await network.block(router.blocked)
        await keyDidUnlock()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchStore() }
            group.addTask { await self.followLive() }
            group.addTask { await self.discover() }
            group.addTask { await self.route() }
            group.addTask { await self.serveJobs() }
            group.addTask { await self.serveParts() }
            group.addTask { await self.deliver() }
            group.addTask { await self.keepLists() }
            guard canSign else { return }
            group.addTask { await self.receiveMail() }
            group.addTask { await self.deliverMail() }
            group.addTask { await self.tendInbox() }
            group.addTask { await self.keepCircles() }
        }
    }

    // A store that is locked or full now may be well in a minute; the program has told the person meanwhile.
    private func loadWithPatience() async -> Bool {
        while !Task.isCancelled {
            do {
                try await load()
                return true
            } catch {
                report("the account could not be read from disk", error)
                await time.pause(configuration.housekeeping)
            }
        }
        return false
    }

    /// Keeps what relays sent, and learns where people are from it.
    ///
    /// - Parameter isHome: whether it was asked for the home timeline, and so counts towards the coverage.
    func ingest(_ events: [Event], from relay: RelayURL, isHome: Bool = false) async {
        do {
            _ = try await store.save(events, from: relay)
        } catch {
            report("events could not be kept", error)
            return
        }
        for event in events {
            router.hints.learn(from: event)
            router.hints.note(relay, for: event.pubkey, .seen)
        }
        if isHome { ledger.receive(events, from: relay) }
    }

    /// Asks relays and keeps what comes.
    func ask(_ requests: [RelayURL: [Filter]], deadline: Duration) async {
        await fetch(requests, deadline: deadline) { update in
            switch update {
            case .events(let events, let relay): await self.ingest(events, from: relay)
            case .ended: break
            }
        }
    }

    private func watchStore() async {
        let changes = await store.changes()
        await relearn()
        for await change in changes { await take(change) }
    }

    private func take(_ change: StoreChange) async {
        switch change {
        case .added(let event): take(event)
        case .removed(let id): feed.send(.touched(id))
        case .missed:
            people.forgetAll()
            await relearn()
            feed.send(.missed)
        }
    }

    private func take(_ event: Event) {
        if event.kind == 0 { people.forget(event.pubkey) }
        if learn(from: event) {
            routing.ring()
            if event.kind == 3 {
                discovering.ring()
                feed.send(.follows)
            }
        }
        if [0, 3, 10_002].contains(event.kind) { feed.send(.person(event.pubkey)) }
        takeOwn(event)
        if ownMutes.hides(event) { return }
        for id in event.touchedEvents { feed.send(.touched(id)) }
        if configuration.homeKinds.contains(event.kind), homeAuthors.contains(event.pubkey), !event.isReply {
            feed.send(.homeNote(event.id, author: event.pubkey, createdAt: event.createdAt))
        }
    }

    /// A list, draft, status or setting of one's own came, perhaps from another device.
    private func takeOwn(_ event: Event) {
        guard event.pubkey == publicKey, Self.ownLists.contains(event.kind) || event.kind == DraftWrap.kind else {
            return
        }
        if Self.listsActedOn.contains(event.kind) {
            ownListsDidChange()
        } else if mayHaveLostEdits(in: event) {
            listsSignal.ring()
        }
        feed.send(.lists)
    }

    /// Reads the account's own lists, and the relay lists of those it follows, from the store once more.
    private func relearn() async {
        do {
            let own = try await store.query([Filter(authors: [publicKey], kinds: Self.ownLists)])
            for event in own.reversed() { learn(from: event) }
            try await learnRelayLists(of: homeAuthors)
        } catch {
            report("lists could not be read from disk", error)
        }
        ownListsDidChange()
        routing.ring()
        discovering.ring()
    }
}
