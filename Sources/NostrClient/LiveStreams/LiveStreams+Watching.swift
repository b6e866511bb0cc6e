internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// Listening to a room for as long as it is looked at.
extension LiveStreams {
    /// Opens a room, or keeps it open.
    func look(at address: EventAddress, hints: [RelayURL]) {
        let now = context.time.now()
        let left = state.withLock { state -> Doorbell? in
            var room = state.rooms[address] ?? Room(openUntil: now)
            room.openUntil = now + Self.lease
            room.hints = Array((room.hints + hints).uniqued().prefix(RoomRelays.most))
            // Those that were left before anything listened to them.
            if state.rooms.count > 64 { state.rooms = state.rooms.filter { $0.value.openUntil > now } }
            state.rooms[address] = room
            guard state.rooms.count > Self.mostRooms else { return nil }
            let others = state.rooms.filter { $0.key != address && $0.value.openUntil > now }
            guard others.count >= Self.mostRooms,
                let oldest = others.min(by: { $0.value.openUntil < $1.value.openUntil })
            else { return nil }
            state.rooms[oldest.key]?.openUntil = now
            return oldest.value.leaving
        }
        left?.ring()
        watching.add(address)
    }

    /// Asks a room's relays for what was said, and listens until nobody looks at it any more.
    func watch(_ address: EventAddress) async {
        let begun = context.time.now()
        guard let room = state.withLock({ $0.rooms[address] }), room.openUntil > begun else { return }
        await load(address)
        await withTaskGroup { group in
            group.addTask { await self.listen(to: address) }
            group.addTask { await self.judgeReceipts(of: address) }
            group.addTask { await self.waitUntilLeft(address) }
            await group.next()
            group.cancelAll()
        }
        let now = context.time.now()
        state.withLock { state in
            // Somebody may have come back this moment.
            guard let room = state.rooms[address], room.openUntil <= now || Task.isCancelled else { return }
            state.rooms[address] = nil
        }
    }

    /// Twice: the stream itself may name relays, and says who hosts it.
    private func load(_ address: EventAddress) async {
        var asked: Set<RelayURL> = []
        for _ in 0..<2 {
            let relays = await self.relays(of: address)
            let fresh = relays.filter { !asked.contains($0) }
            guard !fresh.isEmpty, !Task.isCancelled else { break }
            asked.formUnion(fresh)
            await gossip.ask(
                gossip.requests(Self.filters(of: address), of: fresh),
                deadline: context.configuration.deadlines.thread)
            if let host = await activity(at: address)?.host, gossip.router.lists[host] == nil {
                await gossip.discover([host])
            }
        }
        let relays = await self.relays(of: address)
        state.withLock { state in
            state.rooms[address]?.relays = relays
            state.rooms[address]?.isLoading = false
        }
        context.changes.send(.stream(address))
    }

    /// What is asked of each relay of a room.
    static func filters(of address: EventAddress) -> [Filter] {
        let mark = ["a" as Character: Set([address.description])]
        return [
            address.filter,
            Filter(kinds: [LiveChatMessage.kind], tags: mark, limit: LiveRoom.most),
            Filter(kinds: [Reaction.kind], tags: mark, limit: 500),
            Filter(kinds: [ZapReceipt.kind], tags: mark, limit: LiveRoom.most),
        ]
    }

    private func listen(to address: EventAddress) async {
        // Events reach relays late; what came while relays were asked is not to be missed either.
        let since = context.time.now() - .seconds(600)
        let filters = Self.filters(of: address).map { filter in
            var filter = filter
            filter.since = since
            filter.limit = nil
            return filter
        }
        while !Task.isCancelled {
            let relays = state.withLock { $0.rooms[address]?.relays } ?? []
            let subscription = await context.network.subscribe(gossip.requests(filters, of: relays))
            for await update in subscription.updates {
                if case .events(let events, let relay) = update { await gossip.keep(events, from: relay) }
            }
            await subscription.cancel()
            // It ends when cancelled, or when the pool goes away.
            await context.time.pause(for: .seconds(5))
        }
    }

    private func waitUntilLeft(_ address: EventAddress) async {
        while !Task.isCancelled {
            let now = context.time.now()
            guard let room = state.withLock({ $0.rooms[address] }), room.openUntil > now else { return }
            await room.leaving.wait(
                atMost: .seconds(room.openUntil.seconds - now.seconds), on: context.time.clock)
        }
    }

    /// Where a room's chat is read and written now.
    func relays(of address: EventAddress) async -> [RelayURL] {
        let hints = state.withLock { $0.rooms[address]?.hints } ?? []
        let activity = await self.activity(at: address)
        let host = activity?.host ?? address.author
        // Without a list the other relays do.
        try? await gossip.learnRelayLists(of: [host])
        let router = gossip.router
        return RoomRelays(hints: hints, activity: activity?.relays ?? [], host: router.lists[host])
            .chosen(by: router)
    }

    func activity(at address: EventAddress) async -> LiveActivity? {
        // What cannot be read from disk is asked of relays.
        (try? await context.storedVersion(at: address)).flatMap { $0 }.flatMap(LiveActivity.init)
    }

    // MARK: - What was paid

    private func judgeReceipts(of address: EventAddress) async {
        while !Task.isCancelled {
            guard let room = state.withLock({ $0.rooms[address] }) else { return }
            do {
                if try await judge(room, of: address) { context.changes.send(.stream(address)) }
            } catch {
                context.report("zaps of a live stream could not be counted", error)
            }
            // Of many that come at once all are judged together.
            await context.time.pause(for: context.configuration.coalescing)
            // Some could not be judged, since a place of payment or a profile did not answer.
            await room.receipts.wait(atMost: .seconds(60), on: context.time.clock)
        }
    }

    /// - Returns: whether something counts that did not before.
    private func judge(_ room: Room, of address: EventAddress) async throws -> Bool {
        guard let event = try await context.storedVersion(at: address) else { return false }
        let receipts = try await context.store.query([Self.receipts(of: address)])
        let open = receipts.filter { room.verdicts[$0.id] == nil }
        guard !open.isEmpty else { return false }
        let verdicts = await zaps.judge(open, on: event).verdicts
        guard !verdicts.isEmpty else { return false }
        state.withLock { _ = $0.rooms[address]?.verdicts.merge(verdicts) { _, new in new } }
        return true
    }

    static func receipts(of address: EventAddress) -> Filter {
        Filter(kinds: [ZapReceipt.kind], tags: ["a": [address.description]], limit: 1000)
    }
}
