internal import AsyncPrimitives
internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Drives the publish queue: offers what is due, writes every answer to disk, sleeps until the next attempt.
extension Publishing {
    /// Settled deliveries are kept this long, for the receipts.
    private static let memory: Duration = .seconds(180 * 86_400)

    /// Delivers until cancelled.
    func run() async {
        await forgetOldDeliveries()
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for delivery in queue.unresolved where resolving.insert(delivery.event.id).inserted {
                    group.addTask { await self.findInboxes(of: delivery) }
                }
                let now = context.time.now()
                for delivery in queue.held where delivery.notBefore.map({ $0 <= now }) ?? false {
                    guard releasing.insert(delivery.event.id).inserted else { continue }
                    group.addTask { await self.letGo(delivery.event) }
                }
                for offer in queue.takeDue(now: now) {
                    group.addTask { await self.make(offer) }
                }
                let pause = queue.nextDue.map { max($0.seconds - now.seconds, 1) } ?? 3600
                await due.wait(atMost: .seconds(pause), on: context.time.clock)
            }
        }
    }

    private func make(_ offer: PublishQueue.Offer) async {
        let deadline = context.configuration.deadlines.publish
        let outcome = await gossip.offer(offer.event, to: offer.relay, deadline: deadline)
        // A shutdown is no answer: the relay is asked again after the restart.
        if outcome == .shuttingDown || Task.isCancelled && outcome == .timedOut { return }
        let id = offer.event.id
        let changed = queue.record(
            outcome, of: id, at: offer.relay, now: context.time.now(), jitter: context.random.fraction(),
            standing: gossip.consentStanding(of: offer.relay))
        if let changed { await keep(changed) }
        if case .accepted = outcome { await noteHolder(of: offer) }
        context.changes.send(.receipt(id))
        due.ring()
    }

    /// Looks up where mentioned people read, and adds those relays.
    private func findInboxes(of delivery: Delivery) async {
        let id = delivery.event.id
        await gossip.discover(delivery.strangers)
        resolving.remove(id)
        // Being cancelled is no answer either; the record on disk still names the strangers.
        if Task.isCancelled { return }
        let now = context.time.now()
        let inboxes = gossip.router.inboxes(of: delivery.strangers.sorted(), now: now)
        if let changed = queue.add(inboxes, resolving: id, now: now) { await keep(changed) }
        context.changes.send(.receipt(id))
        due.ring()
    }

    private func keep(_ delivery: Delivery) async {
        do {
            try await context.records.put(
                DeliveryRecord.encode(delivery), for: delivery.event.id.hex, in: DeliveryRecord.table)
        } catch {
            // Lost is only the answer: after a restart the relay is asked again and says that it has the event.
            context.report("a receipt could not be kept", error)
        }
    }

    /// Remembers that a relay has the event, for deletions and hints.
    private func noteHolder(of offer: PublishQueue.Offer) async {
        do {
            _ = try await context.store.save([offer.event], from: offer.relay)
        } catch {
            context.report("a holder could not be kept", error)
        }
    }

    private func forgetOldDeliveries() async {
        let old = queue.forgetSettled(before: context.time.now() - Self.memory)
        guard !old.isEmpty else { return }
        do {
            try await context.records.apply(old.map { .remove(table: DeliveryRecord.table, key: $0.hex) })
        } catch {
            context.report("old receipts could not be dropped", error)
        }
    }
}
