internal import Logging
internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// What goes out for circles: events until a relay takes them, Welcomes and requests in gift wraps.
extension LiveAccount {
    // MARK: - Events

    func loadCircleOutbox(_ sealed: SealedRecords) async throws {
        for (id, seat) in await circleKeeper.seats {
            let found = try await sealed.values(in: CircleTable.outgoing, group: id.hex) { bytes in
                // One that is damaged must not keep the others.
                try? Event(verifying: UnverifiedEvent(json: bytes))
            }
            guard seat.session != nil else { continue }
            for case let event? in found { await queue(event, of: id) }
        }
    }

    func queue(_ event: Event, of id: CircleID) async {
        let now = time.now()
        var delivery = Delivery(event: event, queuedAt: now)
        delivery.add(await circleKeeper.relays(of: id).map { Destination(relay: $0, purpose: .ownWrite) }, now: now)
        circleDesk.homes[event.id] = id
        circleDesk.outbox.insert(delivery)
        circleMailing.ring()
    }

    /// What was on its way out for a circle that is gone is offered no more.
    func forgetOutgoing(of id: CircleID) {
        circleDesk.todo.removeAll { if case .session(.offer, id) = $0 { true } else { false } }
        for event in circleDesk.homes.filter({ $0.value == id }).keys {
            circleDesk.homes[event] = nil
            circleDesk.outbox.withdraw(event)
        }
    }

    func offerCircleEvents() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = time.now()
                for offer in circleDesk.outbox.takeDue(now: now) {
                    group.addTask { await self.make(circle: offer) }
                }
                let pause = circleDesk.outbox.nextDue.map { max($0.seconds - now.seconds, 1) } ?? 3600
                await circleMailing.wait(atMost: .seconds(pause), time)
            }
        }
    }

    private func make(circle offer: PublishQueue.Offer) async {
        let outcome = await publish(offer, deadline: configuration.deadlines.publish)
        if Task.isCancelled, outcome == .timedOut { return }
        let id = offer.event.id
        let known = circleDesk.outbox.record(outcome, of: id, at: offer.relay, now: time.now(), jitter: draw())
        // What every relay has given up stays on the list: it is offered again after the next start, and said till then.
        if let known, known.isSettled, !known.accepted.isEmpty, let home = circleDesk.homes[id], let sealed {
            do {
                try await sealed.apply([sealed.remove(.init(CircleTable.outgoing, group: home.hex, id.hex))])
                circleDesk.outbox.forgetSettled(id)
                circleDesk.homes[id] = nil
                feed.send(.circle(home))
            } catch {
                // It is offered once more after the next start, and relays say that they have it.
                report("a sent event of a circle could not be taken off the list", error)
            }
        }
        if let home = circleDesk.homes[id] { feed.send(.circle(home)) }
        circleMailing.ring()
    }

    // MARK: - Gift wraps

    /// Wraps what members we added are waiting for; each is on the list until its wrap is on the disk.
    func sendWelcomes() async {
        guard !circleDesk.isWrapping, let sealed else { return }
        circleDesk.isWrapping = true
        defer { circleDesk.isWrapping = false }
        do {
            let waiting = try await sealed.values(in: CircleTable.welcomes) { WelcomeRecord.record($0) }
            for case let record? in waiting {
                let (rumor, person) = (try Rumor(json: record.rumor), try PublicKey(hex: record.person))
                let place = SealedRecords.Place(CircleTable.welcomes, rumor.id.hex + record.person)
                // A Welcome says where the circle is.
                let relays = try WelcomeRumor(
                    UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
                )
                .relays
                try await sendGift(rumor, to: person, orAt: relays, clearing: [sealed.remove(place)])
            }
        } catch {
            // The signer may be away; they are still on the list.
            report("a Welcome could not be wrapped", error)
        }
    }

    /// Wraps a rumor for somebody, who is reached where their circle is if they have no list of relays at all.
    ///
    /// Whistle publishes no lists, and listens for everything on the relays of its circles. For who has lists, the
    /// circle's relays do not learn of the wrap: it would tell them who is in it.
    private func sendGift(
        _ rumor: Rumor, to person: PublicKey, orAt relays: [RelayURL], clearing: [RecordChange]
    ) async throws {
        let routes = services.inbox.routes
        var basis = try await routes.routes(to: [person])[person]?.basis
        if basis != .inbox {
            await routes.discover([person])
            basis = try await routes.routes(to: [person])[person]?.basis
        }
        let isListed = basis == .inbox || basis == .relayList
        try await sendGift(rumor, to: person, clearing: clearing, besides: isListed ? [] : relays)
    }

    /// Takes Welcomes and requests to join out of the mailbox.
    func takeCircleMail() async throws {
        guard let mail else { return }
        for (rumor, clearing) in try await mail.rumors(of: [.welcome, JoinRequest.kind]) {
            let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
            if rumor.kind == .welcome {
                switch try await circleKeeper.take(gift, clearing: [clearing]) {
                case .joined(_, let tasks):
                    plan(tasks)
                    keyPackageBell.ring()
                case .asks, .dropped: break
                }
            } else {
                try await take(request: gift, clearing: clearing)
            }
            await mail.rumorWasRemoved()
        }
        feed.send(.circles)
    }

    private func take(request gift: UnwrappedGift, clearing: RecordChange) async throws {
        let request: JoinRequest
        do { request = try JoinRequest(gift, now: time.now()) } catch {
            // Nobody is told: an answer would say that we are here.
            log.info("a request to join a circle was dropped", metadata: ["why": "\(error.sentence)"])
            try await sealed?.apply([clearing])
            return
        }
        guard let id = CircleID(request.circle) else { return }
        let record = RequestRecord(
            person: request.applicant.hex, name: request.name,
            keyPackage: String(decoding: request.keyPackageEvent.json, as: UTF8.self), arrivedAt: time.now().seconds)
        plan(try await circleKeeper.take(record, for: id, clearing: [clearing]))
    }

    /// Asks every admin of a circle to take us out and in again.
    func askReadmission(_ id: CircleID) async {
        do {
            let admins = await circleKeeper.admins(of: id).subtracting([publicKey])
            guard !admins.isEmpty, let package = try await freshKeyPackage() else { return }
            let rumor = try JoinRequest.rumor(for: id.bytes, with: package.event, now: time.now())
            let relays = await circleKeeper.relays(of: id)
            for admin in admins.sorted().prefix(5) {
                try await sendGift(rumor, to: admin, orAt: relays, clearing: [])
            }
        } catch {
            report("no admin could be asked to let us in again", error)
        }
    }
}
