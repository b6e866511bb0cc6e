import NostrCore
import NostrTesting
import Testing

private let id = EventID(TestPerson.alice.publicKey.bytes)
private let filter = Filter(
    ids: [id], authors: [TestPerson.bob.publicKey, TestPerson.carol.publicKey], kinds: [1, 30_023, 0],
    tags: ["e": ["x", "\"quoted\"\n"], "E": ["y"]], since: Timestamp(seconds: 5), until: Timestamp(seconds: 9),
    limit: 20, search: "näive \u{1} 🦜")

private func subscription() throws -> SubscriptionID {
    try #require(SubscriptionID("sub \"1\""))
}

@Suite("messages")
struct MessageTests {
    @Test("every client message comes back from its JSON")
    func clientRoundTrip() throws {
        let event = TestPerson.alice.event("hi\u{1}\u{7F}\\", tags: [["e", "a"], []]).unverified
        let messages: [ClientMessage] = [
            .event(event), .auth(event), .close(try subscription()), .req(try subscription(), [filter, Filter()]),
            .count(try subscription(), [Filter(ids: [])]),
        ]
        for message in messages { #expect(try ClientMessage(json: message.json) == message) }
    }

    @Test("every relay message comes back from its JSON")
    func relayRoundTrip() throws {
        let event = TestPerson.alice.event("hi").unverified
        let messages: [RelayMessage] = [
            .event(try subscription(), event), .ok(id, accepted: true, Reason(nil, "")),
            .ok(id, accepted: false, Reason(.rateLimited, "slow down")), .eose(try subscription()),
            .closed(try subscription(), Reason(.authRequired, "who are you?")), .notice("\u{2028} hello"),
            .auth(challenge: "abc"), .count(try subscription(), 7, approximate: false),
            .count(try subscription(), 0, approximate: true),
        ]
        for message in messages { #expect(try RelayMessage(json: message.json) == message) }
    }

    @Test("the scan finds subscription and id wherever the id stands")
    func scans() throws {
        let event = TestPerson.alice.event(#"{"id":"no"} [ ] \ "#, tags: [["id", "{\"id\":1}"]]).unverified
        let frame = RelayMessage.event(try subscription(), event).json
        #expect(scanEvent(inRelayFrame: frame) == ScannedEvent(subscription: try subscription(), id: event.id))
        let moved = String(decoding: frame, as: UTF8.self).replacing("\"id\":\"\(event.id.hex)\",", with: "")
            .replacing("}]", with: #","x":{"id":2},"\u0069d":"\#(event.id.hex)"}]"#)
        #expect(try RelayMessage(json: Array(moved.utf8)) == .event(try subscription(), event))
        #expect(scanEventID(inRelayFrame: Array(moved.utf8)) == event.id)
    }
}
