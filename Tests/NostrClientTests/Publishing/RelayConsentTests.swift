import AccountTesting
import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

/// What is published to relays that want to know who the account is (NIP-42).
@Suite(.timeLimit(.minutes(10)))
struct RelayConsentTests {
    let asking = relay("asking")
    let wants = Reason(.authRequired, "who are you")

    private func bench(records: any RecordStore = MemoryRecordStore()) -> AccountBench {
        let bench = AccountBench(records: records) { $0.routing.fallback = [relay("asking")] }
        bench.network.set(asking, .readOnly(wants))
        return bench
    }

    /// Publishes a note, and waits until the relay's question is there.
    private func asked(_ bench: AccountBench) async throws -> Event {
        let note = try await bench.account.publishing.publish(Composition(text: "hi"))
        try await bench.eventually("the question is there") {
            try await bench.account.publishing.receipts(for: note.id).first?.lastAnswer != nil
        }
        return note
    }

    /// Lets much time pass, and little while something is due: the answer to it is in time, however late that is noted.
    ///
    /// - Parameter looks: how often it was looked; where nothing comes of what is due, the clock was moved while the
    ///   queue was about to sleep, and much time passes again.
    private func pass(_ span: Duration, until state: PublishReceipt.State?, _ looks: inout Int, _ bench: AccountBench) {
        var step = span
        looks += 1
        if case .waiting(_, let next)? = state, next <= bench.start + bench.clock.now.offset, looks % 100 != 0 {
            step = .milliseconds(200)
        }
        bench.clock.advance(by: step)
    }

    @Test(
        "a note for a relay that asks waits for the person, and goes out by itself after a yes",
        arguments: [
            RelayConsent.always, .once,
        ])
    func yes(consent: RelayConsent) async throws {
        let bench = bench()
        try await bench.running {
            let note = try await asked(bench)
            #expect(
                try await bench.account.relayConsents()
                    == [RelayConsentEntry(relay: asking, answer: nil, reasons: [.note])])
            #expect(bench.account.services.gossip.authenticationConsent(for: asking) == .never)
            // Many hours change nothing, and the relay is not asked again and again.
            bench.clock.advance(by: .seconds(86_000))
            guard case .waiting? = try await bench.account.publishing.receipts(for: note.id).first?.state else {
                Issue.record("it is not parked")
                return
            }
            #expect(bench.network.offers.count { $0.event == note } == 1)
            bench.network.set(asking, .answers)
            try await bench.account.answer(consent, for: asking)
            #expect(bench.account.services.gossip.authenticationConsent(for: asking) == .allow)
            try await bench.eventually("it is accepted") {
                if case .accepted? = try await bench.account.publishing.receipts(for: note.id).first?.state {
                    true
                } else {
                    false
                }
            }
        }
    }

    @Test("it waits however long the person takes, and the relay is asked once a day whether it still wants to know")
    func patient() async throws {
        let bench = bench()
        try await bench.running {
            let note = try await asked(bench)
            var looks = 0
            try await bench.eventually("it was offered on some days") {
                let state = try await bench.account.publishing.receipts(for: note.id).first?.state
                pass(.seconds(3600), until: state, &looks, bench)
                return bench.network.offers.count { $0.event == note } > 3
            }
            let days = bench.clock.now.offset / .seconds(86_400)
            #expect(Double(bench.network.offers.count { $0.event == note }) <= days + 1)
            try await bench.eventually("it waits") {
                if case .waiting? = try await bench.account.publishing.receipts(for: note.id).first?.state {
                    true
                } else {
                    false
                }
            }
        }
    }

    @Test("after never it is given up by name, and nothing is signed")
    func never() async throws {
        let bench = bench()
        try await bench.running {
            let note = try await asked(bench)
            try await bench.account.answer(.never, for: asking)
            try await bench.eventually("it is given up") {
                if case .givenUp? = try await bench.account.publishing.receipts(for: note.id).first?.state {
                    true
                } else {
                    false
                }
            }
            #expect(bench.account.services.gossip.authenticationConsent(for: asking) == .never)
        }
    }

    @Test(
        "always and never hold over a restart, once becomes the question again",
        arguments: [(RelayConsent.always, RelayConsent.always), (.never, .never), (.once, nil)]
            as [(RelayConsent, RelayConsent?)])
    func restart(given: RelayConsent, kept: RelayConsent?) async throws {
        let bench = bench()
        try await bench.account.answer(given, for: asking)
        let again = AccountBench(records: bench.records)
        #expect(try await again.account.relayConsents().map(\.answer) == [kept])
        try await again.account.revokeConsent(for: asking)
        #expect(try await again.account.relayConsents() == [])
        #expect(try await AccountBench(records: bench.records).account.relayConsents() == [])
    }

    @Test(
        "what nothing could sign waits through nine tries, and goes out once the key or its signer is there",
        arguments: [true, false])
    func unsigned(isLocked: Bool) async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let mine = relay("mine")
        bench.network.set(mine, .asksWho)
        bench.network.setStatistics(RelayStatistics(), of: mine)
        let signer = LockableSigner(TestPerson.alice.publicKey)
        let key = LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 7))
        if !isLocked { try signer.unlock(with: key) }
        let account = bench.account(signer: signer)
        let note = TestPerson.alice.event("hi", at: seconds(0))
        func state() async throws -> PublishReceipt.State? {
            try await account.services.publishing.receipts(for: note.id).first { $0.relay == mine }?.state
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await account.run() }
            defer { group.cancelAll() }
            try await bench.eventually("the own list is known, and the vault is as it stays") {
                account.services.gossip.isOwn(mine) && (account.unlocked == nil) == isLocked
            }
            try await account.services.publishing.publish(signed: note)
            var looks = 0
            try await bench.eventually("it was offered nine times") {
                let standing = try await state()
                pass(.seconds(43_200), until: standing, &looks, bench)
                return bench.network.offers.count { $0.relay == mine && $0.event == note } >= 9
            }
            try await bench.eventually("it waits") {
                guard case .waiting(_, let next)? = try await state() else { return false }
                return next > bench.start + bench.clock.now.offset
            }
            bench.network.set(mine, .answers)
            if isLocked {
                try signer.unlock(with: key)
                await account.keyDidUnlock()
            } else {
                await account.signerDidReturn()
            }
            #expect(bench.network.refreshed.contains(mine))
            try await bench.eventually("it is accepted") {
                if case .accepted? = try await state() { true } else { false }
            }
        }
    }

    @Test("a relay on an own list is allowed unless the person said never")
    func own() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            let gossip = bench.account.services.gossip
            try await bench.eventually("the own list is known") { gossip.isOwn(relay("mine")) }
            #expect(gossip.authenticationConsent(for: relay("mine")) == .allow)
            #expect(gossip.authenticationConsent(for: relay("bob")) == .never)
            try await bench.account.answer(.never, for: relay("mine"))
            #expect(gossip.authenticationConsent(for: relay("mine")) == .never)
        }
    }
}
