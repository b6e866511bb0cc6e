import AccountTesting
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Where people are said to be, at the next start.
struct HintRecordsTests {
    private let now = Timestamp(seconds: 1_700_000_000)
    private let bob = TestPerson.bob.publicKey
    private let carol = TestPerson.carol.publicKey
    private let day: Duration = .seconds(86_400)

    /// What a start after some time finds of what is written now.
    private func restarted(_ hints: RelayHints, after span: Duration = .zero) async -> RelayHints {
        let store = MemoryRecordStore()
        var records = HintRecords()
        await store.apply(
            records.changes(of: hints, followed: [], isListed: { _ in false }, now: now, isLast: true))
        var next = RelayHints()
        var read = HintRecords()
        let kept = read.read(await store.records(in: HintRecords.table, prefix: ""), now: now + span)
        next.restore(kept, now: now + span)
        return next
    }

    @Test("the three that count most are known at the next start, in their order")
    func roundTrip() async {
        var hints = RelayHints()
        hints.note(relay("seen"), for: bob, .seen)
        for _ in 0..<3 { hints.note(relay("often"), for: bob, .claimed) }
        for _ in 0..<2 { hints.note(relay("twice"), for: bob, .claimed) }
        hints.note(relay("once"), for: bob, .claimed)
        hints.note(relay("once"), for: carol, .claimed)
        let next = await restarted(hints)
        #expect(next.relays(of: bob) == [relay("seen"), relay("often"), relay("twice")])
        #expect(next.relays(of: carol) == [relay("once")])
    }

    @Test("they count less the longer ago they were heard, and are forgotten in the end")
    func decay() async {
        var hints = RelayHints()
        for _ in 0..<500 { hints.note(relay("seen"), for: bob, .seen) }
        hints.note(relay("once"), for: bob, .claimed)
        var later = await restarted(hints, after: day * 60)
        #expect(later.relays(of: bob) == [relay("seen"), relay("once")])
        // What is new outweighs what was seen five hundred times two months ago.
        for _ in 0..<2 { later.note(relay("new"), for: bob, .seen) }
        #expect(later.relays(of: bob).first == relay("new"))
        #expect(await restarted(hints, after: day * 150).relays(of: bob) == [relay("seen")])
        #expect(await restarted(hints, after: day * 365).relays(of: bob).isEmpty)
    }

    @Test("10 000 claims about one person leave eight, the newest among them, and what was seen first of all")
    func manyRelays() async {
        var hints = RelayHints()
        hints.note(relay("seen"), for: bob, .seen)
        for number in 0..<10_000 { hints.note(relay("claim\(number)"), for: bob, .claimed) }
        #expect(hints.relays(of: bob).count == 8)
        #expect(hints.relays(of: bob).first == relay("seen"))
        #expect(hints.relays(of: bob).contains(relay("claim9999")))
        let next = await restarted(hints)
        #expect(next.relays(of: bob).count == HintRecords.perPerson)
        #expect(next.relays(of: bob).first == relay("seen"))
    }

    @Test("claims about 100 000 people take no more room than those of some thousand, and drive out no fact")
    func manyPeople() async {
        var hints = RelayHints()
        hints.note(relay("seen"), for: bob, .seen)
        for number in 0..<100_000 { hints.note(relay("claim"), for: person(number), .claimed) }
        #expect(hints.best.count <= 5000)
        #expect(hints.relays(of: bob) == [relay("seen")])
        #expect(hints.relays(of: person(99_999)) == [relay("claim")])
        hints.note(relay("claim"), for: carol, .claimed)
        var records = HintRecords()
        let changes = records.changes(
            of: hints, followed: [carol], isListed: { _ in false }, now: now, isLast: true)
        let keys = Set(changes.map(\.writtenKey))
        #expect(changes.count == HintRecords.mostPeople && keys.count == HintRecords.mostPeople)
        #expect(keys.contains(bob.hex) && keys.contains(carol.hex))
    }

    @Test("even of people who were all seen there is an end")
    func manySeen() {
        var hints = RelayHints(capacity: 10)
        for number in 0..<1000 { hints.note(relay("seen"), for: person(number), .seen) }
        #expect(hints.best.count <= 10)
        #expect(!hints.relays(of: person(999)).isEmpty && hints.relays(of: person(0)).isEmpty)
    }

    @Test("it is written seldom; what only confirms what is on disk, once a week")
    func seldom() {
        var hints = RelayHints()
        var records = HintRecords()
        hints.note(relay("one"), for: bob, .seen)
        func changes(after span: Duration) -> Int {
            records.changes(of: hints, followed: [bob], isListed: { _ in false }, now: now + span).count
        }
        #expect(changes(after: .zero) == 0 && changes(after: .seconds(599)) == 0)
        #expect(changes(after: .seconds(600)) == 1)
        for _ in 0..<100 { hints.note(relay("one"), for: bob, .seen) }
        #expect(changes(after: .seconds(1200)) == 0)
        hints.note(relay("two"), for: bob, .seen)
        #expect(changes(after: .seconds(1201)) == 0 && changes(after: .seconds(1800)) == 1)
        #expect(changes(after: day * 3) == 0 && changes(after: day * 8) == 1)
    }

    @Test("a list of a person's own takes the place of what is on disk")
    func listed() async {
        var hints = RelayHints()
        hints.note(relay("one"), for: bob, .seen)
        let store = MemoryRecordStore()
        var records = HintRecords()
        await store.apply(
            records.changes(of: hints, followed: [bob], isListed: { _ in false }, now: now, isLast: true))
        #expect(await store.records(in: HintRecords.table, prefix: "").count == 1)
        // At the next start what is there is known to be there.
        var next = HintRecords()
        _ = next.read(await store.records(in: HintRecords.table, prefix: ""), now: now)
        await store.apply(
            next.changes(of: hints, followed: [bob], isListed: { $0 == bob }, now: now, isLast: true))
        #expect(await store.records(in: HintRecords.table, prefix: "").isEmpty)
    }

    @Test("what is damaged on disk is no hint, never traps, and leaves at the next writing")
    func noise() async throws {
        var hints = RelayHints()
        for name in ["one", "two", "three"] { hints.note(relay(name), for: bob, .seen) }
        var records = HintRecords()
        let written = records.changes(of: hints, followed: [], isListed: { _ in false }, now: now, isLast: true)
        guard case .put(_, let key, let value) = try #require(written.first) else {
            Issue.record("nothing was written")
            return
        }
        Noise.run(value, rounds: 400) { bytes in
            var read = HintRecords()
            let kept = read.read([Record(key: key, value: bytes), Record(key: "nobody", value: bytes)], now: now)
            #expect((kept[bob] ?? [:]).count <= HintRecords.perPerson && kept.count <= 1)
        }
        var read = HintRecords()
        #expect(read.read([Record(key: key, value: [255])], now: now).isEmpty)
        let changes = read.changes(of: RelayHints(), followed: [], isListed: { _ in false }, now: now, isLast: true)
        #expect(changes == [.remove(table: HintRecords.table, key: key)])
    }

    @Test("a person without a list is read at the next start where a note of somebody else said so at this one")
    func restart() async throws {
        let dave = TestPerson.dave.publicKey
        let follows = TestPerson.alice.event(kind: 3, tags: [["p", bob.hex], ["p", dave.hex]])
        let own = TestPerson.alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]])
        let list = TestPerson.bob.event(kind: 10_002, tags: [["r", "wss://bob.example"]])
        let bench = AccountBench()
        bench.network.put([follows, own, list], on: relay("index"), relay("mine"))
        bench.network.put(
            [TestPerson.bob.event("look at dave", tags: [["p", dave.hex, "wss://dave.example"]])], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("where dave is said to be is known") {
                bench.account.services.gossip.router.hints.relays(of: dave).contains(relay("dave"))
            }
        }
        // Nobody says so any more.
        let again = AccountBench(records: bench.records)
        again.network.put([follows, own, list], on: relay("index"), relay("mine"))
        try await again.running {
            try await again.eventually("dave is asked for there") {
                again.network.questions.contains { question in
                    question.relay == relay("dave") && question.filters.contains { $0.authors?.contains(dave) ?? false }
                }
            }
        }
    }
}

extension RecordChange {
    /// The key of what is put.
    fileprivate var writtenKey: String {
        if case .put(_, let key, _) = self { key } else { "" }
    }
}
