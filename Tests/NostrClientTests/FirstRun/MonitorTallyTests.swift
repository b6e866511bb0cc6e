import AccountTesting
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

/// Choosing relays by what monitors found out (NIP-66).
struct MonitorTallyTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    private func claim(_ name: String, by number: Int, ms: Int?, at offset: Int64 = -60, _ more: [NostrCore.Tag] = [])
        -> Event
    {
        let time = ms.map { [NostrCore.Tag(["rtt-open", "\($0)"])] } ?? []
        return stranger(number).event(
            kind: 30_166, tags: [["d", "wss://\(name).example"]] + time + more, at: now.seconds + offset)
    }

    private func relays(_ events: [Event]) -> [RelayURL] {
        var tally = MonitorTally(now: now)
        for event in events { tally.count(event) }
        return tally.candidates { _ in true }.map(\.relay)
    }

    @Test("those that most monitors reached come first, then the fastest")
    func order() {
        let events = [
            claim("slow", by: 1, ms: 900), claim("fast", by: 1, ms: 20), claim("both", by: 1, ms: 950),
            claim("both", by: 2, ms: 990),
        ]
        #expect(relays(events) == [relay("both"), relay("fast"), relay("slow")])
    }

    @Test("the newest claim of a monitor counts; old ones, those of the future and other events do not")
    func newest() {
        let events = [
            claim("gone", by: 1, ms: 5, at: -600), claim("gone", by: 1, ms: nil, at: -60),
            claim("gone", by: 1, ms: 5, at: -700), claim("old", by: 1, ms: 5, at: -4 * 86_400),
            claim("future", by: 1, ms: 5, at: 86_400),
            stranger(1).event(
                kind: 10_002, tags: [["d", "wss://other.example"], ["rtt-open", "3"]], at: now.seconds),
        ]
        #expect(relays(events) == [])
    }

    @Test(
        "relays that are of no use to somebody new are left out",
        arguments: [
            [["R", "auth"]], [["R", "payment"]], [["R", "writes"]], [["R", "pow"]], [["n", "tor"]], [["n", "i2p"]],
        ] as [[NostrCore.Tag]])
    func ofNoUse(tags: [NostrCore.Tag]) {
        #expect(relays([claim("x", by: 1, ms: 5, tags)]) == [])
    }

    @Test("what does not hold is no reason against a relay")
    func negated() {
        #expect(
            relays([claim("x", by: 1, ms: 5, [["R", "!auth"], ["R", "!payment"], ["n", "clearnet"]])]) == [relay("x")])
    }

    @Test("one monitor can claim so much and no more")
    func bounded() {
        let many = (0..<1200).map { claim("r\($0)", by: 1, ms: 5) }
        #expect(relays(many).count == 1000)
    }
}
