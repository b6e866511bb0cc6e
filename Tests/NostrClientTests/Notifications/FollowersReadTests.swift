import NostrCore
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

@Suite("lists of those who follow the account")
struct FollowersReadTests {
    @Test("are read a few at a time, since each may be as long as a message can be")
    func few() async throws {
        let store = MeasuredStore()
        var random = SeededRandom(seed: 5)
        var followers: [Follower] = []
        for number in 0..<40 {
            let key = SecretKey.generate(using: &random)
            let draft = EventDraft(
                kind: 3, tags: [["p", TestPerson.alice.publicKey.hex]], content: "",
                createdAt: Timestamp(seconds: 1_000 + Int64(number)))
            let list = Event(signing: draft, with: key, using: &random)
            _ = await store.save([list], from: nil)
            followers.append(Follower(person: list.pubkey, id: list.id, moment: list.createdAt))
        }
        let reader = NotificationReader(
            store: store, account: TestPerson.alice.publicKey, own: OwnNotes(), followers: followers, mutes: Mutes(),
            payments: { _ in [:] })
        let told = try await reader.follows(followers)
        #expect(told.compactMap(\.person) == followers.map(\.person))
        #expect(told.map(\.id) == followers.map(\.id) && told.allSatisfy { $0.event == nil })
        #expect(store.most == NotificationReader.listsAtOnce)
    }
}

/// A store that knows how many events it gave out at once.
private struct MeasuredStore: EventStore {
    private final class Box: Sendable { let most = Mutex(0) }

    private let store = MemoryEventStore(now: { Timestamp(seconds: 2_000) })
    private let box = Box()

    var most: Int { box.most.withLock { $0 } }

    func query(_ filters: [Filter]) async -> [Event] {
        let events = await store.query(filters)
        box.most.withLock { $0 = max($0, events.count) }
        return events
    }

    func save(_ events: [Event], from relay: RelayURL?) async -> [SaveOutcome] { await store.save(events, from: relay) }
    func answer(_ filters: [Filter], bytes: Int, most: Int) async throws -> StoredAnswer {
        try await store.answer(filters, bytes: bytes, most: most)
    }
    func count(_ filters: [Filter]) async -> Int { await store.count(filters) }
    func relays(of id: EventID) async -> Set<RelayURL> { await store.relays(of: id) }
    func changes() async -> AsyncStream<StoreChange> { await store.changes() }
    func dropExpired(now: Timestamp) async -> Int { await store.dropExpired(now: now) }
    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) async -> [EventID: [Kind: Int]] {
        await store.referenceCounts(to: ids, kinds: kinds)
    }
}
