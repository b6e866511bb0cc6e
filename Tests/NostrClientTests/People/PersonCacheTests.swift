import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// What of people is read from the store, and what from memory.
struct PersonCacheTests {
    private let store = MemoryEventStore(now: { Timestamp(seconds: 1_700_000_000) })
    private let cache = PersonCache()
    private let bob = TestPerson.bob.publicKey

    @Test("somebody without a profile is looked for once where that will do, and again once one has come")
    func absence() async throws {
        #expect(try await cache.profiles(of: [bob], from: store, believesAbsence: true).isEmpty)
        _ = await store.save([TestPerson.bob.event(#"{"name":"bob"}"#, kind: 0)], from: nil)
        // Nobody has said yet that it came.
        #expect(try await cache.profiles(of: [bob], from: store, believesAbsence: true).isEmpty)
        let read = try await cache.profiles(of: [bob], from: store)
        #expect(read[bob] == ["name": "bob"])
        #expect(try await cache.profiles(of: [bob], from: store, believesAbsence: true) == read)
        cache.forget(bob)
        #expect(try await cache.profiles(of: [bob], from: store, believesAbsence: true) == read)
    }

    @Test("of more people than are remembered all are found, and most stay in memory")
    func full() async throws {
        let people = [TestPerson.alice, .bob, .carol, .dave, .eve]
        let small = PersonCache(capacity: 3)
        _ = await store.save(people.map { $0.event(#"{"name":"somebody"}"#, kind: 0) }, from: nil)
        let keys = Set(people.map(\.publicKey))
        let first = try await small.profiles(of: keys, from: store)
        #expect(Set(first.keys) == keys)
        // What is in memory is all that an empty store leaves.
        let empty = MemoryEventStore(now: { Timestamp(seconds: 1_700_000_000) })
        let kept = try await small.profiles(of: keys, from: empty, believesAbsence: true)
        #expect(kept.count == 3)
    }
}
