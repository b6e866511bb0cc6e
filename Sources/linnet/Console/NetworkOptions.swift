import ArgumentParser
import NostrClient
import NostrCore

/// Which relays to begin with, where nothing else is known.
struct NetworkOptions: ParsableArguments {
    @Option(
        name: .customLong("indexer"),
        help: ArgumentHelp(
            "A relay to find people on, and to use where somebody has no relay list; may be given again.",
            discussion: "LINNET_INDEXERS, separated by spaces, sets them too; without either, well-known relays.",
            valueName: "url"))
    var indexers: [String] = []

    /// The real network, or the one that begins at the given relays.
    ///
    /// The relays given may be on this machine or in a private network; no others are believed there.
    ///
    /// - Throws: a ``CommandFailure`` for an address that is none.
    func configuration() throws -> AccountConfiguration {
        let given =
            indexers.isEmpty
            ? EnvironmentVariables.value("LINNET_INDEXERS")?.split(separator: " ").map(String.init) ?? [] : indexers
        guard !given.isEmpty else { return .standard }
        let relays = try given.map(Reading.relay)
        return AccountConfiguration(
            routing: RoutingPolicy(indexers: relays, fallback: relays), searchRelays: relays)
    }
}
