import NostrCore
import NostrStore
import RelayServer

/// What an operator may count, in the Prometheus text format; numbers only, nothing of what anybody reads or writes.
struct Metrics: Sendable {
    let relay: RelayServer
    let accounts: AccountHost
    let store: any EventStore

    /// The text of `/metrics`.
    func text() async -> String {
        var lines = [
            Self.gauge("linnet_relay_clients", "Programs connected to the relay.", relay.connectionCount),
            Self.gauge("linnet_accounts_open", "Accounts at work.", await accounts.openCount),
        ]
        // A store that cannot count now shows in /healthz; the other numbers are still worth having.
        if let events = try? await store.count([Filter()]) {
            lines.append(Self.gauge("linnet_events_stored", "Events in the store.", events))
        }
        return lines.joined()
    }

    private static func gauge(_ name: String, _ help: String, _ value: Int) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name) \(value)\n"
    }
}
