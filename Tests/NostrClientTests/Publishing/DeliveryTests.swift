import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// The queue at work: offline, after a restart, with relays that refuse.
@Suite(.timeLimit(.minutes(10)))
struct DeliveryTests {
    let bob = TestPerson.bob

    @Test("a note reaches one's own relays and the inboxes of those it mentions, also of people first looked up now")
    func delivery() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let note = try await bench.account.publishing.publish(Composition(text: "hi nostr:\(bob.publicKey.npub)"))
        try await bench.running {
            try await bench.eventually("everything is accepted") {
                let receipts = try await bench.account.publishing.receipts(for: note.id)
                return receipts.contains { $0.purpose == .readOf(bob.publicKey) }
                    && receipts.allSatisfy { if case .accepted = $0.state { true } else { false } }
            }
            #expect(bench.network.offers.contains { $0.relay == relay("bob") && $0.event == note })
            let page = try await bench.account.timeline.page(.author(note.pubkey, replies: true), before: nil, limit: 5)
            let delivery = try #require(page.notes.first?.delivery)
            #expect(delivery.accepted == delivery.asked)
            #expect(await bench.account.network.connection().queued == 0)
        }
    }

    @Test("what was published offline waits on disk, survives a restart, and goes out once")
    func restart() async throws {
        let bench = AccountBench()
        bench.network.set(relay("fallback"), .dead)
        let note = try await bench.account.publishing.publish(Composition(text: "offline"))
        try await bench.running {
            try await bench.eventually("it was tried") { !bench.network.offers.isEmpty }
            try await bench.eventually("the try is noted") {
                try await bench.account.publishing.receipts(for: note.id).first?.lastAnswer != nil
            }
        }
        let again = AccountBench(records: bench.records)
        #expect(await again.account.network.connection().queued == 0)
        let receipts = try await again.account.publishing.receipts(for: note.id)
        #expect(receipts.first?.lastAnswer == .outcome(.failed(.refused)))
        #expect(await again.account.network.connection().queued == 1)
        try await again.running {
            try await again.eventually("it is delivered") {
                // Time stands still once it is offered: its answer is in time, however late it is noted.
                let isOffered = again.network.offers.contains { $0.event == note }
                if !isOffered { again.clock.advance(by: .seconds(1)) }
                return await again.account.network.connection().queued == 0
            }
            #expect(again.network.offers.filter { $0.event == note }.count == 1)
        }
    }

    @Test("a relay that comes back gets what waits for it without waiting for its turn")
    func comesBack() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("own relay is listened to") { bench.network.standing[relay("mine")] != nil }
            bench.network.set(relay("mine"), .dead)
            let note = try await bench.account.publishing.publish(Composition(text: "hi"))
            try await bench.eventually("it was tried") {
                try await bench.account.publishing.receipts(for: note.id).contains {
                    $0.relay == relay("mine") && $0.lastAnswer != nil
                }
            }
            bench.network.comeBack(relay("mine"))
            try await bench.eventually("it is delivered") {
                try await bench.account.publishing.receipts(for: note.id).allSatisfy {
                    if case .accepted = $0.state { true } else { false }
                }
            }
        }
    }

    @Test("a relay that never answers is given its deadline, then asked again later")
    func silent() async throws {
        let bench = AccountBench()
        bench.network.set(relay("fallback"), .stuck)
        let note = try await bench.account.publishing.publish(Composition(text: "hi"))
        try await bench.running {
            try await bench.eventually("it is offered") { !bench.network.offers.isEmpty }
            try await bench.eventually("the deadline passes") {
                bench.clock.advance(by: .seconds(1))
                return try await bench.account.publishing.receipts(for: note.id).first?.lastAnswer
                    == .outcome(.timedOut)
            }
        }
        guard case .waiting(let attempts, _)? = try await bench.account.publishing.receipts(for: note.id).first?.state
        else {
            Issue.record("not waiting")
            return
        }
        #expect(attempts >= 1)
    }

    @Test("a refusal is shown by name and does not hold the others up")
    func refusal() async throws {
        let bench = AccountBench { $0.routing.fallback = [relay("a"), relay("b")] }
        bench.network.set(relay("a"), .readOnly(Reason(.blocked, "not you")))
        let note = try await bench.account.publishing.publish(Composition(text: "hi"))
        try await bench.running {
            try await bench.eventually("both have answered") {
                try await bench.account.publishing.receipts(for: note.id).allSatisfy { $0.lastAnswer != nil }
            }
            let receipts = try await bench.account.publishing.receipts(for: note.id)
            let no = PublishAnswer.outcome(.rejected(Reason(.blocked, "not you")))
            #expect(receipts.first { $0.relay == relay("a") }?.state == .givenUp(no, attempts: 1))
            #expect(await bench.account.network.connection().queued == 0)
        }
    }

    @Test("nothing is offered before it is on disk")
    func diskFirst() async throws {
        let bench = AccountBench(records: FullRecordStore())
        await #expect(throws: StoreError.self) { try await bench.account.publishing.publish(Composition(text: "hi")) }
        #expect(await bench.account.network.connection().queued == 0)
        #expect(await bench.store.query([Filter(kinds: [1])]).isEmpty)
    }
}

/// A disk without room.
private struct FullRecordStore: RecordStore {
    func value(_ key: String, in table: String) async throws -> [UInt8]? { nil }
    func records(in table: String, prefix: String) async throws -> [Record] { [] }
    func apply(_ changes: [RecordChange]) async throws { throw StoreError(.diskFull) }
}
