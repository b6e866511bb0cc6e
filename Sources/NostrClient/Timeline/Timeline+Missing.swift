internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Small pieces that pages lack, collected for a moment and asked together: quoted notes, engagement.
extension Timeline {
    private static let idsPerFilter = 100
    private static let relaysAtOnce = 8

    /// Waits until something is missing, lets more of it gather, and asks.
    func requestMissing() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await missingBell.wait()
                await context.time.pause(for: context.configuration.coalescing)
                let parts = missing
                missing = MissingParts()
                if !parts.events.isEmpty { group.addTask { await self.fetch(parts.events) } }
                if !parts.places.isEmpty { group.addTask { await self.fetch(parts.places) } }
                if !parts.engagement.isEmpty { group.addTask { await self.loadEngagement(of: parts.engagement) } }
                if !parts.adopted.isEmpty { group.addTask { await self.adopt(Array(parts.adopted.values)) } }
            }
        }
    }

    /// Fetches events that notes name, and says which notes can be shown better now.
    func fetch(_ wanted: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)]) async {
        var cover = RelayCover(connections: Self.relaysAtOnce)
        var candidates: [EventID: [RelayURL]] = [:]
        for (id, want) in wanted {
            let relays = await relays(for: want.pointer, limit: 6)
            candidates[id] = relays
            // The order counts: first comes where somebody says that it is.
            cover.add(relays.enumerated().map { .init(relay: $1, weight: 1 / (1 + 0.4 * Double($0))) })
        }
        let health = gossip.router.health
        let chosen = cover.solve { health.preference(for: $0) }
        var byRelay: [RelayURL: Set<EventID>] = [:]
        for (id, relays) in candidates {
            for relay in relays where chosen.contains(relay) { byRelay[relay, default: []].insert(id) }
        }
        let requests = byRelay.mapValues { ids in ids.chunked(by: Self.idsPerFilter).map { Filter(ids: $0) } }
        await gossip.ask(requests, deadline: context.configuration.deadlines.thread)
        for event in await stored(Set(wanted.keys)) {
            gossip.wasAnswered(.event(event.id))
            for note in wanted[event.id]?.neededBy ?? [] { context.changes.send(.touched(note)) }
        }
    }

    /// Fetches what stands at addresses that reposts name, and says which reposts can be shown now.
    func fetch(_ wanted: [EventAddress: (pointer: AddressPointer, neededBy: Set<EventID>)]) async {
        await gossip.ask(for: wanted.values.map(\.pointer), deadline: context.configuration.deadlines.thread)
        do {
            for event in try await context.store.query(wanted.keys.map(\.filter)) {
                guard let address = event.address else { continue }
                for note in wanted[address]?.neededBy ?? [] { context.changes.send(.touched(note)) }
            }
        } catch {
            context.report("what reposts name could not be read from disk", error)
        }
    }

    /// Fetches answers, reposts, reactions, payments, quotes and reports of notes on screen: from where their authors read, and the account's own.
    private func loadEngagement(of ids: Set<EventID>) async {
        let now = context.time.now()
        let (router, plan) = (gossip.router, home.plan)
        var cover = RelayCover(connections: Self.relaysAtOnce)
        var candidates: [(id: EventID, relays: [RelayURL])] = []
        var addresses: [EventID: String] = [:]
        for event in await stored(ids) {
            addresses[event.id] = event.address?.asked
            let inbox = (router.lists[event.pubkey]?.read ?? []).filter { router.isWorthAsking($0, now: now) }
            let relays = (Array(inbox.prefix(3)) + Array(router.ownRead.prefix(3))).uniqued()
            // As where an account has just begun: no relay of anybody is known yet.
            if relays.isEmpty { gossip.wasNotAsked(.engagement(event.id)) }
            candidates.append((event.id, relays))
            cover.add(relays)
        }
        let chosen = cover.solve { router.health.preference(for: $0) * (plan.relays[$0] == nil ? 1 : 1.3) }
        var byRelay: [RelayURL: Set<EventID>] = [:]
        for (id, relays) in candidates {
            for relay in relays where chosen.contains(relay) { byRelay[relay, default: []].insert(id) }
        }
        let requests = byRelay.mapValues { ids in
            ids.chunked(by: Self.idsPerFilter).flatMap { part in
                let named = Set(part.map(\.hex))
                var filters = [
                    Filter(kinds: NoteKinds.counted, tags: ["e": named], limit: 500),
                    Filter(kinds: [1], tags: ["q": named], limit: 200),
                    Filter(kinds: [Report.kind], tags: ["e": named], limit: 100),
                ]
                // Articles, films and streams are also named by their address alone, whatever version was read.
                let places = Set(part.compactMap { addresses[$0] })
                if !places.isEmpty {
                    filters.append(Filter(kinds: NoteKinds.counted, tags: ["a": places], limit: 200))
                    filters.append(Filter(kinds: [Report.kind], tags: ["a": places], limit: 100))
                }
                return filters
            }
        }
        await gossip.ask(requests, deadline: context.configuration.deadlines.thread)
    }

    /// Keeps verified events that came inside reposts, so that they can be opened and answered.
    private func adopt(_ events: [Event]) async {
        do {
            _ = try await context.store.save(events, from: nil)
        } catch {
            context.report("reposted notes could not be kept", error)
        }
    }
}
