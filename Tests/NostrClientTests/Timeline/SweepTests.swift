import AccountTesting
import NostrCore
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

/// Relays beside the plan, asked in turn.
struct SweepTests {
    let now = Timestamp(seconds: 1_700_000_000)

    @Test("four at once, those that most authors name first, each once until some time has passed")
    func turns() {
        var sweep = Sweep()
        var ledger = CoverageLedger()
        var relays: [RelayURL: Set<PublicKey>] = [:]
        for number in 1...6 { relays[relay("r\(number)")] = Set((1...number).map(person)) }
        let first = sweep.next(relays, &ledger, now: now)
        #expect(first.map(\.relay) == [6, 5, 4, 3].map { relay("r\($0)") })
        #expect(first.allSatisfy { !$0.isAgain })
        #expect(sweep.next(relays, &ledger, now: now).isEmpty)
        for part in first {
            ledger.end(part.authors, of: part.relay, .complete)
            sweep.ended(part.relay)
        }
        let second = sweep.next(relays, &ledger, now: now + .seconds(1))
        #expect(second.map(\.relay) == [relay("r2"), relay("r1")])
        for part in second { sweep.ended(part.relay) }
        #expect(sweep.next(relays, &ledger, now: now + .seconds(899)).isEmpty)
    }

    @Test("after a quarter of an hour everybody is asked for again, and it is said that it is not the first time")
    func again() throws {
        var sweep = Sweep()
        var ledger = CoverageLedger()
        let one = relay("one")
        _ = sweep.next([one: [person(1)]], &ledger, now: now)
        ledger.end([person(1)], of: one, .complete)
        sweep.ended(one)
        let again = try #require(sweep.next([one: [person(1), person(2)]], &ledger, now: now + .seconds(900)).first)
        #expect(again.isAgain)
        #expect(again.authors == [person(1), person(2)])
    }

    @Test("of relays that are due together each has its turn, once")
    func dueTogether() {
        var sweep = Sweep()
        var ledger = CoverageLedger()
        var relays: [RelayURL: Set<PublicKey>] = [:]
        for number in 1...6 { relays[relay("r\(number)")] = [person(number)] }
        for round in 0..<2 {
            let moment = now + .seconds(Int64(round) * 1000)
            var asked: Set<RelayURL> = []
            while true {
                let parts = sweep.next(relays, &ledger, now: moment)
                if parts.isEmpty { break }
                for part in parts {
                    asked.insert(part.relay)
                    #expect(part.isAgain == (round == 1))
                    ledger.end(part.authors, of: part.relay, .complete)
                    sweep.ended(part.relay)
                }
            }
            #expect(asked == Set(relays.keys))
        }
    }
}
