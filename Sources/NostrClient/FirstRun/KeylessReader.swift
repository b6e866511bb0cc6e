internal import AsyncPrimitives
internal import NostrCore
internal import NostrRelay
internal import Synchronization

/// Asks relays over connections that no key answers for, and ends at the deadline whatever the network does.
struct KeylessReader: Sendable {
    let network: any RelayNetwork
    let time: Time<Timestamp>

    /// Asks relays and hands on what comes while it comes.
    func fetch(
        _ requests: [RelayURL: [Filter]], deadline: Duration,
        _ receive: @escaping @Sendable (FetchUpdate) async -> Void
    ) async {
        guard !requests.isEmpty else { return }
        _ = await withDeadline(deadline + .seconds(1), on: time.clock) { [network] in
            for await update in await network.fetch(requests, deadline: deadline) { await receive(update) }
        }
    }

    /// Asks several relays the same, and waits for all there is to read, with the relay that sent it.
    func read(_ filter: Filter, from relays: [RelayURL], deadline: Duration) async -> [(RelayURL, [Event])] {
        let found = Mutex<[(RelayURL, [Event])]>([])
        await fetch(Dictionary(relays.map { ($0, [filter]) }) { first, _ in first }, deadline: deadline) { update in
            guard case .events(let events, let relay) = update else { return }
            found.withLock { $0.append((relay, events)) }
        }
        return found.withLock { $0 }
    }
}
