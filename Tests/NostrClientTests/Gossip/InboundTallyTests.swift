import AccountTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// How much of what others sent to the account has come from which relay.
struct InboundTallyTests {
    private let now = Timestamp(seconds: 1_700_000_000)
    private let one = relay("one")

    private func ids(_ numbers: Range<Int>) -> [EventID] {
        numbers.map { TestPerson.bob.event("\($0)").id }
    }

    /// The tally as the next start reads it.
    private func kept(_ tally: inout InboundTally, at moment: Timestamp) async -> InboundTally {
        let store = MemoryRecordStore()
        await store.apply(tally.changes(now: moment))
        return InboundTally(records: await store.records(in: InboundTally.table, prefix: ""))
    }

    @Test("a relay is complete once it ended so, and not before it was asked")
    func complete() {
        var tally = InboundTally()
        tally.end(.messages, at: one, isComplete: true, now: now)
        #expect(tally.coverage(.messages, of: one, now: now).standing == .notAsked)
        tally.ask(.messages, of: one)
        #expect(tally.coverage(.messages, of: one, now: now).standing == .asking)
        tally.end(.messages, at: one, isComplete: true, now: now)
        tally.end(.messages, at: one, isComplete: false, now: now)
        let found = tally.coverage(.messages, of: one, now: now + .seconds(60))
        #expect(found.standing == .complete && found.heardUntil == now)
        #expect(tally.coverage(.notifications, of: one, now: now).standing == .notAsked)
    }

    @Test("an event counts once, however often it comes")
    func once() {
        var tally = InboundTally()
        tally.ask(.notifications, of: one)
        tally.receive(.notifications, ids(0..<3), from: one)
        tally.receive(.notifications, ids(1..<5), from: one)
        #expect(tally.coverage(.notifications, of: one, now: now).received == 5)
    }

    @Test("what is passed on as it comes is complete until now; what is lost, until then")
    func live() {
        var tally = InboundTally()
        tally.ask(.messages, of: one)
        tally.setLive(.messages, at: one, true, now: now)
        #expect(tally.coverage(.messages, of: one, now: now).heardUntil == nil)
        tally.end(.messages, at: one, isComplete: true, now: now)
        #expect(tally.coverage(.messages, of: one, now: now + .seconds(90)).heardUntil == now + .seconds(90))
        tally.setLive(.messages, at: one, false, now: now + .seconds(100))
        #expect(tally.coverage(.messages, of: one, now: now + .seconds(900)).heardUntil == now + .seconds(100))
    }

    @Test("counts and dates outlast a restart, the standing does not, and nothing counts twice")
    func restart() async {
        var tally = InboundTally()
        tally.ask(.messages, of: one)
        tally.receive(.messages, ids(0..<4), from: one)
        tally.end(.messages, at: one, isComplete: true, now: now)
        var again = await kept(&tally, at: now)
        #expect(tally.changes(now: now).isEmpty)
        let found = again.coverage(.messages, of: one, now: now + .seconds(60))
        #expect(found.standing == .notAsked && found.heardUntil == now && found.received == 4)
        again.ask(.messages, of: one)
        again.receive(.messages, ids(2..<6), from: one)
        #expect(again.coverage(.messages, of: one, now: now).received == 6)
    }

    @Test("records that are damaged begin anew")
    func damaged() {
        var tally = InboundTally()
        tally.ask(.messages, of: one)
        tally.receive(.messages, ids(0..<2), from: one)
        guard case .put(_, let key, let value) = tally.changes(now: now).first else {
            Issue.record("nothing was written")
            return
        }
        for length in 0..<17 {
            let read = InboundTally(records: [Record(key: key, value: Array(value.prefix(length)))])
            #expect(read.coverage(.messages, of: one, now: now).received == 0)
        }
        let strange = [Record(key: "nothing", value: value), Record(key: "letters wss://one.example", value: value)]
        #expect(InboundTally(records: strange) == InboundTally())
    }

    @Test("an account says what its relays gave of what names it")
    func account() async throws {
        let bench = AccountBench()
        let (alice, bob) = (TestPerson.alice, TestPerson.bob)
        bench.network.put(
            [alice.event(kind: 10_002, tags: [["r", "wss://home.example"]], at: seconds(-900))], on: relay("index"))
        let mention = bob.event("hello", tags: [["p", alice.publicKey.hex]], at: seconds(-300))
        bench.network.put([mention], on: relay("home"))
        try await bench.running {
            try await bench.eventually("the relay gave all it holds") {
                let found = try await bench.account.network.inbound()
                return found.contains {
                    $0.relay == relay("home") && $0.sort == .notifications && $0.standing == .complete
                        && $0.received == 1
                }
            }
        }
    }
}
