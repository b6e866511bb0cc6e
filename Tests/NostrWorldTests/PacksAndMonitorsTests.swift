import NostrCore
import NostrNIPs
import NostrWorld
import Testing

/// Packs of emoji and what monitors say, in the simulated Nostr.
struct PacksAndMonitorsTests {
    private func world(seed: UInt64 = 1) throws -> World {
        try World(
            seed: seed, size: .hamlet, now: Timestamp(seconds: 1_700_000_000),
            ports: WorldPorts(from: 20_000, relays: WorldSize.hamlet.relays))
    }

    @Test("people the demo person follows made packs, others use them, and one is messy")
    func packs() throws {
        let world = try world()
        let packs = world.events.compactMap(EmojiSet.init)
        #expect(packs.count == 4 && packs.allSatisfy { $0.emoji.count >= 3 })
        let lists = world.events.filter { $0.kind == .emojiList }
        #expect(!lists.isEmpty && !lists.contains { $0.pubkey == world.people[world.hero].publicKey })
        let addresses = Set(packs.map(\.address))
        #expect(lists.allSatisfy { $0.tags.named("a").compactMap { $0.address(at: 1) }.allSatisfy(addresses.contains) })
    }

    @Test("two monitors tell of its relays, and every event is held somewhere it can be")
    func monitors() throws {
        let world = try world()
        let claims = world.events.compactMap(RelayDiscovery.init)
        #expect(Set(claims.map(\.monitor)).count == 2)
        #expect(claims.contains { $0.openTime != nil } && world.events.count == world.holders.count)
    }

    @Test("the same seed gives the same packs and claims")
    func same() throws {
        let (one, other) = (try world(), try world())
        let kinds: Set<Kind> = [.emojiSets, .emojiList, RelayDiscovery.kind]
        #expect(one.events.filter { kinds.contains($0.kind) } == other.events.filter { kinds.contains($0.kind) })
    }
}
