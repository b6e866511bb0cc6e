import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("What people notice while the world runs", .timeLimit(.minutes(10)))
struct LiveAttentionTests {
    private let later = testNow + .seconds(600)

    private func written(seed: UInt64) throws -> [Written] {
        let world = try WorldTests.town.get()
        let posts = world.events.filter { $0.pubkey == world.heroPerson.publicKey && $0.kind == 1 }.suffix(5)
        let lines = world.events.filter { $0.kind == LiveChatMessage.kind }.suffix(1)
            .map { Written(event: $0, author: 1, alsoAt: [0]) }
        var attention = LiveAttention(world, seed: seed)
        var written: [Written] = []
        for _ in 0..<300 {
            attention.live(at: later, posts: Array(posts), lines: lines)
            written += attention.takeWritten()
        }
        return written
    }

    @Test("polls get votes, posts of the demo person and lines of chats get reactions")
    func everything() throws {
        let world = try WorldTests.town.get()
        let events = try written(seed: 3).map(\.event)
        let polls = Dictionary(
            world.events.compactMap { Poll($0) }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let votes = events.compactMap { PollResponse($0) }
        #expect(!votes.isEmpty)
        #expect(votes.allSatisfy { vote in polls[vote.poll].map { !vote.chosen(in: $0).isEmpty } ?? false })
        let reactions = events.compactMap { Reaction($0) }
        #expect(reactions.contains { $0.target.author == world.heroPerson.publicKey && $0.target.kind == 1 })
        #expect(reactions.contains { $0.target.kind == LiveChatMessage.kind && $0.address?.kind == LiveActivity.kind })
        #expect(events.allSatisfy { $0.pubkey != world.heroPerson.publicKey && $0.createdAt == later })
    }

    @Test("what was just posted is left alone for a while, and the same seed does the same")
    func pauses() throws {
        let world = try WorldTests.town.get()
        let post = try #require(world.events.last { $0.kind == 1 })
        var attention = LiveAttention(world, seed: 4)
        for _ in 0..<300 { attention.live(at: post.createdAt + .seconds(60), posts: [post], lines: []) }
        #expect(attention.takeWritten().allSatisfy { Reaction($0.event) == nil })
        let (once, again) = (try written(seed: 5), try written(seed: 5))
        #expect(once.map(\.event.id) == again.map(\.event.id))
    }
}
