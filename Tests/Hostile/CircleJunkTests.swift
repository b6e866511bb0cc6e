import AccountTesting
import Circles
import NostrClient
import NostrCore
import NostrTesting
import Testing

@Suite("Junk in circles", .timeLimit(.minutes(10)))
struct CircleJunkTests {
    private let attack = CircleUnderAttack()
    private var bench: MailBench { attack.bench }

    /// Alice and Bob, in a circle that a stranger knows of.
    private func attacked(
        _ body: (MailPerson, MailPerson, CircleID, inout Stranger) async throws -> Void
    ) async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        for person in [alice, bob] { try await person.unlock() }
        try await bench.running(alice, bob) {
            let id = try await attack.found(alice, bob)
            var stranger = try #require(await Stranger(attack))
            try await body(alice, bob, id, &stranger)
        }
    }

    @Test("a quiet circle: nobody is out of step, keys are renewed, and what is said at last arrives")
    func quiet() async throws {
        try await attacked { alice, bob, id, stranger in
            let began = try await alice.circles.reader.health(of: id).epoch
            var quarters = 0
            try await bench.eventually("both have renewed their keys") {
                // For ten days, four times a day.
                quarters += 1
                if quarters <= 40 { stranger.post(7) }
                bench.clock.advance(by: .seconds(6 * 3600))
                let (one, other) = (
                    try await alice.circles.reader.health(of: id), try await bob.circles.reader.health(of: id)
                )
                return min(one.epoch, other.epoch) >= began + 2
            }
            stranger.post(21)
            try await alice.circles.messaging.send("after all", replyTo: nil, in: id)
            try await bench.eventually("bob reads it") { try await bob.lines(id) == ["after all"] }
            try await expectInStep([alice, bob], id)
            #expect(try await bob.circles.reader.health(of: id).unopened > 20)
        }
    }

    @Test("a busy circle: every line and place arrives among hundreds of events of strangers")
    func busy() async throws {
        try await attacked { alice, bob, id, stranger in
            let place = try #require(LocationPayload(latitude: 1, longitude: 2, accuracy: 3, sentAt: bench.now))
            for number in 0..<10 {
                stranger.post(14)
                let speaker = number.isMultiple(of: 2) ? alice : bob
                try await speaker.circles.messaging.send("\(number)", replyTo: nil, in: id)
                if number == 5 { try await alice.circles.messaging.send(place, in: id) }
                stranger.post(7)
                bench.clock.advance(by: .seconds(20))
            }
            for person in [alice, bob] {
                try await bench.eventually("\(person.who) reads all") {
                    Set(try await person.lines(id)) == Set((0..<10).map(String.init))
                }
            }
            try await bench.eventually("bob sees where alice is") {
                try await bob.circles.reader.page(of: id, before: nil, limit: 1).members.contains {
                    $0.id == alice.key && $0.place != nil
                }
            }
            try await expectInStep([alice, bob], id)
        }
    }

    private func expectInStep(_ people: [MailPerson], _ id: CircleID) async throws {
        // Who renews a key is a moment ahead of the others.
        try await bench.eventually("all are in the same epoch") {
            var fingerprints: Set<String> = []
            for person in people { fingerprints.insert(try await person.circles.reader.health(of: id).fingerprint) }
            return fingerprints.count == 1
        }
        for person in people {
            let health = try await person.circles.reader.health(of: id)
            #expect(!health.isOutOfStep)
            let requests = try await person.circles.reader.page(of: id, before: nil, limit: 1).requests
            #expect(requests.isEmpty, "Nobody asks to be let in again.")
        }
    }
}
