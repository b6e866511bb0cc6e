import AsyncPrimitives
import NostrCore
import NostrStore
import RelayServer

/// How many events a store holds, counted now and then: it takes a while in a large one, and anybody may ask.
actor StoredEventCount {
    /// A count is good for so long.
    static let patience = Duration.seconds(600)

    private let store: any EventStore
    private let time: Time<Timestamp>
    private var last: (count: Int, at: Duration)?
    private var isCounting = false

    init(_ store: any EventStore, time: Time<Timestamp>) {
        self.store = store
        self.time = time
    }

    /// The last count, at most ten minutes old; `nil` while the first is being taken, or when the store cannot count now.
    func current() async -> Int? {
        if let last, time.uptime() < last.at + Self.patience { return last.count }
        guard !isCounting else { return last?.count }
        isCounting = true
        defer { isCounting = false }
        // A store that cannot count now shows in /healthz; the other numbers are still worth having.
        guard let count = try? await store.count([Filter()]) else { return nil }
        last = (count, time.uptime())
        return count
    }
}

/// What an operator may count, in the Prometheus text format; numbers only, nothing of what anybody reads or writes.
struct Metrics: Sendable {
    let relay: RelayServer
    let accounts: AccountHost
    let stored: StoredEventCount

    /// The text of `/metrics`.
    func text() async -> String {
        var lines = [
            Self.gauge("linnet_relay_clients", "Programs connected to the relay.", relay.connectionCount),
            Self.gauge("linnet_accounts_open", "Accounts at work.", await accounts.openCount),
        ]
        if let events = await stored.current() {
            lines.append(
                Self.gauge("linnet_events_stored", "Events in the store, counted within ten minutes.", events))
        }
        return lines.joined()
    }

    private static func gauge(_ name: String, _ help: String, _ value: Int) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name) \(value)\n"
    }
}
