import AccountTesting
import Marmot
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// People who publish no lists of relays, as Whistle's do not.
@Suite(.timeLimit(.minutes(10)))
struct UnlistedMemberTests {
    let bench = MailBench.withCircles()

    /// Alice with an inbox list, and Bob without any list.
    private func people() async throws -> (alice: MailPerson, bob: MailPerson) {
        bench.network.put([TestPerson.alice.inboxList("alice")], on: relay("index"))
        let (alice, bob) = (bench.person(.alice), bench.person(.bob) { $0.tendsInbox = false })
        try await alice.unlock()
        try await bob.unlock()
        return (alice, bob)
    }

    @Test("who asks and has no lists is welcomed where the circle is")
    func asking() async throws {
        let (alice, bob) = try await people()
        try await bench.running(alice, bob) {
            try await bench.eventually("lists are known") { await !alice.account.state().inbox.isEmpty }
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("fallback")])
            try await bench.join(bob, id, of: alice)
            try await bob.circles.messaging.send("here I am", replyTo: nil, in: id)
            try await bench.eventually("alice reads it") { try await alice.lines(id) == ["here I am"] }
        }
    }

    @Test("who has no lists is added by a key package on a relay that one uses")
    func adding() async throws {
        let (alice, bob) = try await people()
        try await bench.running(alice, bob) {
            try await bench.eventually("lists are known") { await !alice.account.state().inbox.isEmpty }
            // Who has a circle has published a key package.
            _ = try await bob.circles.membership.create("Work", about: "", relays: [relay("circle")])
            try await bench.eventually("it is there") {
                bench.network.offers.contains { $0.event.kind == .keyPackage && $0.relay == relay("fallback") }
            }
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("fallback")])
            try await alice.circles.membership.add([bob.key], to: id)
            try await bench.eventually("bob is asked") { try await !bob.circles.reader.overview().invitations.isEmpty }
        }
    }

    @Test("a key package of who chose no relays names none that others cannot reach, and lies on none")
    func unreachable() async throws {
        let near = try RelayURL("ws://192.168.1.5:7777")
        let bob = bench.person(.bob) {
            $0.tendsInbox = false
            $0.routing.fallback = [near, relay("fallback")]
        }
        try await bob.unlock()
        try await bench.running(bob) {
            _ = try await bob.circles.membership.create("Work", about: "", relays: [relay("circle")])
            try await bench.eventually("it is there") {
                bench.network.offers.contains { $0.event.kind == .keyPackage && $0.relay == relay("fallback") }
            }
        }
        let offers = bench.network.offers.filter { $0.event.kind == .keyPackage }
        #expect(!offers.contains { $0.relay == near || $0.event.tags.contains { $0.elements.contains(near.text) } })
    }

    @Test("a Welcome for who has an inbox list does not go where the circle is")
    func listed() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            try await bench.eventually("lists are known") {
                let (one, other) = (await alice.account.state().inbox, await bob.account.state().inbox)
                return !one.isEmpty && !other.isEmpty
            }
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            try await bench.join(bob, id, of: alice)
        }
        let wraps = bench.network.offers.filter { $0.event.kind == GiftWrap.kind }
        #expect(!wraps.isEmpty && !wraps.contains { $0.relay == relay("circle") })
    }
}
