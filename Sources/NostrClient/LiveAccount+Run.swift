internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

extension LiveAccount {
    /// Does all the account's work with relays until it is cancelled; a service group owns it.
    ///
    /// Gathers the home timeline and keeps it live, answers the demands of screens, delivers what was published.
    /// Every wait in it has an end or is woken by a cancellation.
    public func run() async {
        guard await loadFromDisk() else { return }
        // Before anything is published by itself: whoever is new chooses first.
        await leading.load()
        await keyDidUnlock()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchStore() }
            group.addTask { await self.services.run() }
            group.addTask { await self.lifetime.run() }
            if canSign { group.addTask { await self.leading.run() } }
        }
    }

    /// Reads what the account knew when it last ran, again and again until the disk gives it; before that it is not known
    /// which relays must not be contacted, and none is to be.
    ///
    /// - Returns: whether it was read; false when cancelled.
    @discardableResult
    public func loadFromDisk() async -> Bool {
        // A store that is locked or full now may be well in a minute; the program has told the person meanwhile.
        while !Task.isCancelled {
            do {
                try await load()
                return true
            } catch {
                context.report("the account could not be read from disk", error)
                await context.time.pause(for: context.configuration.housekeeping)
            }
        }
        return false
    }

    private func watchStore() async {
        let changes = await context.store.changes()
        await relearn()
        for await change in changes { await apply(change) }
    }

    private func apply(_ change: StoreChange) async {
        switch change {
        case .added(let event): await apply(event)
        case .removed(let id):
            services.notifications.forgetUnread()
            context.changes.send(.touched(id))
        case .missed:
            services.people.forgetAll()
            await relearn()
            context.changes.send(.missed)
        }
    }

    private func apply(_ event: Event) async {
        let changes = context.changes
        services.people.stored(event)
        services.gossip.stored(event)
        services.zaps.stored(event)
        if [0, 3, 10_002, .pinnedNotes, UserStatus.kind].contains(event.kind) { changes.send(.person(event.pubkey)) }
        // Others' events are nothing to the account's lists, and there are thousands.
        if event.pubkey == context.publicKey { await services.lists.stored(event) }
        if services.mutes.current.hides(event) { return }
        services.streams.stored(event)
        services.notifications.stored(event)
        changes.send(contentsOf: changesOnPages(by: event))
    }

    /// What an event that stands on pages changes there; together, as thousands come.
    private func changesOnPages(by event: Event) -> [AccountChange] {
        let touched = event.touchedEvents + services.timeline.addressesInView.touched(by: event)
        var changes = touched.uniqued().map { AccountChange.touched($0) }
        let kinds = context.homeKinds.current
        for feed in services.timeline.feeds.taking(event, kinds: kinds) {
            changes.append(
                .feedNote(feed, event.id, createdAt: event.createdAt, reposts: Repost(event)?.target.id))
        }
        guard services.gossip.isOfHome(event.pubkey) else { return changes }
        if ActivePeople.kinds.contains(event.kind) { services.timeline.active.note(event) }
        if kinds.contains(event.kind), !event.isReply {
            changes.append(
                .homeNote(
                    event.id, author: event.pubkey, createdAt: event.createdAt, reposts: Repost(event)?.target.id))
        }
        return changes
    }

    private func relearn() async {
        await services.gossip.relearn()
        services.notifications.forgetAll()
        await services.lists.didChange()
    }
}
