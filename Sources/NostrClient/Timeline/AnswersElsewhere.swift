internal import NostrCore
internal import NostrNIPs
internal import NostrStore

extension EventStore {
    /// Those of some reactions and reposts that are about something else that is here than what stands at the addresses
    /// they name, such as a line of a stream's chat: some name the stream's address only as where that was said.
    ///
    /// The event that is named says so where no `k` tag does. One that is not here may be an older version of what
    /// stands at the address, of which nothing is kept.
    ///
    /// - Parameter id: what they may name beside the address.
    func answersElsewhere(among events: [Event], than id: EventID? = nil) async throws -> Set<EventID> {
        var targets: [EventID: (target: EventID, addresses: [EventAddress])] = [:]
        for event in events {
            guard let target = Reaction(event)?.target.id ?? Repost(event)?.target.id, target != id else { continue }
            let addresses = event.touchedAddresses
            if !addresses.isEmpty { targets[event.id] = (target, addresses) }
        }
        guard !targets.isEmpty else { return [] }
        let found = try await query([Filter(ids: Set(targets.values.map(\.target)))])
        let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let elsewhere = targets.filter { entry in
            guard let target = known[entry.value.target] else { return false }
            return target.address.map { !entry.value.addresses.contains($0) } ?? true
        }
        return Set(elsewhere.keys)
    }
}
