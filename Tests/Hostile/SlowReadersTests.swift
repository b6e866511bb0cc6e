import NostrCore
import NostrStore
import NostrTesting
import RelayServer
import Testing

@Suite("Clients that do not read", .timeLimit(.minutes(10)))
struct SlowReadersTests {
    @Test("cost a page of each answer, not the answers, and hold nobody up")
    func storedAnswers() async throws {
        let (count, size) = (800, 10_000)
        let store = CountingStore()
        let text = String(repeating: "x", count: size)
        let events = (0..<count).map { TestPerson.alice.event(text, at: attackMoment.seconds - Int64($0)) }
        _ = try await store.save(events, from: nil)
        var limits = RelayLimits()
        limits.answerBytes = 64 * 1024
        let relay = try RelayUnderAttack(store, limits: limits)
        let questions = try (0..<6).map { number in
            ClientMessage.req(try subscription("\(number)"), [Filter(kinds: [1], limit: 5000)])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { relay.connectDeaf(saying: questions, in: &group) }
            let reader = relay.connect(in: &group)
            for round in 0..<3 {
                reader.send(.req(try subscription("round \(round)"), [Filter(kinds: [1], limit: 5000)]))
                #expect(await reader.countEvents() == count)
            }
            let wanted = 3 * count * size
            // Of six questions each two pages at most: one that waits to be sent, one that was sent in part. The answers
            // themselves would be 960 MB.
            #expect(store.bytes - wanted <= 20 * 6 * 2 * limits.answerBytes)
            group.cancelAll()
        }
    }

    @Test("that listen lose their subscriptions before they cost more than all may together")
    func liveEvents() async throws {
        let store = MemoryEventStore(now: { attackMoment })
        var limits = RelayLimits()
        limits.answerBytes = 20_000
        limits.waitingBytesInAll = 100_000
        let relay = try RelayUnderAttack(store, limits: limits)
        let text = String(repeating: "x", count: 1000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await relay.server.run() }
            for _ in 0..<20 {
                relay.connectDeaf(saying: [.req(try subscription("live"), [Filter(kinds: [1])])], in: &group)
            }
            let reader = relay.connect(in: &group)
            let writer = relay.connect(in: &group)
            let live = try subscription("live")
            reader.send(.req(live, [Filter(kinds: [1])]))
            #expect(await reader.receive() == .eose(live))
            for number in 0..<200 {
                let event = TestPerson.alice.event(text + "\(number)", at: attackMoment.seconds)
                writer.send(.event(event.unverified))
                #expect(await writer.receive() == .ok(event.id, accepted: true, Reason(nil, "")))
                #expect(await reader.receive() == .event(live, event.unverified))
                // Each client's own share, and one frame more; what is lent beyond that comes out of the sum.
                #expect(relay.server.waitingBytes <= limits.waitingBytesInAll + 22 * (limits.answerBytes + 2000))
            }
            group.cancelAll()
        }
    }

    @Test("cannot fill memory with questions")
    func questions() async throws {
        var limits = RelayLimits()
        limits.questionBytes = 10_000
        let relay = try RelayUnderAttack(MemoryEventStore(now: { attackMoment }), limits: limits)
        let (small, large) = (try subscription("small"), try subscription("large"))
        let authors = try Set((0..<200).map { PublicKey(try Bytes32([UInt8](repeating: $0, count: 32).span)) })
        await withThrowingTaskGroup(of: Void.self) { group in
            let client = relay.connect(in: &group)
            client.send(.req(small, [Filter(kinds: [1])]))
            #expect(await client.receive() == .eose(small))
            client.send(.req(large, [Filter(authors: authors)]))
            #expect(await client.receive() == .closed(large, Reason(.rateLimited, "at most 10000 bytes of questions")))
            group.cancelAll()
        }
    }
}
