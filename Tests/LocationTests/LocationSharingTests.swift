import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// When a position is sent.
struct LocationSharingTests {
    @Test("the first position goes at once, later ones when they are due, and each announces the next")
    func rhythm() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        #expect(run.look == .seconds(300))
        for seconds in stride(from: 0, through: 900, by: 50) { try run.fix(seconds, metres: Double(seconds) * 5) }
        #expect(run.sent.map(\.seconds) == [0, 300, 600, 900])
        #expect(run.sent.allSatisfy { $0.place.interval == .seconds(300) })
        #expect(run.last?.fix.moment == Places.start + .seconds(850))
    }

    @Test("a position that is there waits for its time, and the wait says when that is")
    func waits() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0)
        #expect(run.wait == nil)
        try run.fix(299)
        #expect(run.wait == Places.start + .seconds(300))
        try run.run(to: 300)
        #expect(run.sent.map(\.seconds) == [0, 300])
    }

    @Test("before an old position is sent the source is asked for another, for half a minute")
    func asksAnew() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        for seconds in [0, 200] { try run.fix(seconds) }
        try run.run(to: 305)
        #expect(run.look == .seconds(30))
        try run.fix(310, metres: 400)
        #expect(run.sent.map(\.seconds) == [0, 310])
        #expect(run.last?.fix.moment == Places.start + .seconds(310))
        #expect(run.look == .seconds(30))
        try run.fix(340)
        try run.run(to: 9000)
        #expect(run.sent.map(\.seconds) == [0, 310, 640])
        #expect(run.last?.fix.moment == Places.start + .seconds(340))
    }

    @Test("after days without the program the source is asked before an old position is sent")
    func comesBack() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        for seconds in [0, 100] { try run.fix(seconds) }
        run.sharing = try kept(run.sharing)
        var sharing = run.sharing
        let days = Places.start + .hours(72)
        let first = sharing.receive(.connected, now: days)
        #expect(first == [.look(every: .seconds(300)), .wait(until: days + .seconds(5))])
        let asking = sharing.receive(.tick, now: days + .seconds(5))
        #expect(asking == [.look(every: .seconds(30)), .wait(until: days + .seconds(30))])
        let old = sharing.receive(.tick, now: days + .seconds(30))
        #expect(old.contains { if case .send(let place, _) = $0 { place.fix.moment < days } else { false } })
    }

    @Test(
        "resting makes messages four times rarer, never later than announced",
        arguments: SharingInterval.choices.map(\.seconds) + [60])
    func rest(interval: Int) throws {
        var run = try SharingRun(SharingSettings(interval: SharingInterval(clamping: interval)))
        for number in 0...200 { try run.fix(number * interval) }
        for (earlier, later) in zip(run.sent, run.sent.dropFirst()) {
            let announced = try #require(earlier.place.interval)
            #expect(.seconds(later.seconds - earlier.seconds) <= announced)
        }
        #expect(run.last?.interval == .seconds(interval * 4))
        #expect(run.last?.isStationary == true)
        let last = run.sent.suffix(2).map(\.seconds)
        #expect(last.last.map { $0 - (last.first ?? 0) } == interval * 4)
        #expect(run.look == .seconds(interval))
    }

    @Test("who leaves after a long rest is seen within an interval and a minute, without a motion sensor")
    func leaves() throws {
        var run = try SharingRun(SharingSettings(interval: .quarterHour))
        for number in 0...40 { try run.fix(number * 900) }
        var seconds = 40 * 900
        let left = seconds + 100
        // The source gives what it is asked for.
        while seconds < left + 4000 {
            seconds += Int(run.look?.components.seconds ?? 900)
            try run.fix(seconds, metres: Double(max(0, seconds - left)) * 1.4)
        }
        let away = try #require(run.sent.first { $0.place.fix.place.distance(to: Places.home) > 50 })
        #expect(away.seconds <= left + 900 + 60)
        let moving = try #require(run.sent.first { $0.place.isStationary == false })
        #expect(moving.seconds <= away.seconds + 930)
        #expect(moving.place.interval == .seconds(900))
    }

    @Test("a motion sensor makes positions come sooner for a while, and decides nothing")
    func sensor() throws {
        var run = try SharingRun()
        for number in 0...10 { try run.fix(number * 3600) }
        try run.give(.motion, at: 37_000)
        #expect(run.look == .seconds(30))
        try run.fix(37_030)
        #expect(run.last?.isStationary == true)
        try run.run(to: 37_200)
        #expect(run.look == .seconds(3600))
        #expect(run.wait.map { $0 > Places.start + .seconds(37_200) } ?? true)
    }

    @Test("in low power everything is as while resting, also on the move")
    func lowPower() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, isLowPower: true))
        for number in 0...100 { try run.fix(number * 100, metres: Double(number) * 1000) }
        #expect(run.sent.map(\.seconds) == Array(stride(from: 0, through: 10_000, by: 1200)))
        #expect(run.look == .seconds(1200))
    }

    @Test("a shorter interval counts at once, a longer one from the next message on")
    func intervalChanges() throws {
        var run = try SharingRun(SharingSettings(interval: .hour))
        try run.fix(0)
        try run.fix(100, metres: 900)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes)), at: 100)
        try run.run(to: 1000)
        #expect(run.sent.map(\.seconds) == [0, 330])
        try run.give(.settings(SharingSettings(interval: .hour)), at: 400)
        try run.fix(500, metres: 9000)
        try run.run(to: 10_000)
        #expect(run.sent.map(\.seconds) == [0, 330, 660])
    }

    @Test("that there is no position is told once, with the place that is known")
    func noFix() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0)
        for seconds in stride(from: 100, through: 5000, by: 100) { try run.give(.noFix(.noFix), at: seconds) }
        #expect(run.sent.map(\.seconds) == [0, 300])
        #expect(run.last?.why == .silent(.noFix))
        #expect(run.last?.fix == run.sent.first?.place.fix && run.last?.isKnown == true)
        try run.fix(5100)
        try run.give(.noFix(.notAllowed), at: 5150)
        try run.run(to: 6500)
        #expect(run.last?.why == .silent(.noPermission))
        try run.fix(6600)
        #expect(run.last?.why == nil)
        #expect(run.sent.count == 5 && run.last?.isKnown == false)

        var silent = try SharingRun(SharingSettings(interval: .fiveMinutes, tellsWhy: false))
        try silent.fix(0)
        try silent.give(.noFix(.noFix), at: 100)
        try silent.run(to: 5000)
        #expect(silent.sent.count == 1)
    }

    @Test("that there is no position does not displace one that waits for a network")
    func noFixOffline() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0)
        try run.give(.disconnected, at: 10)
        try run.fix(300, metres: 800)
        try run.give(.noFix(.noFix), at: 400)
        try run.give(.connected, at: 2000)
        #expect(run.sent.count == 2)
        #expect(run.last?.fix.moment == Places.start + .seconds(300) && run.last?.isKnown == false)
        #expect(run.last?.why == .silent(.noFix))
    }

    @Test("older positions and positions from the future do no harm")
    func oddMoments() throws {
        var run = try SharingRun(SharingSettings(interval: .tenSeconds))
        try run.fix(100)
        try run.give(.fix(try Places.fix(50, metres: 500)), at: 110)
        #expect(run.sent.count == 1)
        try run.give(.fix(try Places.fix(1_000_000)), at: 120)
        #expect(run.last?.fix.moment == Places.start + .seconds(120))
        try run.fix(130)
        #expect(run.sent.count == 3)
    }

    @Test("a clock put back by a year stops nothing")
    func clockBack() throws {
        var run = try SharingRun()
        try run.fix(0)
        var sharing = run.sharing
        let back = Places.start - .seconds(31_536_000)
        let fix = try Fix(place: Places.home, accuracy: 5, moment: back)
        _ = sharing.receive(.fix(fix), now: back)
        let later = back + .hours(1)
        let again = try Fix(place: Places.home, accuracy: 5, moment: later)
        let actions = sharing.receive(.fix(again), now: later)
        #expect(actions.contains { if case .send = $0 { true } else { false } })
    }

    @Test("what is blurred leaves no exact place in any message", arguments: [50.0, 500, 5000])
    func blurred(size: Double) throws {
        var run = try SharingRun(SharingSettings(interval: .tenSeconds, blur: size, keepsTrail: true))
        var places: Set<Coordinate> = []
        for number in 0...60 {
            if number == 30 { try run.give(.disconnected, at: 300) }
            if number == 50 { try run.give(.connected, at: 500) }
            try run.fix(number * 10, metres: Double(number) * 3)
            places.insert(Places.home.destination(distance: Double(number) * 3, bearing: 90))
        }
        let told = run.sent.flatMap { [$0.place.fix] + $0.place.trail }
        #expect(told.allSatisfy { !places.contains($0.place) && $0.accuracy >= size / 2 })
        #expect(Set(told.map(\.place)).count <= Int(200 / size) + 3)
    }

    @Test("a blur that is set while a message waits is that of the message too")
    func blurChanges() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes), isConnected: false)
        try run.fix(0)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes, blur: 1000)), at: 10)
        try run.give(.connected, at: 20)
        #expect(run.sent.count == 1)
        #expect(run.last.map { $0.fix.accuracy > 500 && $0.fix.place != Places.home } == true)
    }

    @Test("a blur that is taken off and put on again is the same; a record without one blurs all the same")
    func blurStays() throws {
        let blurred = SharingSettings(interval: .tenSeconds, blur: 500)
        var run = try SharingRun(blurred)
        for number in 0...60 { try run.fix(number * 10) }
        let first = try #require(run.last?.fix.place)
        #expect(run.sharing.blur?.rests.count == 1)
        try run.give(.settings(SharingSettings(interval: .tenSeconds)), at: 700)
        try run.fix(710)
        #expect(run.last?.fix.place == Places.home)
        run.sharing = try kept(run.sharing)
        try run.give(.connected, at: 720)
        try run.give(.settings(blurred), at: 730)
        #expect(run.sharing.blur?.rests.count == 1)
        #expect(run.last?.fix.place == first)
        run.sharing.blur = nil
        run.sharing = try kept(run.sharing)
        try run.give(.connected, at: 740)
        try run.fix(900)
        #expect(run.last?.fix.place == first && run.last?.fix.moment == Places.start + .seconds(900))
    }
}
