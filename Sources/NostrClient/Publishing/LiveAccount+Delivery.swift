internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Drives the publish queue: offers what is due, writes every answer to disk, sleeps until the next attempt.
extension LiveAccount {
    /// Settled deliveries are kept this long, for the receipts.
    private static let memory: Duration = .seconds(180 * 86_400)

    func deliver() async {
        await forgetOldDeliveries()
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for delivery in queue.unresolved where resolving.insert(delivery.event.id).inserted {
                    group.addTask { await self.findInboxes(of: delivery) }
                }
                let now = time.now()
                for offer in queue.takeDue(now: now) {
                    group.addTask { await self.make(offer) }
                }
                let pause = queue.nextDue.map { max($0.seconds - now.seconds, 1) } ?? 3600
                await outgoing.wait(atMost: .seconds(pause), time)
            }
        }
    }

    private func make(_ offer: PublishQueue.Offer) async {
        let deadline = configuration.deadlines.publish
        let outcome = await publish(offer, deadline: deadline)
        // A shutdown is no answer: the relay is asked again after the restart.
        if Task.isCancelled, outcome == .timedOut { return }
        let id = offer.event.id
        let changed = queue.record(outcome, of: id, at: offer.relay, now: time.now(), jitter: draw())
        if let changed { await keep(changed) }
        if case .accepted = outcome { await noteHolder(of: offer) }
        feed.send(.receipt(id))
        outgoing.ring()
    }

    // The pool promises an answer in time; a second clock beside it makes that promise unbreakable.
    func publish(_ offer: PublishQueue.Offer, deadline: Duration) async -> PublishOutcome {
        let network = self.network
        let time = self.time
        return await withTaskGroup(of: PublishOutcome.self) { group in
            group.addTask { await network.publish(offer.event, to: offer.relay, deadline: deadline) }
            group.addTask {
                await time.pause(deadline + .seconds(1))
                return .timedOut
            }
            let first = await group.next() ?? .timedOut
            group.cancelAll()
            return first
        }
    }

    /// Looks up where mentioned people read, and adds those relays.
    private func findInboxes(of delivery: Delivery) async {
        let id = delivery.event.id
        await discover(delivery.strangers)
        resolving.remove(id)
        // Being cancelled is no answer either; the record on disk still names the strangers.
        if Task.isCancelled { return }
        let now = time.now()
        let inboxes = router.inboxes(of: delivery.strangers.sorted(), now: now)
        if let changed = queue.add(inboxes, resolving: id, now: now) { await keep(changed) }
        feed.send(.receipt(id))
        outgoing.ring()
    }

    private func keep(_ delivery: Delivery) async {
        do {
            try await records.put(
                DeliveryRecord.encode(delivery), for: delivery.event.id.hex, in: DeliveryRecord.table)
        } catch {
            // Lost is only the answer: after a restart the relay is asked again and says that it has the event.
            report("a receipt could not be kept", error)
        }
    }

    /// Remembers that a relay has the event, for deletions and hints.
    private func noteHolder(of offer: PublishQueue.Offer) async {
        do {
            _ = try await store.save([offer.event], from: offer.relay)
        } catch {
            report("a holder could not be kept", error)
        }
    }

    private func forgetOldDeliveries() async {
        let old = queue.forgetSettled(before: time.now() - Self.memory)
        guard !old.isEmpty else { return }
        do {
            try await records.apply(old.map { .remove(table: DeliveryRecord.table, key: $0.hex) })
        } catch {
            report("old receipts could not be dropped", error)
        }
    }
}
