internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Drives the outbox of messages: looks up where people read, offers what is due, writes every answer down.
extension LiveAccount {
    func deliverMail() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = time.now()
                let lookups = mail.outbox.takeLookups(now: now)
                if !lookups.isEmpty { group.addTask { await self.lookUp(lookups) } }
                for offer in mail.outbox.takeDue(now: now) { group.addTask { await self.make(mail: offer) } }
                let pause = mail.outbox.nextDue.map { max($0.seconds - now.seconds, 1) } ?? 3600
                await mailing.wait(atMost: .seconds(pause), time)
            }
        }
    }

    private func make(mail offer: PublishQueue.Offer) async {
        let outcome = await publish(offer, deadline: configuration.deadlines.publish)
        // A shutdown is no answer: the relay is asked again after the restart.
        if Task.isCancelled, outcome == .timedOut { return }
        let parcel = mail.outbox.record(outcome, of: offer, now: time.now(), jitter: draw())
        if let parcel { await settle(parcel) }
        mailing.ring()
    }

    /// Looks up the relays of recipients, all of them together.
    private func lookUp(_ parcels: [Parcel]) async {
        let people = Set(parcels.map(\.recipient))
        let isCertain = await discoverInboxes(of: people)
        if Task.isCancelled { return }
        do {
            let routes = try await routes(to: Array(people))
            for parcel in parcels {
                let route = routes[parcel.recipient] ?? (.unknown, [])
                // While no relay answers, nobody can say that there is no inbox list.
                guard isCertain || route.basis == .inbox else { continue }
                let id = parcel.delivery.event.id
                if let known = mail.outbox.resolve(id, route.basis, route.relays, now: time.now()) {
                    await settle(known)
                }
            }
        } catch {
            report("inbox relays could not be read from disk", error)
        }
        mailing.ring()
    }

    /// Asks indexers, and the relays people write to, where those people receive messages.
    ///
    /// - Returns: whether any relay sent all that it holds.
    @discardableResult
    func discoverInboxes(of people: Set<PublicKey>) async -> Bool {
        let now = time.now()
        if people.contains(where: { router.lists[$0] == nil }) { await discover(people) }
        var asked: [RelayURL: Set<PublicKey>] = [:]
        for person in people {
            let written = router.relays(about: person, limit: 3, now: now)
            for relay in Set(router.indexers + written) { asked[relay, default: []].insert(person) }
        }
        let requests = asked.mapValues { [Filter(authors: $0, kinds: [.directMessageRelays])] }
        var isCertain = false
        for update in await collect(requests, deadline: configuration.deadlines.discovery) {
            switch update {
            case .events(let events, let relay): await ingest(events, from: relay)
            case .ended(_, let ending): isCertain = isCertain || ending == .complete
            }
        }
        if isCertain { for person in people { _ = gossip.shouldAsk(.inbox(person)) } }
        return isCertain
    }

    private func settle(_ parcel: Parcel) async {
        await keep(parcel)
        guard let rumor = parcel.rumor else { return }
        feed.send(.receipt(rumor))
        if let room = parcel.room { feed.send(.conversation(room)) }
    }

    /// The parcels of a message: those on their way, and those that have arrived or were given up.
    func parcels(of rumor: EventID, in sealed: SealedRecords) async throws -> [Parcel] {
        let current = mail.outbox.parcels(of: rumor)
        let known = Set(current.map(\.delivery.event.id))
        let found = try await sealed.values(in: ParcelRecord.settled, group: rumor.hex) { bytes in
            // One damaged receipt must not hide the others.
            try? ParcelRecord.decode(bytes)
        }
        return current + found.compactMap(\.self).filter { !known.contains($0.delivery.event.id) }
    }

    /// How far a message of one's own has come: others who have it, of all of them.
    func progress(of rumor: EventID, in sealed: SealedRecords) async throws -> Note.Delivery? {
        let all = try await parcels(of: rumor, in: sealed)
        let others = all.filter { $0.recipient != publicKey }
        let meant = others.isEmpty ? all : others
        guard !meant.isEmpty else { return nil }
        return Note.Delivery(accepted: meant.count { !$0.delivery.accepted.isEmpty }, asked: meant.count)
    }
}
