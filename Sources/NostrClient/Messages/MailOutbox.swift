internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// One wrap on its way to one person.
struct Parcel: Hashable, Sendable {
    /// The wrap, and how it stands at which relay.
    var delivery: Delivery
    /// The message inside; `nil` for a request to delete wraps.
    let rumor: EventID?
    /// Its conversation.
    let room: ChatRoom?
    /// To whom; oneself for the copy one keeps.
    let recipient: PublicKey
    /// How the recipient's relays were found.
    var basis: RecipientReceipt.Basis
}

/// The wraps on their way out, and whose they are.
///
/// A value without I/O around a ``PublishQueue``, with a memory of which wrap is whose.
struct MailOutbox: Sendable {
    private var queue: PublishQueue
    private var parcels: [EventID: Parcel] = [:]
    private var wraps: [EventID: [EventID]] = [:]
    /// When to look again for the relays of people of whom none are known.
    private var lookups: [EventID: (tries: Int, next: Timestamp)] = [:]
    private let patience: PublishPatience

    /// Messages are tried longer than notes: a friend's relay may be down for a weekend, and nobody else has them.
    init(patience: PublishPatience) {
        var patience = patience
        patience.otherRelays = patience.ownRelays
        self.patience = patience
        queue = PublishQueue(patience: patience)
    }

    /// Takes a parcel that is durable; one that is here already is replaced by nothing.
    mutating func insert(_ parcel: Parcel) {
        let id = parcel.delivery.event.id
        guard parcels[id] == nil else { return }
        parcels[id] = parcel
        if let rumor = parcel.rumor { wraps[rumor, default: []].append(id) }
        queue.insert(parcel.delivery)
    }

    /// What to offer now.
    mutating func takeDue(now: Timestamp) -> [PublishQueue.Offer] { queue.takeDue(now: now) }

    /// Takes a relay's answer; returns the parcel as it is now, to be written down.
    mutating func record(
        _ outcome: PublishOutcome, of offer: PublishQueue.Offer, now: Timestamp, jitter: Double
    ) -> Parcel? {
        let id = offer.event.id
        guard let delivery = queue.record(outcome, of: id, at: offer.relay, now: now, jitter: jitter) else {
            return nil
        }
        return update(id) { $0.delivery = delivery }
    }

    /// Parcels whose recipient's relays are to be looked up now; each counts as looked up.
    mutating func takeLookups(now: Timestamp) -> [Parcel] {
        let due = queue.unresolved.map(\.event.id).filter { lookups[$0].map { $0.next <= now } ?? true }
        for id in due {
            let tries = (lookups[id]?.tries ?? 0) + 1
            lookups[id] = (tries, now + min(.seconds(60) * (1 << min(tries - 1, 6)), .seconds(3600)))
        }
        return due.compactMap { parcels[$0] }
    }

    /// The relays of a recipient were looked up: adds them, and looks again later when there are none.
    mutating func resolve(_ id: EventID, _ basis: RecipientReceipt.Basis, _ relays: [RelayURL], now: Timestamp)
        -> Parcel?
    {
        guard let parcel = parcels[id] else { return nil }
        let isHopeless = parcel.delivery.queuedAt + patience.ownRelays <= now
        guard !relays.isEmpty || isHopeless || !parcel.delivery.targets.isEmpty else { return nil }
        lookups[id] = nil
        let found = relays.map { Destination(relay: $0, purpose: .readOf(parcel.recipient)) }
        guard let delivery = queue.add(found, resolving: id, now: now) else { return nil }
        return update(id) {
            $0.delivery = delivery
            if basis != .unknown { $0.basis = basis }
        }
    }

    /// Offers a message again to every relay that does not have it; returns what to write down.
    mutating func offerAgain(_ rumor: EventID, now: Timestamp) -> [Parcel] {
        (wraps[rumor] ?? []).compactMap { id in
            lookups[id] = nil
            guard let delivery = queue.offerAgain(id, now: now) else { return nil }
            return update(id) { $0.delivery = delivery }
        }
    }

    /// A relay has come back: what waits for it is due at once.
    mutating func relayIsBack(_ relay: RelayURL, now: Timestamp) { queue.relayIsBack(relay, now: now) }

    /// When something is due, if nothing happens before.
    var nextDue: Timestamp? {
        ([queue.nextDue].compactMap(\.self) + lookups.values.map(\.next)).min()
    }

    /// How many wraps still wait for some relay.
    var waiting: Int { queue.waiting }

    /// The parcels of a message.
    func parcels(of rumor: EventID) -> [Parcel] { (wraps[rumor] ?? []).compactMap { parcels[$0] } }

    /// All parcels here.
    var all: [Parcel] { Array(parcels.values) }

    /// Lets go of a settled parcel; it is found on disk when it is asked for.
    mutating func forget(_ id: EventID) {
        guard let parcel = parcels[id], parcel.delivery.isSettled else { return }
        parcels[id] = nil
        lookups[id] = nil
        if let rumor = parcel.rumor { wraps[rumor]?.removeAll { $0 == id } }
        queue.forgetSettled(id)
    }

    private mutating func update(_ id: EventID, _ body: (inout Parcel) -> Void) -> Parcel? {
        guard var parcel = parcels[id] else { return nil }
        body(&parcel)
        parcels[id] = parcel
        return parcel
    }
}
