internal import AsyncPrimitives
public import NostrCore
internal import NostrSigner
internal import NostrStore

/// Notes that are held back for a while, so that they can be taken back.
///
/// A held note is signed at once and rests in the publish queue on disk: a crash neither loses it nor publishes it early,
/// and no key is needed when its time has come. Until then it is not in the event store, so that nobody sees it.
extension Publishing {
    /// Signs a note and holds it back until a moment; durable before it returns.
    public func publish(_ composition: Composition, notBefore moment: Timestamp) async throws -> Event {
        let event = try await signed(composition)
        var delivery = Delivery(event: event, queuedAt: context.time.now())
        delivery.notBefore = moment
        try await context.records.put(DeliveryRecord.encode(delivery), for: event.id.hex, in: DeliveryRecord.table)
        queue.insert(delivery)
        due.ring()
        return event
    }

    /// The notes that are held back, the first to go first.
    public func held() async throws -> [HeldNote] {
        try await load()
        return queue.held.compactMap { delivery in
            delivery.notBefore.map { HeldNote(event: delivery.event, notBefore: $0) }
        }
    }

    /// Gives up a held note: it is forgotten, here and on disk.
    ///
    /// - Returns: `false` when it is too late, or there is no such note.
    public func cancel(_ id: EventID) async throws -> Bool {
        try await load()
        guard let delivery = queue.delivery(of: id), delivery.notBefore != nil, releasing.insert(id).inserted else {
            return false
        }
        defer { releasing.remove(id) }
        try await context.records.apply([.remove(table: DeliveryRecord.table, key: id.hex)])
        queue.withdraw(id)
        return true
    }

    /// Lets a held note go now; it is in the event store when this returns.
    public func release(_ id: EventID) async throws {
        try await load()
        guard let delivery = queue.delivery(of: id), delivery.notBefore != nil, releasing.insert(id).inserted else {
            return
        }
        queue.hold(id, until: context.time.now())
        await letGo(delivery.event)
        due.ring()
    }

    /// The time of a held note has come.
    func letGo(_ event: Event) async {
        do {
            try await enqueue(event)
            context.changes.send(.receipt(event.id))
        } catch {
            // It is on disk, held; the next round tries again.
            context.report("a held note could not be let go", error)
        }
        releasing.remove(event.id)
    }
}

/// A note that is signed and held back.
public struct HeldNote: Hashable, Sendable {
    /// The note.
    public let event: Event
    /// When it goes out.
    public let notBefore: Timestamp
}
