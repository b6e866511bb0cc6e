internal import AsyncPrimitives
internal import Logging
public import NostrCore
internal import NostrNIPs
internal import NostrSigner
package import NostrStore

/// What the account publishes: signed, queued on disk, offered to relays until each has it or was given up by name.
///
/// It has a file for each step on that way, and all of them work on the one queue.
public actor Publishing {
    nonisolated let context: AccountContext
    nonisolated let gossip: Gossip
    /// What signs; `nil` for an account that only reads.
    nonisolated let signer: (any EventSigner)?
    /// Work (NIP-13) that is put into what is published.
    public nonisolated let mining: Mining
    /// Rings when something may be due.
    nonisolated let due = Doorbell()

    var queue: PublishQueue
    /// Events of which the relays of mentioned people are being looked up.
    var resolving: Set<EventID> = []
    /// Held notes that are being let go.
    var releasing: Set<EventID> = []
    private var isLoaded = false

    init(_ context: AccountContext, signer: (any EventSigner)?, gossip: Gossip) {
        self.context = context
        self.signer = signer
        self.gossip = gossip
        mining = Mining(context)
        queue = PublishQueue(patience: context.configuration.patience)
    }

    /// Reads from disk what was on its way; does nothing the second time.
    func load() async throws {
        guard !isLoaded else { return }
        try await gossip.load()
        let saved = try await context.records.records(in: DeliveryRecord.table)
        // A call that was faster has loaded the same; a queue in use must not be replaced.
        guard !isLoaded else { return }
        queue = PublishQueue(decoded(saved), patience: context.configuration.patience)
        isLoaded = true
        // What signs may have come while the program did not run, or before this was read.
        signerDidReturn()
    }

    /// Where an event of the account's own was offered and what each relay said.
    public func receipts(for id: EventID) async throws -> [PublishReceipt] {
        try await load()
        return queue.delivery(of: id)?.receipts ?? []
    }

    /// How far events of the account's own have come; those that were never queued here are missing.
    func progress(of ids: Set<EventID>) -> [EventID: Note.Acceptance] {
        var found: [EventID: Note.Acceptance] = [:]
        for id in ids {
            guard let delivery = queue.delivery(of: id) else { continue }
            found[id] = Note.Acceptance(accepted: delivery.accepted.count, asked: delivery.targets.count)
        }
        return found
    }

    /// Whether an event is in the queue, and so on disk.
    func isQueued(_ id: EventID) -> Bool { queue.delivery(of: id) != nil }

    /// How many events still wait for some relay.
    var waiting: Int { queue.waiting }

    /// A relay has come back: what waits for it is due at once.
    func relayIsBack(_ relay: RelayURL) {
        queue.relayIsBack(relay, now: context.time.now(), standing: gossip.consentStanding(of: relay))
        due.ring()
    }

    /// What signs is there again: what waited for it is due at once.
    func signerDidReturn() {
        queue.signerDidReturn(now: context.time.now()) { gossip.consentStanding(of: $0) }
        due.ring()
    }

    /// Signs a draft, queues it on disk, keeps it, and lets the queue offer it.
    ///
    /// - Parameters:
    ///   - holders: relays that are known to hold what a deletion names.
    ///   - relays: where alone it goes; `nil` lets the router choose.
    ///   - purpose: why it goes to these.
    package func send(
        _ draft: EventDraft, holders: Set<RelayURL> = [], only relays: [RelayURL]? = nil,
        purpose: PublishReceipt.Purpose = .ownWrite
    ) async throws -> Event {
        guard let signer else { throw AccountError.readOnly }
        try await load()
        let event = try await signer.sign(mining.mined(draft))
        try await enqueue(event, holders: holders, only: relays, purpose: purpose)
        return event
    }

    /// Queues a signed event on disk, keeps it, and lets the queue offer it.
    ///
    /// - Parameters:
    ///   - purpose: why it goes to the relays where alone it goes.
    ///   - changes: what is made durable in the same commit.
    package func enqueue(
        _ event: Event, holders: Set<RelayURL> = [], only relays: [RelayURL]? = nil,
        purpose: PublishReceipt.Purpose = .ownWrite, with changes: [RecordChange] = []
    ) async throws {
        try await load()
        let now = context.time.now()
        let router = gossip.router
        var delivery = Delivery(
            event: event, queuedAt: now, strangers: relays == nil ? router.strangers(in: event) : [])
        let chosen = relays?.map { Destination(relay: $0, purpose: purpose) }
        delivery.add(chosen ?? router.destinations(for: event, holders: holders, now: now), now: now)
        let put = RecordChange.put(
            table: DeliveryRecord.table, key: event.id.hex, value: try DeliveryRecord.encode(delivery))
        try await context.records.apply([put] + changes)
        queue.insert(delivery)
        try await adopt(event)
        due.ring()
    }

    /// Keeps an event of the account's own and learns from it, without offering it.
    func adopt(_ event: Event) async throws {
        _ = try await context.store.save([event], from: nil)
        if gossip.learn(from: event) { gossip.routing.ring() }
    }

    /// Queues an event of the account that was signed elsewhere, for the relays where the account publishes.
    ///
    /// - Throws: ``AccountError`` for somebody else's event, or why it could not be kept.
    public func publish(signed event: Event) async throws {
        guard event.pubkey == context.publicKey else { throw AccountError.notOwn }
        try await enqueue(event)
    }

    /// Asks the relays that hold the account's own events to delete them (NIP-09).
    ///
    /// - Parameter relays: where alone the request goes, beside those that hold the events; `nil` lets the router choose.
    package func sendDeletion(of events: [Event], only relays: [RelayURL]? = nil) async throws -> Event {
        try await load()
        var holders: Set<RelayURL> = []
        for event in events {
            holders.formUnion(try await context.store.relays(of: event.id))
            holders.formUnion(queue.delivery(of: event.id)?.targets.map(\.relay) ?? [])
        }
        let now = context.time.now()
        let moment = max(now, events.map(\.createdAt).max() ?? now)
        return try await send(
            DeletionRequest.draft(deleting: events, createdAt: moment), holders: holders,
            only: relays.map { Array(holders.union($0)).sorted() })
    }

    private func decoded(_ saved: [Record]) -> [Delivery] {
        saved.compactMap { record in
            do {
                return try DeliveryRecord.decode(record.value)
            } catch {
                context.log.error("a queued event could not be read back", metadata: ["id": "\(record.key)"])
                return nil
            }
        }
    }
}
