import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

@Suite("Relays of key packages (MIP-00)") struct KeyPackageRelaysTests {
    @Test("reads, writes and keeps what it does not know")
    func list() throws {
        let event = TestPerson.bob.event(
            kind: 10_051,
            tags: [
                ["relay", "wss://a.example.com/"], ["alt", "x"], ["relay", "nonsense"],
                ["relay", "wss://a.example.com"],
            ]
        )
        var list = try #require(KeyPackageRelays(event))
        #expect(list.relays.map(\.text) == ["wss://a.example.com"])
        let (a, b) = (try RelayURL("wss://a.example.com"), try RelayURL("wss://b.example.com"))
        list.set([b, a])
        let draft = list.draft(now: event.createdAt)
        #expect(draft.createdAt > event.createdAt && draft.kind == 10_051)
        #expect(
            draft.tags == [["relay", "wss://b.example.com"], ["relay", "wss://a.example.com"], ["alt", "x"]])
        #expect(KeyPackageRelays(TestPerson.bob.event(kind: 10_002)) == nil)
    }

    @Test("who names no relays for them has them where they write")
    func fallback() throws {
        let general = RelayList(
            TestPerson.bob.event(
                kind: 10_002, tags: [["r", "wss://w.example.com", "write"], ["r", "wss://r.example.com", "read"]]))
        let own = KeyPackageRelays([try RelayURL("wss://a.example.com")])
        #expect(KeyPackageRelays.relays(own, else: general).map(\.text) == ["wss://a.example.com"])
        for list in [nil, KeyPackageRelays()] {
            #expect(KeyPackageRelays.relays(list, else: general).map(\.text) == ["wss://w.example.com"])
        }
        #expect(KeyPackageRelays.relays(nil, else: nil).isEmpty)
    }
}
