public import NostrCore
public import NostrRelay

/// The events on their way out: what goes where, what each relay said, when to try again.
///
/// A value without I/O: a driver takes ``takeDue(now:limit:)``, offers, and reports each answer to
/// ``record(_:of:at:now:jitter:standing:)``; whatever changed is written to disk before it counts.
public struct PublishQueue: Sendable {
    private var deliveries: [EventID: Delivery] = [:]
    /// Those that are not settled, so that a long memory of receipts costs nothing.
    private var open: Set<EventID> = []
    private var inFlight: Set<Flight> = []
    /// Those in flight to a relay that has come back since.
    private var overtaken: Set<Flight> = []
    private let patience: PublishPatience

    private struct Flight: Hashable {
        let id: EventID
        let relay: RelayURL
    }

    /// One event to offer to one relay now.
    public struct Offer: Hashable, Sendable {
        /// What is offered.
        public let event: Event
        /// To whom.
        public let relay: RelayURL
    }

    /// Starts with what was read from disk.
    public init(_ deliveries: [Delivery] = [], patience: PublishPatience = PublishPatience()) {
        self.patience = patience
        for delivery in deliveries { set(delivery) }
    }

    /// Takes a delivery that is durable; destinations that are known of already keep their state.
    public mutating func insert(_ delivery: Delivery) {
        guard var known = deliveries[delivery.event.id] else {
            set(delivery)
            return
        }
        known.strangers = delivery.strangers
        known.notBefore = delivery.notBefore
        for target in delivery.targets where !known.targets.contains(where: { $0.relay == target.relay }) {
            known.targets.append(target)
        }
        set(known)
    }

    /// Adds destinations to an event on its way, and forgets the strangers they were found for.
    public mutating func add(_ destinations: [Destination], resolving id: EventID, now: Timestamp) -> Delivery? {
        guard var delivery = deliveries[id] else { return nil }
        delivery.strangers = []
        delivery.add(destinations, now: now)
        set(delivery)
        return delivery
    }

    /// Events that mention people whose inbox is still to be found.
    public var unresolved: [Delivery] {
        unsettled.filter { $0.notBefore == nil && !$0.strangers.isEmpty }.sorted { $0.queuedAt < $1.queuedAt }
    }

    /// Events that are held back, the first to go first.
    public var held: [Delivery] {
        let held = unsettled.compactMap { delivery in delivery.notBefore.map { (moment: $0, delivery: delivery) } }
        return held.sorted { ($0.moment, $0.delivery.event.id) < ($1.moment, $1.delivery.event.id) }.map(\.delivery)
    }

    /// Ends the time an event is held back, or moves its end.
    public mutating func hold(_ id: EventID, until moment: Timestamp) {
        if deliveries[id]?.notBefore != nil { deliveries[id]?.notBefore = moment }
    }

    /// What to offer now; each offer is in flight until its answer is recorded.
    public mutating func takeDue(now: Timestamp, limit: Int = 64) -> [Offer] {
        var offers: [Offer] = []
        for delivery in unsettled.sorted(by: { $0.queuedAt < $1.queuedAt }) {
            for target in delivery.targets {
                guard offers.count + inFlight.count < limit else { break }
                guard let next = target.nextAttempt, next <= now else { continue }
                guard !inFlight.contains(Flight(id: delivery.event.id, relay: target.relay)) else { continue }
                offers.append(Offer(event: delivery.event, relay: target.relay))
            }
        }
        for offer in offers { inFlight.insert(Flight(id: offer.event.id, relay: offer.relay)) }
        return offers
    }

    /// Takes a relay's answer.
    ///
    /// - Parameters:
    ///   - jitter: 0..<1, scales the wait before the next attempt so that a fleet does not knock in step.
    ///   - standing: whether the relay may learn who the account is.
    /// - Returns: what to write to disk; `nil` when the event is not here.
    public mutating func record(
        _ outcome: PublishOutcome, of id: EventID, at relay: RelayURL, now: Timestamp, jitter: Double,
        standing: ConsentStanding
    ) -> Delivery? {
        let flight = Flight(id: id, relay: relay)
        inFlight.remove(flight)
        let isOvertaken = overtaken.remove(flight) != nil
        guard var delivery = deliveries[id], let index = delivery.targets.firstIndex(where: { $0.relay == relay })
        else { return nil }
        let target = delivery.targets[index]
        delivery.targets[index] = patience.judge(
            outcome, target: target, queuedAt: delivery.queuedAt, now: now, jitter: jitter, standing: standing)
        if isOvertaken, outcome.neverArrived, case .waiting(let attempts, _) = delivery.targets[index].state {
            delivery.targets[index].state = .waiting(attempts: attempts, next: now)
        }
        set(delivery)
        return delivery
    }

    /// A relay has come back: what waits for it is due at once; what waits for the person's answer goes on waiting.
    ///
    /// What is in flight may have been sent before that: should it turn out not to have arrived, it is due at once, too.
    ///
    /// - Parameter standing: whether the relay may learn who the account is.
    public mutating func relayIsBack(_ relay: RelayURL, now: Timestamp, standing: ConsentStanding) {
        makeDue(now: now) {
            $0.relay == relay && (standing != .undecided || $0.lastAnswer?.wantsAuthentication != true)
        }
        overtaken.formUnion(inFlight.filter { $0.relay == relay })
    }

    /// What signs is there again: what waits for relays that may know who the account is, and do not, is due at once.
    ///
    /// - Parameter standing: whether a relay may learn who the account is.
    public mutating func signerDidReturn(now: Timestamp, standing: (RelayURL) -> ConsentStanding) {
        makeDue(now: now) { $0.lastAnswer?.wantsAuthentication == true && standing($0.relay) == .allowed }
    }

    /// Offers an event again, now, to every relay that does not have it; what was given up counts as never tried.
    ///
    /// - Returns: what to write to disk; `nil` when the event is not here.
    public mutating func offerAgain(_ id: EventID, now: Timestamp) -> Delivery? {
        guard var delivery = deliveries[id] else { return nil }
        for index in delivery.targets.indices {
            if case .accepted = delivery.targets[index].state { continue }
            delivery.targets[index].state = .waiting(attempts: 0, next: now)
        }
        set(delivery)
        return delivery
    }

    /// When the next offer is due, if nothing happens before.
    public var nextDue: Timestamp? {
        var earliest: Timestamp?
        for delivery in unsettled {
            if let moment = delivery.notBefore { earliest = min(earliest ?? moment, moment) }
            for target in delivery.targets {
                guard let next = target.nextAttempt, earliest.map({ next < $0 }) ?? true,
                    !inFlight.contains(Flight(id: delivery.event.id, relay: target.relay))
                else { continue }
                earliest = next
            }
        }
        return earliest
    }

    /// What is known of one event's way; `nil` when it was never queued here.
    public func delivery(of id: EventID) -> Delivery? { deliveries[id] }

    /// How many events still wait for some relay.
    public var waiting: Int { open.count }

    /// Forgets settled deliveries older than a moment; returns their ids so that the disk forgets them too.
    public mutating func forgetSettled(before moment: Timestamp) -> [EventID] {
        let old = deliveries.values.filter { $0.isSettled && $0.queuedAt < moment }.map(\.event.id)
        for id in old { deliveries[id] = nil }
        return old
    }

    /// Offers an event no more, and forgets it; an offer that is in flight is not called back.
    package mutating func withdraw(_ id: EventID) {
        deliveries[id] = nil
        open.remove(id)
    }

    /// Forgets one delivery that is settled.
    package mutating func forgetSettled(_ id: EventID) {
        if !open.contains(id) { deliveries[id] = nil }
    }

    /// Makes due what was tried and waits for another attempt.
    private mutating func makeDue(now: Timestamp, where belongs: (Delivery.Target) -> Bool) {
        for delivery in unsettled {
            for (index, target) in delivery.targets.enumerated() where belongs(target) {
                guard case .waiting(let attempts, let next) = target.state, next > now, attempts > 0 else { continue }
                deliveries[delivery.event.id]?.targets[index].state = .waiting(attempts: attempts, next: now)
            }
        }
    }

    private var unsettled: [Delivery] { open.compactMap { deliveries[$0] } }

    private mutating func set(_ delivery: Delivery) {
        deliveries[delivery.event.id] = delivery
        if delivery.isSettled { open.remove(delivery.event.id) } else { open.insert(delivery.event.id) }
    }
}

extension PublishOutcome {
    /// Whether the relay said nothing of the event, as far as is known because it was not there.
    fileprivate var neverArrived: Bool {
        switch self {
        case .failed, .timedOut: true
        case .accepted, .rejected, .tooLong, .unauthenticated, .blocked, .shuttingDown: false
        }
    }
}
