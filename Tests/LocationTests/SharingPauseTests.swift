import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// What leaves while sharing rests, and how it begins again.
struct SharingPauseTests {
    private let paused = SharingSettings(interval: .fiveMinutes, pause: .untilResumed)

    @Test("while sharing rests no position leaves and none is looked for; the circle is told once")
    func pause() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0)
        try run.give(.settings(paused), at: 100)
        #expect(run.look == nil)
        #expect(run.sent.count == 2)
        #expect(run.last?.why == .paused(until: nil))
        #expect(run.last?.fix == run.sent.first?.place.fix)
        for seconds in stride(from: 200, to: 9000, by: 100) { try run.fix(seconds, metres: 5000) }
        #expect(run.sent.count == 2)
        #expect(run.sharing.latest?.place == Places.home)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes)), at: 9000)
        #expect(run.look == .seconds(300))
        #expect(run.sent.count == 2)
        try run.fix(9010, metres: 5000)
        #expect(run.sent.count == 3)
        #expect(run.last?.why == nil)
    }

    @Test("sharing begins again by itself at the moment that was set")
    func until() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0)
        let end = Places.start + .seconds(7200)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes, pause: .until(end))), at: 10)
        #expect(run.last?.why == .paused(until: end))
        #expect(run.wait == end)
        run.crashes = true
        try run.run(to: 7200)
        #expect(run.sharing.settings.pause == .none)
        #expect(run.look == .seconds(300))
        try run.fix(7210)
        #expect(run.sent.count == 3)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes, pause: .until(Places.start))), at: 7300)
        #expect(run.sharing.settings.pause == .none)
    }

    @Test("what waits for a network when sharing is put to rest never leaves")
    func dropped() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, keepsTrail: true), isConnected: false)
        for seconds in [0, 300, 600] { try run.fix(seconds, metres: Double(seconds)) }
        try run.give(.settings(paused), at: 700)
        try run.give(.connected, at: 800)
        try run.run(to: 9000)
        #expect(run.sent.isEmpty)
    }

    @Test("a message that fails after sharing was put to rest is not tried again")
    func failsLater() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, tellsWhy: false))
        run.answers = false
        try run.fix(0)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes, pause: .untilResumed, tellsWhy: false)), at: 1)
        try run.give(.failed(run.sent[0].number), at: 2)
        try run.run(to: 1000)
        try run.give(.disconnected, at: 1000)
        try run.give(.connected, at: 1001)
        #expect(run.sent.count == 1)
    }

    @Test("a message on its way when sharing was put to rest does not go again after a crash")
    func crashes() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, tellsWhy: false))
        run.answers = false
        try run.fix(0)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes, pause: .untilResumed, tellsWhy: false)), at: 1)
        run.sharing = try kept(run.sharing)
        try run.give(.connected, at: 2)
        #expect(run.sent.count == 1)
    }

    @Test("send now works while sharing rests: one fresh position, and rest again")
    func sendNow() throws {
        var run = try SharingRun(paused)
        try run.fix(0)
        #expect(run.sent.isEmpty)
        try run.give(.sendNow, at: 10)
        #expect(run.look == .seconds(10))
        try run.fix(15, metres: 70)
        #expect(run.sent.count == 1)
        #expect(run.last?.fix.place == Places.home.destination(distance: 70, bearing: 90))
        #expect(run.last?.why == .paused(until: nil))
        #expect(run.look == nil)
        try run.fix(400, metres: 900)
        try run.run(to: 9000)
        #expect(run.sent.count == 1)
    }

    @Test("send now while the network is away waits for it, also over a restart, though sharing rests")
    func sendNowOffline() throws {
        var run = try SharingRun(paused, isConnected: false)
        try run.give(.sendNow, at: 0)
        try run.fix(5)
        run.sharing = try kept(run.sharing)
        try run.give(.connected, at: 5000)
        #expect(run.sent.map(\.place.fix.moment) == [Places.start + .seconds(5)])
    }

    @Test("send now with no fresh position sends the last one after a minute, and says that it is old")
    func sendNowStale() throws {
        var run = try SharingRun(SharingSettings(interval: .hour))
        try run.fix(0)
        try run.give(.sendNow, at: 1000)
        #expect(run.sent.count == 1)
        try run.run(to: 1060)
        #expect(run.sent.map(\.seconds) == [0, 1060])
        #expect(run.last?.why == .silent(.noFix))
        var never = try SharingRun(SharingSettings(interval: .hour))
        try never.give(.sendNow, at: 0)
        try never.run(to: 5000)
        #expect(never.sent.isEmpty && never.wait == nil && never.look == .seconds(3600))
    }

    @Test("who asks to be seen now and then puts sharing to rest is not seen")
    func restWins() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.give(.sendNow, at: 0)
        try run.give(.settings(paused), at: 5)
        #expect(run.look == nil)
        try run.fix(10)
        try run.run(to: 5000)
        #expect(run.sent.isEmpty)
    }

    @Test("send now does not wait for a failure before it")
    func sendNowAfterFailures() throws {
        var run = try SharingRun(SharingSettings(interval: .hour))
        run.answers = false
        try run.fix(0)
        for number in 0..<8 { try run.give(.failed(1), at: run.now + (1 << (number + 1))) }
        let before = run.sent.count
        try run.give(.sendNow, at: run.now + 5)
        try run.fix(run.now + 1)
        #expect(run.sent.count == before + 1)
    }

    @Test("that sharing rests is not told once it rests no more")
    func withdrawn() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0)
        try run.give(.disconnected, at: 10)
        try run.give(.settings(paused), at: 20)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes)), at: 30)
        try run.give(.connected, at: 40)
        #expect(run.sent.count == 1)
    }
}
