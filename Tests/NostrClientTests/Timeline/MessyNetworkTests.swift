import AccountTesting
import NostrClient
import NostrCore
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// A network as messy as the real one: a third of it dead, some of it silent or closed.
@Suite(.timeLimit(.minutes(10)))
struct MessyNetworkTests {
    @Test(
        "whatever the broken relays are, everything that a readable relay of an author's list holds arrives",
        arguments: 0..<8)
    func completeness(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed) + 40)
        let bench = AccountBench()
        let people: [TestPerson] = [.bob, .carol, .dave, .eve]
        let relays = (0..<16).map { relay("r\($0)") }
        var readable: Set<RelayURL> = []
        for relay in relays {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3: bench.network.set(relay, .dead)
            case 3: bench.network.set(relay, .silent)
            case 4: bench.network.set(relay, .refuses(Reason(.authRequired, "members only")))
            default: readable.insert(relay)
            }
        }
        var expected: Set<EventID> = []
        bench.network.put(
            [TestPerson.alice.event(kind: 3, tags: people.map { ["p", $0.publicKey.hex] })], on: relay("index"))
        for person in people {
            let list = Array(relays.shuffled(using: &random).prefix(5))
            bench.network.put(
                [person.event(kind: 10_002, tags: list.map { ["r", $0.text] })], on: relay("index"))
            let notes = (0..<10).map { person.event("note \($0)", at: seconds(-100 - Int64($0))) }
            for relay in list { bench.network.put(notes, on: relay) }
            if !readable.isDisjoint(with: list) { expected.formUnion(notes.map(\.id)) }
        }
        try await bench.running {
            try await bench.eventually("all of \(expected.count) notes arrive") {
                // Time passes, so that silent relays meet their deadlines.
                bench.clock.advance(by: .milliseconds(100))
                return await bench.store.query([Filter(ids: expected)]).count == expected.count
            }
        }
    }

    @Test("a forged list of relays in other people's names cannot make this machine knock on its own doors")
    func privateAddresses() async throws {
        let bench = AccountBench()
        bench.network.put(
            [
                TestPerson.alice.event(kind: 3, tags: [["p", TestPerson.bob.publicKey.hex]]),
                TestPerson.bob.event(
                    kind: 10_002,
                    tags: [["r", "ws://127.0.0.1:22"], ["r", "ws://10.0.0.1"], ["r", "wss://bob.example"]]),
                TestPerson.alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]]),
            ], on: relay("index"))
        let note = TestPerson.bob.event(
            "x", tags: [["q", String(repeating: "ab", count: 32), "ws://192.168.1.1"]], at: seconds(-50))
        bench.network.put([note], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("the note arrives") { try await bench.home().count == 1 }
            try await bench.eventually("the quote was asked for") {
                bench.network.questions.contains { $0.filters.contains { $0.ids != nil } }
            }
            _ = try await bench.account.timeline.thread(note.id, hints: [try RelayURL("ws://localhost:4869")])
            try await bench.eventually("the thread was asked for") {
                bench.network.questions.contains { $0.filters.contains { $0.tags["e"]?.contains(note.id.hex) == true } }
            }
        }
        #expect(bench.network.questions.allSatisfy { !$0.relay.isPrivate })
    }
}
