import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("What a push proxy has still to be told")
struct PushProxyLedgerTests {
    private let start = Timestamp(seconds: 1_700_000_000)
    private let device = PushProxyLedger.Device.apns(token: "ab")
    private let bob = TestPerson.bob.publicKey
    private let carol = TestPerson.carol.publicKey
    private let relay: RelayURL

    init() throws { relay = try RelayURL("wss://a.example") }

    /// A ledger that has told all it has to.
    private func settled(_ pairings: [PublicKey: [RelayURL]]) -> PushProxyLedger {
        var ledger = PushProxyLedger(proxy: "https://push.example/")
        ledger.add(device)
        for call in ledger.pendingCalls(pairings: pairings, now: start) { ledger.done(call, now: start) }
        return ledger
    }

    @Test("a device registers again after half an hour, and at each start")
    func registers() {
        var ledger = settled([:])
        #expect(ledger.proxy == "https://push.example")
        #expect(ledger.pendingCalls(pairings: [:], now: start + .seconds(1799)).isEmpty)
        #expect(ledger.next(pairings: [:], now: start) == start + .seconds(1800))
        #expect(ledger.pendingCalls(pairings: [:], now: start + .seconds(1800)) == [.register(device)])
        ledger.start()
        #expect(ledger.pendingCalls(pairings: [:], now: start) == [.register(device)])
    }

    @Test("what failed is tried again after a minute, and nothing is lost meanwhile")
    func retries() throws {
        var ledger = settled([:])
        ledger.fail(now: start)
        #expect(ledger.pendingCalls(pairings: [bob: [relay]], now: start + .seconds(59)).isEmpty)
        #expect(ledger.next(pairings: [bob: [relay]], now: start) == start + .seconds(60))
        // On disk and back, as after a crash.
        let kept = try JSONDecoder().decode(PushProxyLedger.self, from: JSONEncoder().encode(ledger))
        #expect(kept == ledger)
        #expect(kept.pendingCalls(pairings: [bob: [relay]], now: start + .seconds(60)) == [.pair(bob, [relay])])
    }

    @Test("apps are named when they are paired, move or are revoked")
    func pairs() throws {
        var ledger = settled([bob: [relay]])
        #expect(ledger.pendingCalls(pairings: [bob: [relay]], now: start).isEmpty)
        let other = try RelayURL("wss://b.example")
        #expect(ledger.pendingCalls(pairings: [bob: [relay, other]], now: start) == [.pair(bob, [relay, other])])
        #expect(ledger.pendingCalls(pairings: [:], now: start) == [.unpair(bob)])
        #expect(ledger.pendingCalls(pairings: [bob: [relay], carol: []], now: start).isEmpty)
        ledger.remove(device)
        #expect(ledger.pendingCalls(pairings: [bob: [relay]], now: start) == [.unregister(device), .unpair(bob)])
        for call in ledger.pendingCalls(pairings: [bob: [relay]], now: start) { ledger.done(call, now: start) }
        #expect(ledger.isEmpty)
    }

    @Test("an app there is no place for is named again once another is gone")
    func full() {
        var ledger = settled([bob: [relay]])
        let pairings = [bob: [relay], carol: [relay]]
        ledger.refuse(.pair(carol, [relay]), now: start)
        #expect(ledger.pendingCalls(pairings: pairings, now: start).isEmpty)
        #expect(ledger.pendingCalls(pairings: [carol: [relay]], now: start) == [.unpair(bob)])
        ledger.done(.unpair(bob), now: start)
        #expect(ledger.pendingCalls(pairings: [carol: [relay]], now: start) == [.pair(carol, [relay])])
    }

    @Test("no more than ten at a time, whatever came together")
    func bounded() {
        var pairings: [PublicKey: [RelayURL]] = [:]
        var random = SeededRandom(seed: 5)
        for _ in 0..<40 { pairings[SecretKey.generate(using: &random).publicKey] = [relay] }
        var ledger = settled([:])
        var told = 0
        while case let calls = ledger.pendingCalls(pairings: pairings, now: start), !calls.isEmpty {
            #expect(calls.count <= 10)
            told += calls.count
            for call in calls { ledger.done(call, now: start) }
        }
        #expect(told == 40)
    }
}
