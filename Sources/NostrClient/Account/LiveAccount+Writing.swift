public import NostrCore
public import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

extension LiveAccount {
    public func publish(_ composition: Composition) async throws -> Event {
        let parent = try await known(composition.replyTo)
        let quote = try await known(composition.quote)
        if quote?.tags.isProtected == true { throw AccountError.protected }
        let composer = try await composer(about: [parent, quote].compactMap { $0 })
        return try await send(composer.draft(composition, parent: parent, quote: quote))
    }

    public func react(to id: EventID, with content: String) async throws -> Event {
        guard let target = try await known(id) else { throw AccountError.unknownEvent }
        let composer = try await composer(about: [target])
        return try await send(
            Reaction.draft(
                to: target, content: content, emoji: composer.emoji(named: content), relay: composer.hints[id],
                createdAt: time.now()))
    }

    public func repost(_ id: EventID) async throws -> Event {
        guard let target = try await known(id) else { throw AccountError.unknownEvent }
        if target.tags.isProtected { throw AccountError.protected }
        let hint = try await composer(about: [target]).hints[id]
        return try await send(Repost.draft(of: target, relay: hint, createdAt: time.now()))
    }

    public func delete(_ ids: [EventID]) async throws -> Event {
        try await load()
        let events = try await store.query([Filter(ids: Set(ids))])
        guard !events.isEmpty, events.count == Set(ids).count else { throw AccountError.unknownEvent }
        guard events.allSatisfy({ $0.pubkey == publicKey }) else { throw AccountError.notOwn }
        var holders: Set<RelayURL> = []
        for event in events {
            holders.formUnion(try await store.relays(of: event.id))
            holders.formUnion(queue.delivery(of: event.id)?.targets.map(\.relay) ?? [])
        }
        let newest = events.map(\.createdAt).max() ?? time.now()
        return try await send(
            DeletionRequest.draft(deleting: events, createdAt: max(time.now(), newest)), holders: holders)
    }

    public func setFollowing(_ key: PublicKey, _ following: Bool) async throws -> Event {
        try await changingLists.take {
            let newest = try await newest(FollowList.kind, called: "follow list")
            var list = newest.flatMap(FollowList.init) ?? FollowList()
            if following {
                list.follow(key, relay: router.lists[key]?.write.first { !$0.isPrivate })
            } else {
                list.unfollow(key)
            }
            if let newest, list.difference.isEmpty { return try await adopt(newest) }
            try refuseLargeLoss(list.difference.loss, of: "follow list")
            return try await send(list.draft(now: time.now()))
        }
    }

    public func updateProfile(_ fields: [String: String]) async throws -> Event {
        try await changingLists.take {
            let newest = try await newest(ProfileMetadata.kind, called: "profile")
            guard var profile = newest.map(ProfileMetadata.init) ?? ProfileMetadata() else {
                throw AccountError(
                    .unreadable,
                    "Your profile on the relays is not in a form that can be changed without losing parts of it.")
            }
            for (name, value) in fields { profile[name] = value }
            return try await send(profile.draft(now: time.now()))
        }
    }

    /// Sets what relays are for on one's own relay list (NIP-65); an empty usage takes a relay out.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func setRelays(_ usages: [RelayURL: RelayList.Usage]) async throws -> Event {
        try await changingLists.take {
            let newest = try await newest(RelayList.kind, called: "relay list")
            var list = newest.flatMap(RelayList.init) ?? RelayList()
            for (relay, usage) in usages.sorted(by: { $0.key < $1.key }) { list.set(relay, usage) }
            if let newest, list.difference.isEmpty { return try await adopt(newest) }
            try refuseLargeLoss(list.difference.loss, of: "relay list")
            return try await send(list.draft(now: time.now()))
        }
    }

    /// Puts a relay on, or takes it off, the list of relays that are never contacted (NIP-51, kind 10006).
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func setBlocked(_ relay: RelayURL, _ blocked: Bool) async throws -> Event {
        try await changeList(
            .blockedRelays, identifier: "", blocked ? .add(.relay(relay), isPrivate: false) : .remove(.relay(relay)))
    }

    public func receipts(for id: EventID) async throws -> [PublishReceipt] {
        try await load()
        return queue.delivery(of: id)?.receipts ?? []
    }

    /// Signs a draft, queues it on disk, keeps it, and lets the queue offer it.
    ///
    /// - Parameter relays: where alone it goes; `nil` lets the router choose.
    func send(
        _ draft: EventDraft, holders: Set<RelayURL> = [], only relays: [RelayURL]? = nil
    ) async throws -> Event {
        guard let signer else { throw AccountError.readOnly }
        try await load()
        let event = try await signer.sign(worked(draft))
        try await enqueue(event, holders: holders, only: relays)
        return event
    }

    /// Queues a signed event on disk, keeps it, and lets the queue offer it.
    func enqueue(_ event: Event, holders: Set<RelayURL> = [], only relays: [RelayURL]? = nil) async throws {
        let now = time.now()
        var delivery = Delivery(
            event: event, queuedAt: now, strangers: relays == nil ? router.strangers(in: event) : [])
        let chosen = relays?.map { Destination(relay: $0, purpose: .ownWrite) }
        delivery.add(chosen ?? router.destinations(for: event, holders: holders, now: now), now: now)
        try await records.put(DeliveryRecord.encode(delivery), for: event.id.hex, in: DeliveryRecord.table)
        queue.insert(delivery)
        _ = try await store.save([event], from: nil)
        if learn(from: event) { routing.ring() }
        outgoing.ring()
    }

    // A list that already says what was wanted is kept and needs no new version.
    func adopt(_ event: Event) async throws -> Event {
        _ = try await store.save([event], from: nil)
        if learn(from: event) { routing.ring() }
        return event
    }

    /// The newest version of one's own replaceable event, from enough relays; `nil` when all agree that there is none.
    func newest(_ kind: Kind, called name: String) async throws -> Event? {
        try await newest(at: ownAddress(kind, ""), called: name)
    }

    /// The newest version of one's own replaceable or addressable event, from enough relays; `nil` when all agree that
    /// there is none.
    ///
    /// Every version that comes is kept, so that none is lost by what is published next.
    func newest(at address: EventAddress, called name: String) async throws -> Event? {
        guard canSign else { throw AccountError.readOnly }
        try await load()
        let stored = try await storedVersion(at: address)
        var newest = NewestVersion(
            own: Array(router.ownWrite.prefix(6)), others: router.indexers, stored: stored, address: address)
        // Another device may have moved to other relays: where one writes is asked along.
        let filters = [address.filter, ownAddress(RelayList.kind, "").filter].uniqued()
        try await ask(newest.asked, filters, &newest)
        let elsewhere = newest.learn(own: Array(router.ownWrite.prefix(6)))
        try await ask(elsewhere, [address.filter], &newest)
        guard newest.isCertain(knowsRelays: router.lists[publicKey] != nil) else { throw newest.failure(of: name) }
        return newest.event
    }

    private func ask(_ relays: Set<RelayURL>, _ filters: [Filter], _ newest: inout NewestVersion) async throws {
        let requests = Dictionary(uniqueKeysWithValues: relays.map { ($0, filters) })
        for update in await collect(requests, deadline: configuration.deadlines.discovery) {
            newest.take(update)
            switch update {
            case .events(let events, let relay):
                _ = try await store.save(events, from: relay)
                for event in events where event.kind == RelayList.kind && event.pubkey == publicKey {
                    try await learnRelayLists(of: [publicKey])
                }
            case .ended: break
            }
        }
    }

    func refuseLargeLoss(_ lost: Int, of name: String) throws {
        guard lost > configuration.mostDroppedEntries else { return }
        throw AccountError(
            .wouldDrop,
            "This would take \(lost) entries out of your \(name) at once, which is more than a change should. "
                + "Nothing was changed.")
    }

    /// An event of the store.
    private func known(_ id: EventID?) async throws -> Event? {
        guard canSign else { throw AccountError.readOnly }
        guard let id else { return nil }
        guard let event = try await store.query([Filter(ids: [id])]).first else { throw AccountError.unknownEvent }
        return event
    }

    private func composer(about events: [Event]) async throws -> NoteComposer {
        try await load()
        let list = try await store.query([Filter(authors: [publicKey], kinds: [.emojiList], limit: 1)]).first
        let sets =
            list.map { $0.tags.named("a").compactMap { $0.address(at: 1) }.filter { $0.kind == .emojiSets } } ?? []
        var emoji = list?.tags.customEmoji ?? []
        for address in sets.prefix(20) {
            let filter = Filter(
                authors: [address.author], kinds: [address.kind], tags: ["d": [address.identifier]], limit: 1)
            emoji += try await store.query([filter]).first?.tags.customEmoji ?? []
        }
        var hints: [EventID: RelayURL] = [:]
        for event in events { hints[event.id] = try await hint(for: event) }
        return NoteComposer(account: publicKey, emoji: emoji, now: time.now(), hints: hints)
    }

    /// Where others can find an event: a write relay of its author that has it, else one of the two.
    private func hint(for event: Event) async throws -> RelayURL? {
        let seen = try await store.relays(of: event.id).filter(router.trusts)
        let written = (router.lists[event.pubkey]?.write ?? []).filter(router.trusts)
        return written.first(where: seen.contains) ?? seen.min() ?? written.first
    }
}

extension ListDifference {
    /// How many entries fewer there are.
    fileprivate var loss: Int { dropped.count - added.count }
}
