import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// Notes that are held back so that they can be taken back.
@Suite(.timeLimit(.minutes(10)))
struct HoldingTests {
    private func moment(_ offset: Int64) -> Timestamp { Timestamp(seconds: seconds(offset)) }

    @Test("a held note is neither offered nor shown before its time, and goes out then")
    func held() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let note = try await bench.account.publishing.publish(Composition(text: "wait"), notBefore: moment(10))
        #expect(try await bench.account.services.publishing.held().map(\.event) == [note])
        try await bench.running {
            try await bench.eventually("the relays are known") {
                bench.account.services.gossip.isOwn(relay("mine"))
            }
            #expect(bench.network.offers.isEmpty)
            #expect(await bench.store.query([Filter(ids: [note.id])]).isEmpty)
            #expect(await bench.account.network.connection().queued == 1)
            try await bench.eventually("it is delivered") {
                bench.clock.advance(by: .seconds(1))
                return bench.network.offers.contains { $0.event == note }
            }
            #expect(bench.clock.now.offset >= .seconds(10))
            try await bench.eventually("it is here") {
                await bench.store.query([Filter(ids: [note.id])]) == [note]
            }
            #expect(try await bench.account.publishing.cancel(note.id) == false)
        }
        #expect(try await bench.account.services.publishing.held().isEmpty)
    }

    @Test("a note that is taken back is gone, here and on disk")
    func takenBack() async throws {
        let bench = AccountBench()
        let note = try await bench.account.publishing.publish(Composition(text: "never"), notBefore: moment(10))
        #expect(try await bench.account.publishing.cancel(note.id))
        #expect(try await bench.account.publishing.cancel(note.id) == false)
        #expect(try await bench.records.records(in: "publish").isEmpty)
        let again = AccountBench(records: bench.records)
        #expect(try await again.account.services.publishing.held().isEmpty)
    }

    @Test("a crash neither loses a held note nor publishes it early, and no key is needed when its time has come")
    func crash() async throws {
        let bench = AccountBench()
        let note = try await bench.account.publishing.publish(Composition(text: "later"), notBefore: moment(10))
        let again = AccountBench(records: bench.records, canSign: false)
        try await again.running {
            try await again.eventually("it was read back") {
                try await again.account.services.publishing.held().map(\.event.id) == [note.id]
            }
            #expect(again.network.offers.isEmpty)
            try await again.eventually("it is delivered") {
                again.clock.advance(by: .seconds(1))
                return again.network.offers.contains { $0.event == note }
            }
            #expect(again.clock.now.offset >= .seconds(10))
        }
    }

    @Test("a note that is let go goes out at once")
    func released() async throws {
        let bench = AccountBench()
        let note = try await bench.account.publishing.publish(Composition(text: "now"), notBefore: moment(3600))
        try await bench.running {
            try await bench.account.publishing.release(note.id)
            try await bench.eventually("it is delivered") { bench.network.offers.contains { $0.event == note } }
        }
    }
}
