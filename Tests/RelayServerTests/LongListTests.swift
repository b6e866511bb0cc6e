import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import Testing

/// The longest lists people have, and what is longer than that.
@Suite("A relay and long lists", .timeLimit(.minutes(10)))
struct LongListTests {
    let alice: Author

    init() throws { alice = try Author(1) }

    @Test("10 000 follows with relays and names are taken, and read back byte for byte")
    func follows() async throws {
        let name = "a name of thirty characters, ÿ"
        let tags = (0..<10_000).map { follow($0, relay: "wss://relay.example.com/", name: name) }
        let list = alice.sign("", kind: 3, tags: tags)
        #expect(list.unverified.json.count > 1_300_000)
        try await withRelay(clients: 2) { clients in
            #expect(await clients[0].publish(list) == .ok(list.id, accepted: true, fine))
            let id = try sub(String(repeating: "s", count: 64))
            clients[1].send(.req(id, [Filter(kinds: [3])]))
            #expect(await clients[1].receiveAnswer(id) == [.event(id, list.unverified), .eose(id)])
        }
    }

    @Test("what is longer is refused with the limit, and the connection goes on")
    func tooLong() async throws {
        let limits = RelayLimits()
        let many = alice.sign("", kind: 3, tags: (0...limits.eventTags).map { follow($0) })
        let long = alice.sign(String(repeating: "x", count: limits.messageLength), kind: 3)
        try await withRelay { clients in
            for event in [many, long] {
                clients[0].send(.event(event.unverified))
                let answer = try #require(await clients[0].receive())
                let limit = event == many ? limits.eventTags : limits.messageLength
                #expect(String(decoding: answer.json, as: UTF8.self).contains("\(limit)"))
                if case .ok(_, accepted: true, _) = answer { Issue.record("it was taken") }
            }
            let short = alice.sign("", kind: 3, tags: [follow(1)])
            #expect(await clients[0].publish(short) == .ok(short.id, accepted: true, fine))
            let id = try sub("all")
            clients[0].send(.req(id, [Filter()]))
            #expect(await clients[0].receiveAnswer(id) == [.event(id, short.unverified), .eose(id)])
        }
    }

    @Test("the document says what is taken")
    func stated() {
        let limits = RelayLimits()
        #expect(limits.messageLength >= 1_400_000 && limits.eventTags > 10_000)
        // With the id of a subscription before it, what a relay took is still read by whoever keeps the default limits.
        #expect(limits.messageLength + 100 <= ParseLimits().bytes && limits.eventTags <= ParseLimits().tags)
    }

    private func follow(_ number: Int, relay: String? = nil, name: String? = nil) -> NostrCore.Tag {
        let digits = String(number, radix: 16)
        let key = String(repeating: "0", count: 64 - digits.utf8.count) + digits
        return NostrCore.Tag(["p", key] + [relay, name].compactMap(\.self))
    }
}
