import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import Testing

@Suite("Who may write", .timeLimit(.minutes(10)))
struct WritersTests {
    let alice: Author
    let bob: Author
    let carol: Author
    let refusal = Verdict.refuse(Reason(.restricted, "only people on this relay's list may write here"))

    init() throws {
        (alice, bob, carol) = (try Author(1), try Author(2), try Author(3))
    }

    private func verdict(_ writers: Writers, _ event: Event) async -> Verdict {
        await writers.policy(event, ClientContext(connection: 1, peer: "", authenticated: [], now: testNow))
    }

    @Test("is whoever was named, and whoever writes to them in private")
    func named() async {
        let writers = Writers([alice.publicKey])
        #expect(await verdict(writers, alice.sign("hers")) == .accept)
        #expect(await verdict(writers, bob.sign("his")) == refusal)
        let toHer = bob.sign("sealed", kind: 1059, tags: [["p", alice.publicKey.hex]])
        #expect(await verdict(writers, toHer) == .accept)
        let toHim = bob.sign("sealed", kind: 1059, tags: [["p", bob.publicKey.hex], ["p", "nobody"]])
        #expect(await verdict(writers, toHim) == refusal)
        #expect(await verdict(writers, bob.sign("hi", tags: [["p", alice.publicKey.hex]])) == refusal)
    }

    @Test("is whom a person follows, also after the list changed", .timeLimit(.minutes(10)))
    func followed() async throws {
        let store = FollowedStore()
        let follows = { [alice] (who: Author, at: Int64) in
            alice.sign("", kind: 3, tags: [["p", who.publicKey.hex]], at: at)
        }
        _ = await store.save([follows(bob, 1)], from: nil)
        let writers = Writers([], followedBy: alice.publicKey)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await writers.run(store) }
            #expect(await verdict(writers, alice.sign("her own list, first of all")) == .accept)
            await store.wait { await verdict(writers, bob.sign("his")) == .accept }
            #expect(await verdict(writers, carol.sign("hers")) == refusal)
            _ = await store.save([follows(carol, 2)], from: nil)
            await store.wait { await verdict(writers, carol.sign("hers")) == .accept }
            #expect(await verdict(writers, bob.sign("his")) == refusal)
            let gone = alice.sign("", kind: 5, tags: [["a", "3:\(alice.publicKey.hex):"]], at: 3)
            _ = await store.save([gone], from: nil)
            await store.wait { await verdict(writers, carol.sign("hers")) == refusal }
            group.cancelAll()
        }
    }
}

/// A store that knows how far the one who follows its changes has come.
private struct FollowedStore: EventStore {
    private let store = MemoryEventStore(now: { testNow })
    /// How often a change was asked for: all before it are dealt with.
    private let asked = CurrentValue(0)

    /// Waits until something holds; looks again whenever a change was dealt with.
    func wait(until holds: () async -> Bool) async {
        for await _ in asked.values() { if await holds() { return } }
    }

    func changes() async -> AsyncStream<StoreChange> {
        let changes = await store.changes()
        return AsyncStream { [asked] in
            asked.set(asked.value + 1)
            var next = changes.makeAsyncIterator()
            return await next.next(isolation: nil)
        }
    }

    func save(_ events: [Event], from relay: RelayURL?) async -> [SaveOutcome] { await store.save(events, from: relay) }
    func query(_ filters: [Filter]) async -> [Event] { await store.query(filters) }
    func answer(_ filters: [Filter], bytes: Int, most: Int) async throws -> StoredAnswer {
        try await store.answer(filters, bytes: bytes, most: most)
    }
    func count(_ filters: [Filter]) async -> Int { await store.count(filters) }
    func relays(of id: EventID) async -> Set<RelayURL> { await store.relays(of: id) }
    func dropExpired(now: Timestamp) async -> Int { await store.dropExpired(now: now) }
    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) async -> [EventID: [Kind: Int]] {
        await store.referenceCounts(to: ids, kinds: kinds)
    }
}
