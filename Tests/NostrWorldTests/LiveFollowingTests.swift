import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("Who turns to the demo person while the world runs", .timeLimit(.minutes(10)))
struct LiveFollowingTests {
    private func written(seed: UInt64) throws -> [Event] {
        let world = try WorldTests.town.get()
        let lines = world.events.filter { $0.kind == LiveChatMessage.kind }.suffix(1)
            .map { Written(event: $0, author: 1, alsoAt: [0]) }
        let address = try #require(lines.first.flatMap { LiveChatMessage($0.event) }).activity
        var random = Dice(seed: 9)
        let own = Event(
            signing: LiveChatMessage.draft(in: address, text: "good morning", createdAt: testNow),
            with: world.heroPerson.keyholder.key, using: &random)
        var following = LiveFollowing(world, seed: seed)
        var written: [Written] = []
        for step in 0..<1500 {
            following.live(at: testNow + .seconds(60 + Int64(step)), posts: [own], lines: lines)
            written += following.takeWritten()
        }
        return written.map(\.event)
    }

    @Test("strangers begin to follow, keep whom they followed, and change their lists again")
    func follows() throws {
        let world = try WorldTests.town.get()
        let hero = world.heroPerson.publicKey
        let lists = try written(seed: 3).filter { $0.kind == FollowList.kind }
        let before = Set(world.graph.followers[world.hero].map { world.people[$0].publicKey })
        #expect(lists.count > 3 && lists.allSatisfy { !before.contains($0.pubkey) })
        for (author, versions) in Dictionary(grouping: lists, by: \.pubkey) {
            let old = world.events.last { $0.kind == FollowList.kind && $0.pubkey == author }
            let tags = old?.tags ?? []
            #expect(versions.allSatisfy { Array($0.tags.prefix(tags.count)) == tags })
            #expect(versions.first?.tags.last?.value == hero.hex)
        }
    }

    @Test("lines of the demo person are answered once, and they are called in chats; the same seed does the same")
    func chats() throws {
        let world = try WorldTests.town.get()
        let hero = world.heroPerson.publicKey
        let events = try written(seed: 4)
        let lines = events.filter { $0.kind == LiveChatMessage.kind }
        #expect(lines.count { LiveChatMessage($0)?.replyTo != nil } == 1)
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { $0.tags.named("p").contains { $0.value == hero.hex } && $0.pubkey != hero })
        let again = try written(seed: 4)
        #expect(again.map(\.id) == events.map(\.id))
    }
}
