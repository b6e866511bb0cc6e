internal import NostrCore
internal import NostrStore
internal import Synchronization

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

/// A forger at work on one connection: every third event it sends says something else, under the signature of what its
/// author really said.
///
/// It counts rather than choosing by id: ids change with the ports of the world, and a short answer might hold nothing
/// that it chooses.
final class Forger: Sendable {
    private let sent = Atomic(0)

    /// What it makes of a frame on its way out.
    func frame(_ frame: [UInt8]) -> [UInt8] {
        // The frame is our own relay's; one that did not parse would go out as it is.
        guard case .event(let subscription, var event)? = try? RelayMessage(json: frame),
            sent.add(1, ordering: .relaxed).newValue.isMultiple(of: 3)
        else { return frame }
        event.content += " Buy shiny things at magpie.example!"
        event.id = canonicalID(
            pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags,
            content: event.content)
        return RelayMessage.event(subscription, event).json
    }
}
