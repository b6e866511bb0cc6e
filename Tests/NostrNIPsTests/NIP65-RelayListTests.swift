import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-65 relay list")
struct RelayListTests {
    private let messy: [Tag] = [
        ["r", "wss://a.example.com"], ["r", "WSS://B.example.com:443/", "write"], ["r", "http://no.example.com"],
        ["r", "wss://b.example.com", "read"], ["r", "wss://c.example.com", "read"], ["r"], ["alt", "relays"],
        ["r", "wss://d.example.com", "maybe"], ["r", "wss://e.example.com:7000", ""],
    ]

    @Test("normalises, merges duplicates and drops garbage on reading")
    func reads() throws {
        let list = try #require(RelayList(TestPerson.alice.event(kind: 10_002, tags: messy)))
        #expect(
            list.entries.map(\.relay.text) == [
                "wss://a.example.com", "wss://b.example.com", "wss://c.example.com", "wss://e.example.com:7000",
            ])
        #expect(list.entries.map(\.usage) == [.both, .both, .read, .both])
        #expect(list.writeRelays.map(\.host) == ["a.example.com", "b.example.com", "e.example.com"])
        #expect(list.readRelays.count == 4)
    }

    @Test("a change keeps what it does not touch, in place")
    func changes() throws {
        var list = try #require(RelayList(TestPerson.alice.event("x", kind: 10_002, tags: messy)))
        list.set(try RelayURL("wss://b.example.com"), .write)
        list.set(try RelayURL("wss://c.example.com"), [])
        list.set(try RelayURL("wss://new.example.com"), .read)
        list.set(try RelayURL("wss://a.example.com"), .both)
        #expect(
            list.tags == [
                messy[0], ["r", "wss://b.example.com", "write"], messy[2], messy[5], messy[6], messy[7], messy[8],
                ["r", "wss://new.example.com", "read"],
            ])
        #expect(list.difference.dropped.count == 3)
        #expect(list.draft(now: moment).content == "x")
        var random = SeededRandom(seed: 1)
        let again = Event(signing: list.draft(now: moment), with: TestPerson.alice.secretKey, using: &random)
        #expect(RelayList(again)?.entries == list.entries)
    }
}
