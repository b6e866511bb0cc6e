import AccountTesting
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Inbox relays that ask for more work than a message was sent with.
@Suite(.timeLimit(.minutes(10)))
struct StrictInboxTests {
    let bench = MailBench()

    private func wraps(at name: String) -> [Event] {
        bench.network.offers.filter { $0.relay == relay(name) && $0.event.kind == GiftWrap.kind }.map(\.event)
    }

    @Test("the first message to somebody whose inbox is not known yet carries the work that it asks for")
    func unknownInbox() async throws {
        bench.layOut(.alice, .bob)
        bench.network.require(work: 15, at: relay("bob"))
        bench.network.refuse(lessThan: 15, at: relay("bob"))
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        // Written before anything was looked up.
        let sent = try await alice.write("the very first", to: .bob)
        try await bench.running(alice, bob) {
            try await bench.eventually("bob has it") { try await bob.texts(with: .alice) == ["the very first"] }
            try await bench.eventually("it is delivered") {
                guard case .accepted = try await alice.messages.receipts(of: sent.id).first?.relays.first?.state else {
                    return false
                }
                return true
            }
            let receipts = try await alice.messages.receipts(of: sent.id)
            #expect(receipts.map(\.recipient.key) == [bob.key, alice.key])
        }
        // Nothing was offered that could only be refused.
        let offered = wraps(at: "bob")
        #expect(offered.count == 1)
        #expect(offered.allSatisfy { ProofOfWork($0).meets(15, commitmentRequired: true) })
    }

    @Test(
        "a relay that refuses for want of work is offered more: as much as it names, else a little more each time",
        arguments: [("14 bits needed", 14, 2), ("difficulty 4 is less than 13", 13, 2), ("no", 12, 3)])
    func refused(words: String, bits: Int, offers: Int) async throws {
        bench.layOut(.alice, .bob)
        bench.network.refuse(lessThan: bits, at: relay("bob"), saying: words)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await alice.account.mining.setPolicy(WorkPolicy(wraps: 4))
        try await bench.running(alice, bob) {
            let sent = try await alice.write("hello", to: .bob)
            try await bench.eventually("bob has it") { try await bob.texts(with: .alice) == ["hello"] }
            try await bench.eventually("there is one receipt for each") {
                try await alice.messages.receipts(of: sent.id).map(\.recipient.key) == [bob.key, alice.key]
            }
        }
        let offered = wraps(at: "bob")
        #expect(offered.count == offers)
        #expect(Set(offered.map(\.pubkey)).count == 1, "the seal stays in its wrap")
        // After a restart nothing of it is left to be offered.
        let again = bench.person(.alice, records: alice.records)
        try await again.unlock()
        try await bench.running(again) {
            _ = try await again.write("later", to: .bob)
            try await bench.eventually("bob has both") { self.wraps(at: "bob").count > offers }
        }
        #expect(Set(wraps(at: "bob").dropFirst(offers).map(\.pubkey)).isDisjoint(with: offered.map(\.pubkey)))
    }

    @Test("a relay that says late what it asks for brings no wrap back that another took the place of")
    func lateWord() async throws {
        let (quick, slow) = (relay("quick"), relay("slow"))
        bench.layOut(.alice)
        bench.network.put([TestPerson.bob.inboxList("quick", "slow")], on: relay("index"))
        bench.network.put(
            [TestPerson.bob.event(kind: 10_002, tags: [["r", "wss://bob.example"]])], on: relay("index"))
        for strict in [quick, slow] { bench.network.refuse(lessThan: 8, at: strict, saying: "8 bits needed") }
        let offers: @Sendable (RelayURL) -> Int = { [weak network = bench.network] place in
            network?.offers.count { $0.relay == place && $0.event.kind == GiftWrap.kind } ?? .max
        }
        // Both have refused the first wrap before anything is done, and one says more only when it has the second.
        bench.network.delayWork(at: quick) { offers(slow) >= 1 }
        bench.network.delayWork(at: slow) { offers(slow) >= 2 }
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await alice.account.mining.setPolicy(WorkPolicy(wraps: 4))
        try await bench.running(alice, bob) {
            let sent = try await alice.write("hello", to: .bob)
            try await bench.eventually("bob has it") { try await bob.texts(with: .alice) == ["hello"] }
            try await bench.eventually("it was offered again to both") { offers(quick) >= 2 && offers(slow) >= 2 }
            // The late word was heard by the time another message is there.
            _ = try await alice.write("again", to: .bob)
            try await bench.eventually("bob has both") { try await bob.texts(with: .alice).count == 2 }
            let receipts = try await alice.messages.receipts(of: sent.id)
            #expect(receipts.map(\.recipient.key) == [bob.key, alice.key])
        }
    }

    @Test("what would take minutes is given up by name")
    func tooMuch() async throws {
        bench.layOut(.alice, .bob)
        bench.network.refuse(lessThan: 32, at: relay("bob"), saying: "32 bits needed")
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            let sent = try await alice.write("hello", to: .bob)
            try await bench.eventually("it was given up") {
                try await alice.messages.receipts(of: sent.id).first?.relays.first?.state
                    == .givenUp(.outcome(.rejected(Reason(.pow, "32 bits needed"))), attempts: 1)
            }
        }
        #expect(wraps(at: "bob").count == 1)
    }

    @Test(
        "reads what a refusal asks for",
        arguments: [
            ("28 bits needed. (2)", 12, 28), ("difficulty 20 is less than 25", 12, 25), ("", 12, nil),
            ("more work", 12, nil), ("error 4096", 12, nil), ("12 bits needed", 12, nil), ("٢٠ bits", 12, nil),
        ])
    func words(text: String, done: Int, bits: Int?) {
        #expect(text.demandedBits(above: done) == bits)
    }
}
