internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// One wrap on its way to one person.
struct OutgoingWrap: Hashable, Sendable {
    /// The wrap, and how it stands at which relay.
    var delivery: Delivery
    /// The message inside; `nil` for a request to delete wraps.
    let rumor: EventID?
    /// Its conversation.
    let room: ChatRoom?
    /// To whom; the account itself for its own copy.
    let recipient: PublicKey
    /// How the recipient's relays were found.
    var basis: RecipientReceipt.Basis
    /// What signed the wrap, as long as a relay may ask for more work; `nil` for what is not made again.
    var key: WrapKey?
}

/// The wraps on their way out, and whose they are.
///
/// A value without I/O around a ``PublishQueue``, with a memory of which wrap is whose.
struct OutgoingWraps: Sendable {
    private var queue: PublishQueue
    private var outgoing: [EventID: OutgoingWrap] = [:]
    /// By message.
    private var wrapsOfMessage: [EventID: [EventID]] = [:]
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

    /// Takes a wrap that is durable; one that is here already is replaced by nothing.
    mutating func insert(_ wrap: OutgoingWrap) {
        let id = wrap.delivery.event.id
        guard outgoing[id] == nil else { return }
        outgoing[id] = wrap
        if let rumor = wrap.rumor { wrapsOfMessage[rumor, default: []].append(id) }
        queue.insert(wrap.delivery)
    }

    /// What to offer now.
    mutating func takeDue(now: Timestamp) -> [PublishQueue.Offer] { queue.takeDue(now: now) }

    /// Takes a relay's answer; returns the wrap as it is now, to be written down.
    mutating func record(
        _ outcome: PublishOutcome, of offer: PublishQueue.Offer, now: Timestamp, jitter: Double,
        standing: ConsentStanding
    ) -> OutgoingWrap? {
        let id = offer.event.id
        let delivery = queue.record(
            outcome, of: id, at: offer.relay, now: now, jitter: jitter, standing: standing)
        guard let delivery else { return nil }
        return update(id) { $0.delivery = delivery }
    }

    /// Wraps whose recipient's relays are to be looked up now; each counts as looked up.
    mutating func takeLookups(now: Timestamp) -> [OutgoingWrap] {
        let due = queue.unresolved.map(\.event.id).filter { lookups[$0].map { $0.next <= now } ?? true }
        for id in due {
            let tries = (lookups[id]?.tries ?? 0) + 1
            lookups[id] = (tries, now + min(.seconds(60) * (1 << min(tries - 1, 6)), .seconds(3600)))
        }
        return due.compactMap { outgoing[$0] }
    }

    /// The relays of a recipient were looked up: adds them, and looks again later when there are none.
    mutating func resolve(_ id: EventID, _ basis: RecipientReceipt.Basis, _ relays: [RelayURL], now: Timestamp)
        -> OutgoingWrap?
    {
        guard let wrap = outgoing[id] else { return nil }
        let isHopeless = wrap.delivery.queuedAt + patience.ownRelays <= now
        guard !relays.isEmpty || isHopeless || !wrap.delivery.targets.isEmpty else { return nil }
        lookups[id] = nil
        let found = relays.map { Destination(relay: $0, purpose: .readOf(wrap.recipient)) }
        guard let delivery = queue.add(found, resolving: id, now: now) else { return nil }
        return update(id) {
            $0.delivery = delivery
            if basis != .unknown { $0.basis = basis }
        }
    }

    /// The wrap with an id.
    func wrap(_ id: EventID) -> OutgoingWrap? { outgoing[id] }

    /// Puts a wrap with more work in the place of another: relays that took that one have it, those that asked for work
    /// are offered the new one at once.
    mutating func replace(_ id: EventID, with event: Event, now: Timestamp) -> OutgoingWrap? {
        guard var wrap = outgoing.removeValue(forKey: id) else { return nil }
        queue.withdraw(id)
        wrap.delivery = wrap.delivery.replacing(with: event, now: now)
        if let rumor = wrap.rumor {
            wrapsOfMessage[rumor] = wrapsOfMessage[rumor]?.map { $0 == id ? event.id : $0 }
        }
        if let lookup = lookups.removeValue(forKey: id) { lookups[event.id] = lookup }
        outgoing[event.id] = wrap
        queue.insert(wrap.delivery)
        return wrap
    }

    /// Offers a message again to every relay that does not have it; returns what to write down.
    mutating func offerAgain(_ rumor: EventID, now: Timestamp) -> [OutgoingWrap] {
        (wrapsOfMessage[rumor] ?? []).compactMap { id in
            lookups[id] = nil
            guard let delivery = queue.offerAgain(id, now: now) else { return nil }
            return update(id) { $0.delivery = delivery }
        }
    }

    /// A relay has come back: what waits for it is due at once; what waits for the person's answer goes on waiting.
    mutating func relayIsBack(_ relay: RelayURL, now: Timestamp, standing: ConsentStanding) {
        queue.relayIsBack(relay, now: now, standing: standing)
    }

    /// What signs is there again: what waited for it is due at once.
    mutating func signerDidReturn(now: Timestamp, standing: (RelayURL) -> ConsentStanding) {
        queue.signerDidReturn(now: now, standing: standing)
    }

    /// When something is due, if nothing happens before.
    var nextDue: Timestamp? {
        ([queue.nextDue].compactMap(\.self) + lookups.values.map(\.next)).min()
    }

    /// How many wraps still wait for some relay.
    var waiting: Int { queue.waiting }

    /// The wraps of a message.
    func outgoing(of rumor: EventID) -> [OutgoingWrap] { (wrapsOfMessage[rumor] ?? []).compactMap { outgoing[$0] } }

    /// All wraps here.
    var all: [OutgoingWrap] { Array(outgoing.values) }

    /// Lets go of a settled wrap; it is found on disk when it is asked for.
    mutating func forget(_ id: EventID) {
        guard let wrap = outgoing[id], wrap.delivery.isSettled else { return }
        outgoing[id] = nil
        lookups[id] = nil
        if let rumor = wrap.rumor { wrapsOfMessage[rumor]?.removeAll { $0 == id } }
        queue.forgetSettled(id)
    }

    private mutating func update(_ id: EventID, _ body: (inout OutgoingWrap) -> Void) -> OutgoingWrap? {
        guard var wrap = outgoing[id] else { return nil }
        body(&wrap)
        outgoing[id] = wrap
        return wrap
    }
}
