import AccountTesting
import Marmot
import NostrCore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// How far one's own events of a circle have come.
@Suite(.timeLimit(.minutes(10)))
struct CircleDeliveryTests {
    let bench = MailBench.withCircles()
    private let wants = Reason(.authRequired, "who are you")

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
    /// Whether a relay's question about a circle stands where the person answers.
    private func isAsked(_ person: MailPerson, by relay: RelayURL) async throws -> Bool {
        let question = RelayConsentEntry(relay: relay, answer: nil, reasons: [.circle])
        return try await person.account.relayConsents().contains(question)
    }

    @Test("what a circle's relay takes only from somebody it knows waits for the person, and is sent after a yes")
    func consent() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        try await alice.unlock()
        bench.network.set(relay("circle"), .readOnly(wants))
        let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
        try await alice.circles.messaging.send("hello", replyTo: nil, in: id)
        try await bench.running(alice) {
            try await bench.eventually("the question is there") { try await isAsked(alice, by: relay("circle")) }
            let first = bench.network.offers.first { $0.relay == relay("circle") && $0.event.kind == .groupEvent }
            let said = try #require(first)
            var looks = 0
            try await bench.eventually("many hours pass") {
                bench.clock.advance(by: .seconds(600))
                looks += 1
                return looks == 100
            }
            #expect(bench.network.offers.count { $0 == said } == 1)
            #expect(try await alice.circles.reader.health(of: id).unsent == 1)
            bench.network.set(relay("circle"), .answers)
            try await alice.account.answer(.always, for: relay("circle"))
            try await bench.eventually("it is sent") { try await alice.circles.reader.health(of: id).unsent == 0 }
        }
    }

    @Test("a change waits for the person's answer to the circle's relay, and is made after a yes")
    func change() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            bench.network.set(relay("circle"), .readOnly(wants))
            var edit = CircleEdit()
            edit.name = "The house"
            try await alice.circles.administration.edit(id, edit)
            try await bench.eventually("the question is there") { try await isAsked(alice, by: relay("circle")) }
            bench.network.set(relay("circle"), .answers)
            try await alice.account.answer(.always, for: relay("circle"))
            try await bench.eventually("it is made") {
                bench.clock.advance(by: .seconds(1))
                return try await alice.circles.reader.health(of: id).epoch == 1
            }
            #expect(try await alice.circles.reader.health(of: id).troubles.isEmpty)
        }
    }

    @Test("what nothing could sign for a circle's relay is sent when the signer is there again")
    func unsigned() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        try await alice.unlock()
        bench.network.set(relay("circle"), .asksWho)
        try await alice.account.answer(.always, for: relay("circle"))
        let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
        try await alice.circles.messaging.send("hello", replyTo: nil, in: id)
        try await bench.running(alice) {
            try await bench.eventually("it was tried") {
                bench.network.offers.contains { $0.relay == relay("circle") }
            }
            bench.network.set(relay("circle"), .answers)
            try await bench.eventually("it is sent") {
                // The relay's answer may not be noted yet.
                await alice.account.signerDidReturn()
                return try await alice.circles.reader.health(of: id).unsent == 0
            }
        }
    }

    @Test("a circle's relay that shows nothing to strangers asks the person, before anything is sent there")
    func reading() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        try await alice.unlock()
        bench.network.set(relay("circle"), .refuses(wants))
        try await bench.running(alice) {
            _ = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            try await bench.eventually("the question is there") { try await isAsked(alice, by: relay("circle")) }
            #expect(!bench.network.offers.contains { $0.relay == relay("circle") })
        }
    }
}
