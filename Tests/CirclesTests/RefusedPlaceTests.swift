import AccountTesting
import Location
import LocationTesting
import MLS
import Marmot
import NostrCore
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// A place that a relay, though connected, refuses.
@Suite(.timeLimit(.minutes(10)))
struct RefusedPlaceTests {
    private let bench = SharingBench()
    private let slowDown = ScriptedNetwork.Behaviour.readOnly(Reason(.rateLimited, "slow down"))

    /// The events of the circle that were offered so far, each once.
    private var made: Set<EventID> {
        Set(bench.mail.network.offers.filter { $0.event.kind == .groupEvent }.map(\.event.id))
    }

    @Test(
        "three days of refusals use up few keys, and the newest place goes within its interval once the relay relents",
        arguments: [false, true])
    func threeDays(keepsTrail: Bool) async throws {
        try await bench.running { alice, bob, id in
            var settings = SharingBench.everyMinute
            settings.keepsTrail = keepsTrail
            try await alice.circles.sharing.share(settings, in: id)
            try await bench.show(alice, to: bob, id)
            let offers = bench.offered
            let (epoch, generation) = (try await alice.epoch(id), try await alice.generation(id))
            bench.mail.network.set(bench.relayOfCircle, slowDown)
            // As often as what was refused is tried again.
            for step in 1...3 * 24 * 12 {
                bench.pass(300)
                try await alice.circles.sharing.receive(.fix(try bench.fix(metres: Double(step % 40) * 200)))
                try await bench.mail.eventually("it was refused") {
                    try await alice.circles.sharing.entries[id]?.record.sharing.isSending == false
                }
            }
            #expect(bench.offered - offers > 800)
            let used = try await alice.generation(id) - generation
            #expect(used <= 26)
            #expect(try await alice.epoch(id) == epoch)
            bench.mail.network.set(bench.relayOfCircle, .answers)
            bench.pass(300)
            let fix = try bench.fix(metres: 77)
            try await alice.circles.sharing.receive(.fix(fix))
            // Where the try again that succeeds came before the newest place, that waits for its interval.
            try await bench.mail.eventually("bob sees the newest") {
                bench.pass(1)
                return try await bob.sees(alice, id)?.place?.moment == fix.moment
            }
            try await bench.mail.eventually("alice knows that it arrived") { try await !bench.isBusy(alice, id) }
            #expect(try await alice.circles.sharing.entries[id]?.record.unsent == nil)
        }
    }

    @Test("a place that was refused is offered again in the same event, also after a restart")
    func sameEvent() async throws {
        var circle: CircleID?
        var fix: Fix?
        try await bench.running { alice, bob, id in
            circle = id
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            bench.mail.network.set(bench.relayOfCircle, slowDown)
            let first = try bench.fix()
            fix = first
            try await alice.circles.sharing.receive(.fix(first))
            try await bench.mail.eventually("it was refused") {
                try await alice.circles.sharing.entries[id]?.record.unsent != nil
            }
        }
        let (id, moment) = (try #require(circle), try #require(fix).moment)
        let (before, offers) = (made, bench.offered)
        let alice = bench.mail.person(.alice, records: bench.aliceRecords)
        let bob = bench.mail.person(.bob, records: bench.bobRecords)
        try await alice.unlock()
        try await bob.unlock()
        bench.mail.network.set(bench.relayOfCircle, .answers)
        try await bench.mail.running(alice, bob) {
            try await bench.mail.eventually("bob sees it") { try await bob.sees(alice, id)?.place?.moment == moment }
            #expect(bench.offered > offers && made == before)
        }
    }

    @Test("what was refused before sharing rests is not offered after")
    func rests() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            bench.pass(60)
            bench.mail.network.set(bench.relayOfCircle, slowDown)
            let secret = try bench.fix(metres: 4000)
            try await alice.circles.sharing.receive(.fix(secret))
            try await bench.mail.eventually("it was refused") {
                try await alice.circles.sharing.entries[id]?.record.unsent != nil
            }
            bench.mail.network.set(bench.relayOfCircle, .answers)
            try await alice.circles.sharing.pause(until: nil, in: id)
            bench.pass(10)
            try await bench.mail.eventually("bob knows that it rests") {
                guard case .paused = try await bob.sees(alice, id)?.whyOld else { return false }
                return true
            }
            #expect(try await bob.sees(alice, id)?.place?.moment != secret.moment)
        }
    }

    @Test("pauses between new events grow from two minutes to four hours")
    func pauses() throws {
        let events = [TestPerson.alice.event("x", kind: 445, at: 1)]
        func place(_ second: Int) throws -> SharedPlace {
            SharedPlace(fix: try Places.fix(second, metres: Double(second)), sentAt: Places.start)
        }
        var untaken = UnsentPlace(try place(0), epoch: 3, events: events, now: Places.start, after: nil)
        #expect(try untaken.events == events && untaken.tells(place(0)) && !untaken.tells(place(1)))
        var makings: [Int] = []
        for minute in 1...60 * 24 * 3 {
            let now = Places.start + .seconds(minute * 60)
            guard untaken.mayGiveWay(now: now) else { continue }
            makings.append(minute)
            untaken = UnsentPlace(try place(minute), epoch: 3, events: events, now: now, after: untaken)
        }
        #expect(makings.prefix(9) == [2, 6, 14, 30, 62, 126, 254, 494, 734] && makings.count == 23)
        // The same again is no other event, and another epoch begins anew.
        let same = UnsentPlace(
            try place(makings[22]), epoch: 3, events: events, now: .init(seconds: 9), after: untaken)
        #expect(same == untaken)
        let other = UnsentPlace(try place(1), epoch: 4, events: events, now: Places.start, after: untaken)
        #expect(other.mayGiveWay(now: Places.start + .seconds(120)))
        #expect(try kept(untaken) == untaken)
    }
}

extension MailPerson {
    fileprivate func epoch(_ id: CircleID) async throws -> UInt64 { try await circles.reader.health(of: id).epoch }

    /// How many messages this person encrypted in the epoch of a circle.
    fileprivate func generation(_ id: CircleID) async throws -> Int {
        Int(try await circles.store.member(of: id).1.nextGeneration)
    }
}
