public import NostrCore

/// One event on its way to its relays.
public struct Delivery: Hashable, Sendable {
    /// One relay it goes to.
    public struct Target: Hashable, Sendable {
        /// Where the event is offered.
        public let relay: RelayURL
        /// Why it was chosen.
        public let purpose: PublishReceipt.Purpose
        /// How it stands.
        public var state: PublishReceipt.State
        /// What the relay (or the network) said last.
        public var lastAnswer: PublishAnswer?

        var nextAttempt: Timestamp? {
            if case .waiting(_, let next) = state { next } else { nil }
        }
    }

    /// The event, signed.
    public let event: Event
    /// When it was queued.
    public let queuedAt: Timestamp
    /// Until when the event is held back; `nil` once it is on its way.
    public var notBefore: Timestamp?
    /// Mentioned people whose read relays are still to be looked up.
    public var strangers: Set<PublicKey>
    /// The relays, in the order they were chosen.
    public var targets: [Target]

    /// An event that goes nowhere yet.
    public init(event: Event, queuedAt: Timestamp, strangers: Set<PublicKey> = [], targets: [Target] = []) {
        self.event = event
        self.queuedAt = queuedAt
        self.strangers = strangers
        self.targets = targets
    }

    /// Adds relays that are not named yet; they are due at once.
    public mutating func add(_ destinations: [Destination], now: Timestamp) {
        for destination in destinations where !targets.contains(where: { $0.relay == destination.relay }) {
            targets.append(
                Target(
                    relay: destination.relay, purpose: destination.purpose, state: .waiting(attempts: 0, next: now),
                    lastAnswer: nil))
        }
    }

    /// The same way for an event with more work in it: what a relay refused for want of work is due there at once.
    func replacing(with event: Event, now: Timestamp) -> Delivery {
        var delivery = Delivery(event: event, queuedAt: queuedAt, strangers: strangers, targets: targets)
        delivery.notBefore = notBefore
        for (index, target) in targets.enumerated() where target.lastAnswer?.wantsWork == true {
            if case .accepted = target.state { continue }
            delivery.targets[index].state = .waiting(attempts: 0, next: now)
        }
        return delivery
    }

    /// Whether no relay is waited for any more.
    public var isSettled: Bool {
        notBefore == nil && strangers.isEmpty && targets.allSatisfy { $0.nextAttempt == nil }
    }

    /// Relays that said yes.
    public var accepted: [RelayURL] {
        targets.filter { if case .accepted = $0.state { true } else { false } }.map(\.relay)
    }

    /// What screens show.
    public var receipts: [PublishReceipt] {
        targets.map { PublishReceipt(relay: $0.relay, purpose: $0.purpose, state: $0.state, lastAnswer: $0.lastAnswer) }
    }
}
