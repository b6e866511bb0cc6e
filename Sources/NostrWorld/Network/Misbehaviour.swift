internal import NostrCore
internal import NostrStore

/// A store that answers every question with its newest events, asked for or not.
struct StrayStore: EventStore {
    let honest: MemoryEventStore

    func save(_ events: [Event], from relay: RelayURL?) async throws -> [SaveOutcome] {
        await honest.save(events, from: relay)
    }

    func query(_ filters: [Filter]) async throws -> [Event] {
        let asked = await honest.query(filters)
        let strays = await honest.query([Filter(limit: 20)])
        let known = Set(asked.map(\.id))
        return asked + strays.filter { !known.contains($0.id) }
    }

    func count(_ filters: [Filter]) async throws -> Int { await honest.count([Filter()]) }

    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) async throws -> [EventID: [Kind: Int]] {
        await honest.referenceCounts(to: ids, kinds: kinds)
    }

    func relays(of id: EventID) async throws -> Set<RelayURL> { await honest.relays(of: id) }

    func changes() async -> AsyncStream<StoreChange> { await honest.changes() }

    func dropExpired(now: Timestamp) async throws -> Int { await honest.dropExpired(now: now) }
}

/// What a forger makes of a frame on its way out: every third event says something else, under the signature of what
/// its author really said.
func forged(_ frame: [UInt8]) -> [UInt8] {
    // The frame is our own relay's; one that did not parse would go out as it is.
    guard case .event(let subscription, var event)? = try? RelayMessage(json: frame), event.id.bytes[31] % 3 == 0
    else { return frame }
    event.content += " Buy shiny things at magpie.example!"
    event.id = canonicalID(
        pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content)
    return RelayMessage.event(subscription, event).json
}
