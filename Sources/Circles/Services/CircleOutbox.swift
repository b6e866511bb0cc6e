internal import AsyncPrimitives
internal import Logging
internal import NostrClient
internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Events of circles on their way out: each is offered until a relay takes it, also after a restart.
actor CircleOutbox {
    private let account: AccountContext
    private let gossip: Gossip
    private let records: SealedRecords
    private var queue: PublishQueue
    /// Which circle an event on its way is of.
    private var homes: [EventID: CircleID] = [:]
    /// Rings when an event may be due.
    private let due = Doorbell()

    init(_ context: UnlockedContext) {
        (account, gossip, records) = (context.account, context.gossip, context.sealed)
        queue = PublishQueue(patience: context.account.configuration.patience)
    }

    /// Takes up what was on its way for circles when the program ended.
    ///
    /// - Parameter circles: the relays of each.
    func load(_ circles: [CircleID: [RelayURL]]) async throws {
        let found = try await records.values(in: CircleTable.outgoing, groups: circles.keys.map(\.hex)) { bytes in
            // One that is damaged must not keep the others.
            try? Event(verifying: UnverifiedEvent(json: bytes))
        }
        for (id, relays) in circles {
            for case let event? in found[id.hex] ?? [] { offer(event, of: id, at: relays) }
        }
    }

    /// Counts an event as unsent before its turn has come.
    func expect(_ event: EventID, of id: CircleID) { homes[event] = id }

    /// Offers an event, which is stored, to the relays of its circle.
    func offer(_ event: Event, of id: CircleID, at relays: [RelayURL]) {
        let now = account.time.now()
        var delivery = Delivery(event: event, queuedAt: now)
        delivery.add(relays.map { Destination(relay: $0, purpose: .ownWrite) }, now: now)
        homes[event.id] = id
        queue.insert(delivery)
        due.ring()
    }

    /// What was on its way for a circle that is gone is offered no more.
    func forget(_ id: CircleID) {
        for event in homes.filter({ $0.value == id }).keys {
            homes[event] = nil
            queue.withdraw(event)
        }
    }

    func wipe() {
        homes = [:]
        queue = PublishQueue(patience: account.configuration.patience)
    }

    /// A relay has come back: what waits for it is due at once; what waits for the person's answer goes on waiting.
    func relayIsBack(_ relay: RelayURL) {
        queue.relayIsBack(relay, now: account.time.now(), standing: gossip.consentStanding(of: relay))
        due.ring()
    }

    /// What signs is there again: what waited for it is due at once.
    func signerDidReturn() {
        queue.signerDidReturn(now: account.time.now()) { gossip.consentStanding(of: $0) }
        due.ring()
    }

    /// How many events of a circle no relay has taken, of those that still may be.
    func unsent(of id: CircleID) -> Int {
        homes.filter { $0.value == id }.keys
            .count { queue.delivery(of: $0).map { $0.accepted.isEmpty && !$0.isSettled } ?? true }
    }

    /// How far an event has come; what is on no list any more was taken by a relay.
    func progress(of event: EventID) -> Note.Acceptance {
        guard let known = queue.delivery(of: event) else {
            return Note.Acceptance(accepted: homes[event] == nil ? 1 : 0, asked: 1)
        }
        return Note.Acceptance(accepted: known.accepted.count, asked: max(known.targets.count, 1))
    }

    /// Works until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = account.time.now()
                for offer in queue.takeDue(now: now) { group.addTask { await self.make(offer) } }
                let pause = queue.nextDue.map { max($0.seconds - now.seconds, 1) } ?? 3600
                await due.wait(atMost: .seconds(pause), on: account.time.clock)
            }
        }
    }

    private func make(_ offer: PublishQueue.Offer) async {
        let outcome = await gossip.offer(
            offer.event, to: offer.relay, deadline: account.configuration.deadlines.publish)
        if outcome == .shuttingDown || Task.isCancelled && outcome == .timedOut { return }
        let id = offer.event.id
        let known = queue.record(
            outcome, of: id, at: offer.relay, now: account.time.now(), jitter: account.random.fraction(),
            standing: gossip.consentStanding(of: offer.relay))
        // What every relay has given up stays on the list: it is offered again after the next start, and said till then.
        if let known, known.isSettled, !known.accepted.isEmpty, let home = homes[id] {
            do {
                try await records.apply([records.remove(.init(CircleTable.outgoing, group: home.hex, id.hex))])
                queue.forgetSettled(id)
                homes[id] = nil
                account.changes.send(.circle(home))
            } catch {
                // It is offered once more after the next start, and relays say that they have it.
                account.report("a sent event of a circle could not be taken off the list", error)
            }
        }
        if let home = homes[id] { account.changes.send(.circle(home)) }
        due.ring()
    }
}
