import AccountTesting
import NostrCore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// How far one's own events of a circle have come.
@Suite(.timeLimit(.minutes(10)))
struct CircleDeliveryTests {
    let bench = MailBench.withCircles()

    @Test("what was said counts as unsent until a relay has it, from the first moment on")
    func unsent() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        try await alice.unlock()
        let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
        try await alice.circles.messaging.send("hello", replyTo: nil, in: id)
        // Nothing has been at work yet.
        #expect(try await alice.circles.reader.health(of: id).unsent == 1)
        let line = try #require(try await alice.circles.reader.page(of: id, before: nil, limit: 1).lines.last)
        #expect(line.delivery == Note.Acceptance(accepted: 0, asked: 1))
        try await bench.running(alice) {
            try await bench.eventually("it is sent") { try await alice.circles.reader.health(of: id).unsent == 0 }
        }
        #expect(bench.network.offers.contains { $0.relay == relay("circle") })
        let sent = try #require(try await alice.circles.reader.page(of: id, before: nil, limit: 1).lines.last)
        #expect(sent.delivery == Note.Acceptance(accepted: 1, asked: 1))
    }
}
