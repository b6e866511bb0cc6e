internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// Questions to relays that end at their deadline whatever the network does.
///
/// The pool promises to end in time; a second clock beside it makes that promise unbreakable.
extension LiveAccount {
    /// Asks relays and hands on what comes while it comes.
    func fetch(
        _ requests: [RelayURL: [Filter]], deadline: Duration, _ take: @escaping @Sendable (FetchUpdate) async -> Void
    ) async {
        guard !requests.isEmpty else { return }
        let stream = await network.fetch(requests, deadline: deadline)
        let time = self.time
        await withTaskGroup { group in
            group.addTask {
                for await update in stream { await take(update) }
            }
            group.addTask { await time.pause(deadline + .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Asks relays a small question and waits for all there is to hear.
    func collect(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> [FetchUpdate] {
        guard !requests.isEmpty else { return [] }
        let stream = await network.fetch(requests, deadline: deadline)
        let time = self.time
        return await withTaskGroup(of: [FetchUpdate].self) { group in
            group.addTask {
                var updates: [FetchUpdate] = []
                for await update in stream { updates.append(update) }
                return updates
            }
            group.addTask {
                await time.pause(deadline + .seconds(1))
                return []
            }
            var all: [FetchUpdate] = []
            for await updates in group {
                all += updates
                group.cancelAll()
            }
            return all
        }
    }
}
