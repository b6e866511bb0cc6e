import NostrCore
import NostrTesting

@testable import NostrRelay

/// A session with a clock of its own, driven by hand.
struct SessionBench {
    var session: RelaySession
    var now = Moment(uptime: .zero, wall: Timestamp(seconds: 1_700_000_000))
    let query = QueryID(number: 1)

    init(
        settings: PoolSettings = PoolSettings(), consent: AuthenticationConsent = .never,
        limits: StatedLimits = StatedLimits()
    ) throws {
        session = RelaySession(relay: try RelayURL("wss://relay.example"), settings: settings, random: { 1 })
        session.consent = consent
        session.limits = limits
    }

    mutating func pass(_ span: Duration) {
        now.uptime += span
        now.wall = now.wall + span
    }

    /// Opens a one-shot query of 10 seconds.
    mutating func fetch(_ filters: [Filter], as id: QueryID? = nil) -> [SessionAction] {
        session.open(id ?? query, filters, .once(until: now.uptime + .seconds(10)), now: now)
    }

    mutating func subscribe(_ filters: [Filter], as id: QueryID? = nil) -> [SessionAction] {
        session.open(id ?? query, filters, .standing, now: now)
    }

    mutating func connect() -> [SessionAction] {
        _ = session.startConnecting()
        return session.didConnect(now: now)
    }

    mutating func receive(_ message: RelayMessage) -> [SessionAction] {
        session.didReceive(message, now: now)
    }

    mutating func receive(_ event: Event, _ subscription: SubscriptionID) -> [SessionAction] {
        session.didReceive(event, for: subscription, known: false, now: now)
    }

    mutating func tick(after span: Duration) -> [SessionAction] {
        pass(span)
        return session.tick(now: now)
    }
}

extension [SessionAction] {
    /// The REQs among them.
    var requests: [(id: SubscriptionID, filters: [Filter])] {
        compactMap { if case .send(.req(let id, let filters)) = $0 { (id, filters) } else { nil } }
    }

    var closes: [SubscriptionID] {
        compactMap { if case .send(.close(let id)) = $0 { id } else { nil } }
    }
}
