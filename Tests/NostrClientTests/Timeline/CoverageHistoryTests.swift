import AccountTesting
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// What relays gave of whom, as it is kept.
struct CoverageHistoryTests {
    let now = Timestamp(seconds: 1_700_000_000)
    let one = relay("one")
    let anna = person(1)
    let ben = person(2)

    /// The history as the next start reads it.
    func kept(
        _ history: inout CoverageHistory, in store: MemoryRecordStore, at moment: Timestamp,
        wanted: Set<PublicKey>? = nil
    ) async -> CoverageHistory {
        await store.apply(history.changes(wanted: wanted ?? [anna, ben], now: moment))
        return CoverageHistory(records: await store.records(in: CoverageHistory.table, prefix: ""), now: moment)
    }

    @Test("an author is heard until the question ended, and on as long as what comes is passed on")
    func until() {
        var history = CoverageHistory()
        history.complete([anna, ben], at: one, since: now - .seconds(900), came: [:], now: now)
        #expect(history.until(anna, at: one) == now)
        history.setLive([one: [anna]], now: now + .seconds(60))
        history.setLive([one: [anna]], now: now + .seconds(120))
        #expect(history.until(anna, at: one) == now + .seconds(120))
        #expect(history.until(ben, at: one) == now)
        #expect(history.until(anna, at: relay("two")) == nil)
        // The relay is lost; what comes there is not heard.
        history.setLive([:], now: now + .seconds(500))
        #expect(history.until(anna, at: one) == now + .seconds(120))
    }

    @Test("who is heard in full while the same people are read live is heard on with them")
    func heardLater() {
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now - .seconds(900), came: [:], now: now)
        for seconds: Int64 in [60, 120] { history.setLive([one: [anna, ben]], now: now + .seconds(seconds)) }
        history.complete([ben], at: one, since: now - .seconds(900), came: [:], now: now + .seconds(130))
        for seconds: Int64 in [180, 240] { history.setLive([one: [anna, ben]], now: now + .seconds(seconds)) }
        #expect(history.until(anna, at: one) == now + .seconds(240))
        #expect(history.until(ben, at: one) == now + .seconds(240))
        history.setLive([one: [ben]], now: now + .seconds(300))
        #expect(history.until(anna, at: one) == now + .seconds(240))
        #expect(history.until(ben, at: one) == now + .seconds(300))
    }

    @Test("a relay is forgotten 90 days after anybody was heard there last")
    func forgotten() {
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now, came: [:], now: now)
        history.complete([ben], at: one, since: now, came: [:], now: now + .seconds(10))
        let last = now + .seconds(90 * 86_400)
        _ = history.changes(wanted: [anna, ben], now: last)
        #expect(history.until(anna, at: one) == now)
        _ = history.changes(wanted: [anna, ben], now: last + .seconds(10))
        #expect(history.until(anna, at: one) == nil)
    }

    @Test("after a restart nobody is live, however soon a relay is: what lies between is still to be asked for")
    func restart() async {
        let store = MemoryRecordStore()
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now - .seconds(900), came: [:], now: now)
        history.setLive([one: [anna]], now: now + .seconds(60))
        var again = await kept(&history, in: store, at: now + .seconds(60))
        #expect(again.until(anna, at: one) == now + .seconds(60))
        again.setLive([:], now: now + .seconds(9000))
        #expect(again.until(anna, at: one) == now + .seconds(60))
    }

    @Test("a relay where nobody is read live is not one that was heard lately, however long the program runs")
    func silentRelay() {
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now, came: [:], now: now)
        history.complete([anna], at: relay("two"), since: now, came: [:], now: now)
        for minute in 1...3 { history.setLive([one: [anna]], now: now + .seconds(Int64(minute) * 60)) }
        #expect(history.lately(now + .seconds(180)) == [one])
        #expect(history.lately(now + .seconds(8 * 86_400)) == [])
    }

    @Test("moments are written each time, authors only when they changed")
    func writes() {
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now, came: [:], now: now)
        #expect(history.changes(wanted: [anna], now: now).count == 2)
        #expect(history.changes(wanted: [anna], now: now).isEmpty)
        history.setLive([one: [anna]], now: now + .seconds(60))
        #expect(history.changes(wanted: [anna], now: now + .seconds(60)).count == 2)
        history.setLive([one: [anna]], now: now + .seconds(120))
        #expect(history.changes(wanted: [anna], now: now + .seconds(120)).map(\.key) == ["until wss://one.example"])
    }

    @Test("a hole before a question is not claimed to be here")
    func hole() {
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now, came: [:], now: now + .seconds(10))
        history.complete([anna], at: one, since: now + .seconds(5), came: [:], now: now + .seconds(20))
        #expect(history.stretches(of: anna)[one]?.since == now)
        history.complete([anna], at: one, since: now + .seconds(100), came: [:], now: now + .seconds(200))
        #expect(history.stretches(of: anna)[one]?.since == now + .seconds(100))
    }

    @Test("counts are kept, fade with the months, and what no one follows any more goes")
    func counts() async {
        let store = MemoryRecordStore()
        var history = CoverageHistory()
        history.complete([anna, ben], at: one, since: now, came: [anna: 40], now: now)
        #expect(history.stretches(of: anna)[one]?.events == 40)
        let month = now + .seconds(30 * 86_400)
        let again = await kept(&history, in: store, at: now, wanted: [anna])
        #expect(again.stretches(of: ben).isEmpty)
        let later = CoverageHistory(
            records: await store.records(in: CoverageHistory.table, prefix: ""), now: month)
        #expect(later.stretches(of: anna)[one].map { (18...22).contains($0.events) } == true)
    }

    @Test("at the end counts are written, too, which wait for minutes otherwise")
    func last() async {
        let store = MemoryRecordStore()
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now, came: [:], now: now)
        _ = await kept(&history, in: store, at: now)
        history.count([anna: 7], from: one)
        #expect(history.changes(wanted: [anna], now: now + .seconds(1)).isEmpty)
        let last = history.changes(wanted: [anna], now: now + .seconds(2), isLast: true)
        #expect(!last.isEmpty)
        await store.apply(last)
        let again = CoverageHistory(records: await store.records(in: CoverageHistory.table, prefix: ""), now: now)
        #expect(again.stretches(of: anna)[one]?.events == 7)
    }

    @Test("what was not heard of for three months is forgotten on disk as well")
    func forgotten() async {
        let store = MemoryRecordStore()
        var history = CoverageHistory()
        history.complete([anna], at: one, since: now, came: [:], now: now)
        _ = await kept(&history, in: store, at: now)
        let again = await kept(&history, in: store, at: now + .seconds(91 * 86_400))
        #expect(again.until(anna, at: one) == nil)
        #expect(await store.records(in: CoverageHistory.table, prefix: "").isEmpty)
    }

    @Test("records that were damaged, or are of another version, are asked for anew")
    func damaged() {
        var history = CoverageHistory()
        history.complete([anna, ben], at: one, since: now, came: [:], now: now)
        guard case .put(_, let key, let value) = history.changes(wanted: [anna, ben], now: now).first else {
            Issue.record("nothing was written")
            return
        }
        for length in 0..<value.count {
            let record = Record(key: key, value: Array(value.prefix(length)))
            let read = CoverageHistory(records: [record, Record(key: "until x", value: [255])], now: now)
            #expect(read.until(ben, at: one) == nil || length == value.count)
        }
        #expect(CoverageHistory(records: [Record(key: key, value: value)], now: now).until(anna, at: one) == now)
    }
}

extension RecordChange {
    /// What it changes.
    fileprivate var key: String {
        switch self {
        case .put(_, let key, _), .remove(_, let key), .removeAll(_, let key): key
        }
    }
}
