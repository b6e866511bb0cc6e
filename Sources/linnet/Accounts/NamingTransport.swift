import Logging
import NostrClient
import NostrCore
import NostrRelay
import SQLiteStorage
import ViewModels
import WebSocketNIO

/// Sockets to relays that can be told of further relays which a person named.
protocol NamingTransport: RelayTransport {
    /// The same, where these relays are named too.
    func naming(_ isNamedToo: @escaping @Sendable (RelayURL) async -> Bool) -> Self
}

extension NamedRelaysTransport: NamingTransport {
    /// The sockets of this program: they reach the relays it was started with, and those that a person allowed on a
    /// page, wherever they are.
    ///
    /// - Parameter world: knows the hosts of the simulated Nostr.
    init(
        _ configuration: AccountConfiguration, allowed: any SettingsKeeping, world: (any HostResolver)? = nil
    ) throws {
        let (policy, searchRelays) = (configuration.routing, configuration.searchRelays)
        self.init(try WebSocketTransport(), resolver: world) { relay in
            if policy.names(relay) || searchRelays.contains(relay) { return true }
            return await allowed.settings().allowedRelays.contains(relay.text)
        }
    }

    /// As above, for a command that works in a data directory by itself.
    init(_ configuration: AccountConfiguration, in directory: DataDirectory, log: Logger) throws {
        let program = try SQLiteRecordStore(path: directory.program)
        try self.init(configuration, allowed: SettingsRecords(records: program, log: log))
    }
}
