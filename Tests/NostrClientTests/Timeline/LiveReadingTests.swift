import AccountTesting
import NostrCore
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

/// Who is read live where, worked out where something changed.
struct LiveReadingTests {
    let one = relay("one")
    let two = relay("two")
    let anna = person(1)
    let ben = person(2)

    @Test("each answer, each new question and each other reader shows at once, of its relay alone")
    func changes() {
        var (reading, ledger) = (LiveReading(), CoverageLedger())
        var relays: [RelayURL: Set<PublicKey>] = [one: [anna, ben], two: [ben]]
        func expect(_ live: [RelayURL: Set<PublicKey>], _ line: SourceLocation = #_sourceLocation) {
            // Twice: the second time nothing changed.
            for _ in 0..<2 {
                let found = reading.update(relays, ledger)
                #expect(found == live, sourceLocation: line)
            }
        }
        expect([one: [], two: []])
        ledger.ask([anna, ben], of: one)
        ledger.ask([ben], of: two)
        expect([one: [], two: []])
        ledger.end([anna], of: one, .complete)
        expect([one: [anna], two: []])
        ledger.end([ben], of: two, .complete)
        expect([one: [anna], two: [ben]])
        ledger.end([ben], of: one, .deadline)
        ledger.forgetFailures(at: one)
        expect([one: [anna], two: [ben]])
        ledger.ask([ben], of: one)
        ledger.end([ben], of: one, .complete)
        expect([one: [anna, ben], two: [ben]])
        ledger.forget(two)
        expect([one: [anna, ben], two: []])
        relays = [one: [ben]]
        expect([one: [ben]])
        relays = [:]
        expect([:])
        relays = [one: [anna, ben]]
        expect([one: [anna, ben]])
    }

    @Test("where a relay is asked again, that is counted, so that nobody takes all for asked")
    func forgotten() {
        var ledger = CoverageLedger()
        ledger.ask([anna], of: one)
        ledger.end([anna], of: one, .complete)
        let before = ledger.forgotten
        ledger.forgetFailures(at: one)
        #expect(ledger.forgotten == before)
        ledger.forget(one)
        #expect(ledger.forgotten > before)
        let open = ledger.unasked([one: [anna]])
        #expect(open == [one: [anna]])
    }
}
