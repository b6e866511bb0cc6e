import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// What waits for the network, what is tried again, and what a crash leaves.
struct SharingQueueTests {
    @Test("while the network is away only the newest position waits")
    func coalesced() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes), isConnected: false)
        for number in 0...20 { try run.fix(number * 300, metres: Double(number) * 500) }
        try run.fix(6010, metres: 11_000)
        try run.give(.connected, at: 6020)
        #expect(run.sent.map(\.place.fix.moment) == [Places.start + .seconds(6010)])
        #expect(run.last?.trail == [])
    }

    @Test("with a trail those before it come along, in order, bounded and spread over the whole time")
    func trail() throws {
        for count in [5, 32, 33, 500] {
            var run = try SharingRun(
                SharingSettings(interval: .fiveMinutes, keepsTrail: true), isConnected: false)
            for number in 0..<count { try run.fix(number * 300, metres: Double(number) * 500) }
            try run.give(.connected, at: count * 300)
            let trail = try #require(run.last?.trail)
            #expect(trail.count == min(count - 1, trail.count) && trail.count <= SharedPlace.mostTrail)
            #expect(count > 33 || trail.count == count - 1)
            #expect(trail.map(\.moment) == trail.map(\.moment).sorted())
            #expect(trail.last?.moment == Places.start + .seconds((count - 2) * 300))
            #expect(trail.first?.moment == Places.start)
            let gaps = zip(trail.dropFirst(), trail).map { $0.moment.seconds - $1.moment.seconds }
            #expect((gaps.max() ?? 0) <= 300 * max(1, count / 8))
            try run.fix(count * 300 + 300, metres: 1)
            #expect(run.last?.trail == [])
        }
    }

    @Test("who stops keeping a trail leaves none in what is tried again")
    func noTrailAnyMore() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, keepsTrail: true), isConnected: false)
        run.answers = false
        for number in 0..<5 { try run.fix(number * 300, metres: Double(number) * 500) }
        try run.give(.connected, at: 1300)
        #expect(run.last?.trail.count == 4)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes)), at: 1301)
        try run.give(.failed(run.sent[0].number), at: 1302)
        try run.run(to: 1310)
        #expect(run.sent.count == 2 && run.last?.trail == [])
    }

    @Test("an answer in the moment in which it would be missed counts, and one after it holds up nothing")
    func lateAnswers() throws {
        for isMissed in [false, true] {
            var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
            try run.fix(0)
            run.answers = false
            try run.give(.settings(SharingSettings(interval: .fiveMinutes, pause: .untilResumed)), at: 1)
            #expect(run.last?.why == .paused(until: nil) && run.wait == Places.start + .seconds(121))
            let number = try #require(run.sent.last?.number)
            if isMissed { try run.run(to: 121) }
            _ = run.sharing.receive(.sent(number), now: Places.start + .seconds(121))
            #expect(run.sharing.queue.lastSent?.why == .paused(until: nil))
            try run.give(.settings(SharingSettings(interval: .fiveMinutes)), at: 121)
            let before = run.sent.count
            try run.fix(121, metres: 900)
            #expect(run.sent.count == before + 1)
        }
    }

    @Test("a message that fails is tried again, ever more seldom, and gives way to a newer one")
    func retries() throws {
        var run = try SharingRun(SharingSettings(interval: .hour))
        run.answers = false
        try run.fix(0)
        var tried = [0]
        for _ in 0..<10 {
            try run.give(.failed(run.sent.last?.number ?? 0), at: run.now)
            try run.run(to: Int((run.wait ?? run.moment).seconds - Places.start.seconds))
            tried.append(run.now)
        }
        #expect(zip(tried.dropFirst(), tried).map { $0 - $1 } == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        #expect(Set(run.sent.map(\.number)).count == 1)
        try run.give(.settings(SharingSettings(interval: .fiveMinutes)), at: run.now)
        try run.fix(run.now + 10, metres: 700)
        try run.give(.failed(run.sent.last?.number ?? 0), at: run.now)
        try run.give(.connected, at: run.now + 1)
        #expect(run.last?.fix.place == Places.home.destination(distance: 700, bearing: 90))
        try run.give(.sent(run.sent.last?.number ?? 0), at: run.now)
        #expect(!run.sharing.queue.hasWaiting && run.sharing.queue.onItsWay == nil)
    }

    @Test("a message without an answer is sent again after two minutes; a late answer still counts")
    func noAnswer() throws {
        var run = try SharingRun(SharingSettings(interval: .hour))
        run.answers = false
        try run.fix(0)
        try run.run(to: 119)
        #expect(run.sent.count == 1)
        try run.run(to: 121)
        try run.give(.sent(run.sent[0].number), at: 121)
        try run.run(to: 3000)
        #expect(run.sent.count == 1)
        #expect(run.sharing.queue.lastSent != nil)
        try run.give(.sent(99), at: 3001)
        try run.give(.failed(99), at: 3002)
    }

    @Test("a clock put back by a year delays neither an answer awaited, nor a new try, nor what is sent now")
    func clockBack() throws {
        let back = Places.start - .seconds(31_536_000)
        func isSent(_ sharing: inout LocationSharing, at moment: Timestamp) -> Bool {
            sharing.receive(.tick, now: moment).contains { if case .send = $0 { true } else { false } }
        }
        var run = try SharingRun(SharingSettings(interval: .hour))
        run.answers = false
        try run.fix(0)
        var unanswered = run.sharing
        _ = unanswered.receive(.tick, now: back)
        _ = unanswered.receive(.tick, now: back + .seconds(120))
        #expect(isSent(&unanswered, at: back + .seconds(122)))
        var failed = run.sharing
        _ = failed.receive(.failed(1), now: Places.start)
        _ = failed.receive(.tick, now: back)
        #expect(isSent(&failed, at: back + .seconds(300)))
        run.answers = true
        try run.run(to: 200)
        try run.give(.sendNow, at: 500)
        _ = run.sharing.receive(.disconnected, now: back)
        _ = run.sharing.receive(.tick, now: back + .seconds(60))
        let actions = run.sharing.receive(.connected, now: back + .seconds(61))
        #expect(actions.contains { if case .send = $0 { true } else { false } })
    }

    @Test("what was on its way when the program died is sent again, with its number")
    func crash() throws {
        var run = try SharingRun(SharingSettings(interval: .hour))
        run.answers = false
        try run.fix(0)
        run.sharing = try kept(run.sharing)
        try run.give(.connected, at: 5)
        #expect(run.sent.map(\.number) == [1, 1])
        #expect(run.sent.map(\.place.fix) == [run.sent[0].place.fix, run.sent[0].place.fix])
    }

    @Test("whatever happens in whatever order, nothing runs hot, nothing leaves at rest, and the newest arrives")
    func anything() throws {
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var settings = SharingSettings(interval: .tenSeconds, keepsTrail: Bool.random(using: &random))
            var run = try SharingRun(settings, isConnected: false)
            run.crashes = seed.isMultiple(of: 3)
            for _ in 0..<150 {
                let at = run.now + Int.random(in: 0...400, using: &random)
                try run.run(to: at)
                run.answers = Int.random(in: 0..<4, using: &random) > 0
                switch Int.random(in: 0..<12, using: &random) {
                case 0: try run.give(.disconnected, at: at)
                case 1, 2: try run.give(.connected, at: at)
                case 3: try run.give(.noFix(.noDevice), at: at)
                case 4: try run.give(.motion, at: at)
                case 5: try run.give(.failed(run.sent.last?.number ?? 0), at: at)
                case 6: try run.give(.sendNow, at: at)
                case 7:
                    let until = run.moment + .seconds(Int.random(in: -10...900, using: &random))
                    settings.pause = [.none, .untilResumed, .until(until)][Int.random(in: 0..<3, using: &random)]
                    settings.blur = [nil, 200][Int.random(in: 0..<2, using: &random)]
                    try run.give(.settings(settings), at: at)
                default: try run.fix(at, metres: Double.random(in: 0...9000, using: &random))
                }
                #expect(run.wait.map { $0 > run.moment } ?? true)
            }
            #expect(run.leaks == 0)
            #expect(run.inputs < 150 * 60)
            settings.pause = .none
            settings.blur = nil
            run.answers = true
            try run.give(.settings(settings), at: run.now + 1)
            try run.give(.connected, at: run.now + 1)
            try run.run(to: run.now + 1000)
            try run.fix(run.now + 1, metres: 123)
            try run.run(to: run.now + 1000)
            #expect(run.last?.fix.place == Places.home.destination(distance: 123, bearing: 90))
            #expect(run.wait == nil)
        }
    }

    @Test("a state that was kept is the same state, and a damaged one is refused or taken without a trap")
    func coding() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, blur: 300, keepsTrail: true))
        for number in 0...20 { try run.fix(number * 300, metres: Double(number % 3) * 400) }
        let again = try kept(run.sharing)
        #expect(again.settings == run.sharing.settings && again.blur == run.sharing.blur)
        #expect(again.movement == run.sharing.movement && again.promise == run.sharing.promise)
        #expect("\(run.sharing)".contains("47") == false)
    }
}
