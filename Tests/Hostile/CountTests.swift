import AsyncPrimitives
import NostrCore
import NostrStore
import NostrTesting
import RelayServer
import Testing

@Suite("COUNT by strangers", .timeLimit(.minutes(10)))
struct CountTests {
    private let alice = TestPerson.alice.publicKey.hex
    private let bob = TestPerson.bob.publicKey.hex

    @Test(
        "tells nothing of private messages, however they are asked for",
        arguments: [
            Filter(), Filter(kinds: [1, 1059]), Filter(tags: ["p": [TestPerson.bob.publicKey.hex]]),
            Filter(authors: [TestPerson.eve.publicKey]), Filter(kinds: [1, 4], limit: 1),
        ])
    func privateMessages(filter: Filter) async throws {
        let store = MemoryEventStore(now: { attackMoment })
        let messages = [
            TestPerson.eve.event("sealed", kind: 1059, tags: [["p", bob]], at: attackMoment.seconds),
            TestPerson.eve.event("old", kind: 4, tags: [["p", bob]], at: attackMoment.seconds),
        ]
        _ = await store.save(messages, from: nil)
        let relay = try RelayUnderAttack(store, policies: .privateMessagesForPartiesOnly)
        let id = try subscription("n")
        await withThrowingTaskGroup(of: Void.self) { group in
            let stranger = relay.connect(in: &group)
            stranger.send(.count(id, [filter]))
            #expect(await stranger.receive() == .count(id, 0, approximate: false))
            // Whoever they are for counts them.
            let reader = relay.connect(in: &group)
            reader.send(.count(id, [Filter(kinds: [1059])]))
            #expect(await reader.receive() == .auth(challenge: "challenge"))
            guard case .closed(id, let reason)? = await reader.receive() else {
                Issue.record("a question for private messages alone is refused")
                return
            }
            #expect(reason.prefix == .authRequired)
            guard case .ok(_, accepted: true, _)? = await reader.authenticate(as: .bob) else {
                Issue.record("bob may prove who he is")
                return
            }
            reader.send(.count(id, [filter]))
            let number = messages.count { filter.matches($0) }
            #expect(await reader.receive() == .count(id, number, approximate: false))
            group.cancelAll()
        }
    }

    @Test("is refused where it would cost much, by name")
    func cost() async throws {
        let store = MemoryEventStore(now: { attackMoment })
        _ = await store.save((0..<11).map { TestPerson.eve.event("\($0)", at: attackMoment.seconds) }, from: nil)
        var limits = RelayLimits()
        limits.counted = 10
        let relay = try RelayUnderAttack(store, policies: .privateMessagesForPartiesOnly, limits: limits)
        let id = try subscription("n")
        await withThrowingTaskGroup(of: Void.self) { group in
            let client = relay.connect(in: &group)
            client.send(.count(id, [Filter()]))
            #expect(await client.receive() == .closed(id, Reason(.restricted, "too much to count; ask for less")))
            client.send(.count(id, [Filter(until: Timestamp(seconds: 0))]))
            #expect(await client.receive() == .count(id, 0, approximate: false))
            group.cancelAll()
        }
    }

    @Test("uses up the same allowance as questions, and a new connection brings no new one")
    func allowance() async {
        let policy = limitQuestions(to: TokenRate(burst: 2, refill: .seconds(1))) { .zero }
        func verdict(_ connection: UInt64, _ peer: String) async -> Verdict {
            await policy([], ClientContext(connection: connection, peer: peer, authenticated: [], now: attackMoment))
        }
        let refusal = Verdict.refuse(Reason(.rateLimited, "too many questions; wait a moment"))
        #expect(await verdict(1, "8.8.8.8") == .accept)
        #expect(await verdict(2, "8.8.8.8") == .accept)
        #expect(await verdict(3, "8.8.8.8") == refusal)
        #expect(await verdict(4, "2a02:1:2:3::1") == .accept)
        #expect(await verdict(5, "2a02:1:2:3::2") == .accept)
        #expect(await verdict(6, "2a02:1:2:3:ffff::") == refusal)
        // Behind a proxy on this machine there are many.
        for connection in 10..<20 as Range<UInt64> { #expect(await verdict(connection, "127.0.0.1") == .accept) }
    }
}
