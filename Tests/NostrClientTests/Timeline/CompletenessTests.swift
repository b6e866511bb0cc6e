import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// How much of what relays hold is here, and that it is known after a restart.
@Suite(.timeLimit(.minutes(10)))
struct CompletenessTests {
    private let bob = TestPerson.bob

    /// An account that has heard everybody whom it follows.
    private func heard() async throws -> AccountBench {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.put([bob.event("from bob", at: seconds(-60))], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("both were heard in full") {
                try await bench.account.network.completeness().inFull == 2
            }
            let home = try await bench.account.network.completeness()
            #expect(home.people == 2 && home.heard == 2)
            let found = try #require(try await bench.account.network.coverage(of: bob.publicKey))
            #expect(found.asked[relay("bob")] == .some(.some(.complete)))
            #expect(found.received[relay("bob")] == 1 && found.heardSince[relay("bob")] != nil)
            let stranger = try await bench.account.network.coverage(of: TestPerson.dave.publicKey)
            #expect(stranger == nil)
            try await bench.eventually("it is kept") {
                try await bench.records.value("authors wss://bob.example", in: "coverage") != nil
            }
        }
        return bench
    }

    @Test("of one person and of all, it is known after a restart although no relay answers")
    func restart() async throws {
        let bench = try await heard()
        let again = AccountBench(records: bench.records)
        _ = await again.store.save(await bench.store.query([Filter()]), from: nil)
        for name in ["index", "mine", "bob", "carol"] { again.network.set(relay(name), .dead) }
        try await again.running {
            try await again.eventually("it is known whom one follows") {
                try await again.account.network.coverage(of: bob.publicKey) != nil
            }
            let found = try #require(try await again.account.network.coverage(of: bob.publicKey))
            #expect(found.asked[relay("bob")] != .some(.some(.complete)))
            #expect(found.heardUntil[relay("bob")] != nil && found.heardSince[relay("bob")] != nil)
            try await again.eventually("both count as heard, and nobody as heard in full") {
                let home = try await again.account.network.completeness()
                return home.people == 2 && home.heard >= 1 && home.inFull == 0
            }
        }
    }
}
