import AccountTesting
import Location
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// One's own place, shared between accounts over scripted relays.
@Suite(.timeLimit(.minutes(10)))
struct SharingTests {
    let bench = SharingBench()

    @Test("a place is told every minute, blurred, and is dated when it was measured")
    func everyMinute() async throws {
        try await bench.running { alice, bob, id in
            #expect(try await bob.sees(alice, id)?.whyOld == .neverShared)
            var settings = SharingBench.everyMinute
            settings.blur = 500
            try await alice.circles.sharing.share(settings, in: id)
            #expect(try await alice.circles.sharing.interval() == .seconds(60))
            for step in 0..<3 {
                let fix = try await bench.show(metres: Double(step) * 700, alice, to: bob, id)
                let seen = try #require(try await bob.sees(alice, id))
                let place = try #require(seen.place)
                #expect(place.accuracy > 250 && place.latitude != fix.place.latitude)
                #expect(seen.whyOld == nil && place.interval == .seconds(60))
                if step == 2 {
                    // What comes within the minute waits for its end.
                    try await alice.circles.sharing.receive(.fix(try bench.fix(metres: 5000)))
                    #expect(try await !bench.isBusy(alice, id))
                }
                bench.pass(60)
            }
            let state = try await alice.circles.sharing.state(in: id)
            #expect(state.isOn && state.settings == settings && state.trouble == nil)
            bench.pass(120)
            #expect(try await bob.sees(alice, id)?.whyOld == .silent)
        }
        for record in try await bench.aliceRecords.records(in: CircleTable.sharing) {
            #expect(!holds(record.value, "lat") && !holds(record.value, "47.3"))
        }
    }

    @Test("while sharing rests nothing leaves but what is sent at once, and the circle knows that it rests")
    func pause() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            let until = bench.mail.now + .seconds(3600)
            try await alice.circles.sharing.pause(until: until, in: id)
            try await bench.mail.eventually("bob knows that it rests") {
                try await bob.sees(alice, id)?.whyOld == .paused(until: until)
            }
            #expect(try await bob.sees(alice, id)?.sharing == .paused(until: until))
            #expect(try await alice.circles.sharing.interval() == nil)
            bench.pass(90)
            try await alice.circles.sharing.receive(.fix(try bench.fix(metres: 500)))
            #expect(try await alice.circles.sharing.state(in: id).waiting == 0)
            try await alice.circles.sharing.sendNow(in: id)
            #expect(try await alice.circles.sharing.interval() == .seconds(10))
            try await bench.show(metres: 600, alice, to: bob, id)
            try await bench.mail.eventually("bob is told again that it rests") {
                try await bob.sees(alice, id)?.whyOld == .paused(until: until)
            }
            try await alice.circles.sharing.resume(in: id)
            bench.pass(60)
            try await bench.show(metres: 700, alice, to: bob, id)
            try await bench.mail.eventually("bob knows that it goes on") {
                try await bob.sees(alice, id)?.whyOld == nil
            }
        }
    }

    @Test("a pause ends by itself, and after the end of sharing nothing is told any more")
    func ends() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            try await alice.circles.sharing.pause(until: bench.mail.now + .seconds(600), in: id)
            try await bench.mail.eventually("bob knows that it rests") {
                guard case .paused = try await bob.sees(alice, id)?.whyOld else { return false }
                return try await !bench.isBusy(alice, id)
            }
            bench.pass(601)
            try await bench.mail.eventually("it goes on by itself") {
                try await alice.circles.sharing.state(in: id).settings.pause == .none
            }
            try await bench.show(metres: 300, alice, to: bob, id)
            try await alice.circles.sharing.stop(in: id)
            try await bench.mail.eventually("bob knows that it rests") {
                try await bob.sees(alice, id)?.whyOld == .paused(until: nil)
            }
            bench.pass(120)
            try await alice.circles.sharing.receive(.fix(try bench.fix(metres: 900)))
            let state = try await alice.circles.sharing.state(in: id)
            #expect(!state.isOn && state.waiting == 0 && state.look == nil && state.settings.pause == .none)
            await #expect(throws: CircleError(.notSharing)) { try await alice.circles.sharing.sendNow(in: id) }
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(metres: 950, alice, to: bob, id)
        }
    }

    @Test("of several words within one second the last one counts")
    func words() async throws {
        try await bench.running { alice, bob, id in
            let words: [SharingNotice] = [.paused(until: nil), .on, .silent(.noFix), .on, .silent(.noPermission)]
            for word in words { try await alice.announce(word, id) }
            try await bench.mail.eventually("bob knows the last") {
                try await bob.sees(alice, id)?.sharing == .silent(.noPermission)
            }
        }
    }

    @Test("without a relay only the newest place waits, also over a restart, and goes when one is there")
    func offline() async throws {
        var circle: CircleID?
        let first = bench.mail.now
        try await bench.running { alice, bob, id in
            circle = id
            try await bob.circles.places.keepTrails(days: 1, in: id)
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            bench.mail.network.goAway(bench.relayOfCircle)
            try await bench.mail.eventually("alice knows why nothing can be told, and tries nothing") {
                let isAway = try await alice.circles.sharing.entries[id]?.isConnected == false
                return try await alice.circles.sharing.state(in: id).trouble == .noRelay && isAway
            }
            bench.pass(130)
            try await bench.mail.eventually("bob knows why nothing comes") {
                try await bob.sees(alice, id)?.whyOld == .here(.noRelay)
            }
            for step in 1...3 {
                bench.pass(60)
                try await alice.circles.sharing.receive(.fix(try bench.fix(metres: Double(step) * 400)))
            }
            #expect(try await alice.circles.sharing.state(in: id).waiting == 1)
            #expect(try await bob.sees(alice, id)?.place?.moment != bench.mail.now)
        }
        let id = try #require(circle)
        let moment = bench.mail.now
        let alice = bench.mail.person(.alice, records: bench.aliceRecords)
        let bob = bench.mail.person(.bob, records: bench.bobRecords)
        try await alice.unlock()
        try await bob.unlock()
        let state = try await alice.circles.sharing.state(in: id)
        #expect(state.waiting == 1 && state.isOn && state.settings == SharingBench.everyMinute)
        try await bench.mail.running(alice, bob) {
            bench.mail.network.comeBack(bench.relayOfCircle)
            try await bench.mail.eventually("bob sees the newest") {
                bench.mail.network.comeBack(bench.relayOfCircle)
                return try await bob.sees(alice, id)?.place?.moment == moment
            }
            #expect(try await bob.circles.places.trail(of: alice.key, in: id)?.points.map(\.moment) == [first, moment])
        }
    }

    @Test("nothing is told while the account is locked, and all is as it was after")
    func locked() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            await alice.lock()
            let before = bench.offered
            bench.pass(120)
            let fix = try bench.fix(metres: 900)
            await #expect(throws: CircleError.locked) { try await alice.circles.sharing.receive(.fix(fix)) }
            await #expect(throws: CircleError.locked) { try await alice.circles.sharing.sendNow(in: id) }
            await #expect(throws: CircleError.locked) { _ = try await alice.circles.sharing.state(in: id) }
            #expect(bench.offered == before)
            try await alice.unlock()
            #expect(try await alice.circles.sharing.state(in: id).settings == SharingBench.everyMinute)
            try await bench.show(metres: 900, alice, to: bob, id)
        }
    }

    @Test("who has no position says so, once, and it is forgotten with the next position")
    func silence() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            bench.pass(61)
            try await alice.circles.sharing.receive(.failure(.notAllowed))
            try await bench.mail.eventually("bob hears why") {
                try await bob.sees(alice, id)?.sharing == .silent(.noPermission)
            }
            #expect(try await alice.circles.sharing.state(in: id).trouble == .noPermission)
            try await bench.mail.eventually("alice knows that it arrived") { try await !bench.isBusy(alice, id) }
            bench.pass(120)
            try await alice.circles.sharing.receive(.failure(.notAllowed))
            #expect(try await !bench.isBusy(alice, id))
            #expect(try await bob.sees(alice, id)?.whyOld == .told(.noPermission))
            try await bench.show(alice, to: bob, id)
            try await bench.mail.eventually("bob hears that it is over") {
                try await bob.sees(alice, id)?.sharing == .on
            }
            #expect(try await bob.sees(alice, id)?.whyOld == nil)
        }
    }

    @Test("a source is read while a circle has use for it, and its readings are told")
    func source() async throws {
        try await bench.running { alice, bob, id in
            let source = PushedReadings()
            bench.aliceSource.set(source)
            #expect(!source.isRead)
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.mail.eventually("the source is read") { source.isRead }
            let fix = try bench.fix(metres: 30)
            try await bench.mail.eventually("bob sees it") {
                // Who reads may be just beginning anew, and hear nothing in between.
                source.push(.fix(fix))
                return try await bob.sees(alice, id)?.place?.moment == fix.moment
            }
            try await alice.circles.sharing.stop(in: id)
            try await bench.mail.eventually("the source rests") { !source.isRead }
        }
    }

    private func holds(_ bytes: [UInt8], _ word: String) -> Bool {
        let word = Array(word.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: word) }
    }
}

extension MailPerson {
    /// Tells a circle how the place is shared.
    fileprivate func announce(_ word: SharingNotice, _ id: CircleID) async throws {
        let moment = try await circles.sharing.momentOfNextNotice(in: id)
        try await circles.messaging.send(in: id) { _, _ in CircleMessage.sharing(word, now: moment) }
    }
}
