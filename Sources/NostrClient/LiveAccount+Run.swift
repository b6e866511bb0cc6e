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
        await context.network.block(router.blocked)
        await keyDidUnlock()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchStore() }
            group.addTask { await self.services.run() }
            group.addTask { await self.lifetime.run() }
            guard canSign else { return }
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

    func ingest(_ events: [Event], from relay: RelayURL) async {
        await gossip.keep(events, from: relay)
    }

    private func watchStore() async {
        let changes = await store.changes()
        await relearn()
        for await change in changes { await take(change) }
    }

    private func take(_ change: StoreChange) async {
        switch change {
        case .added(let event): await take(event)
        case .removed(let id): feed.send(.touched(id))
        case .missed:
            services.people.forgetAll()
            await relearn()
            feed.send(.missed)
        }
    }

    private func take(_ event: Event) async {
        services.people.stored(event)
        gossip.stored(event)
        if [0, 3, 10_002].contains(event.kind) { feed.send(.person(event.pubkey)) }
        await services.lists.stored(event)
        if services.mutes.current.hides(event) { return }
        for id in event.touchedEvents { feed.send(.touched(id)) }
        if configuration.homeKinds.contains(event.kind), homeAuthors.contains(event.pubkey), !event.isReply {
            feed.send(.homeNote(event.id, author: event.pubkey, createdAt: event.createdAt))
        }
    }

    private func relearn() async {
        await gossip.relearn()
        await services.lists.didChange()
    }
}
