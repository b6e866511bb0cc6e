import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// The own battery: told at once when it falls, and once until it has recovered.
struct OwnBatteryTests {
    @Test("a battery that falls below the limit is told at once, with its charge, and warns its owner")
    func falls() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0, battery: 25)
        try run.fix(30, metres: 10, battery: 19)
        #expect(run.sent.map(\.seconds) == [0, 30] && run.last?.fix.battery == 19)
        #expect(run.warnings.map(\.percent) == [19])
    }

    @Test("it warns once, and again after it had recovered; dying by percent makes no further messages")
    func once() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        for (seconds, percent) in [(0, 21), (10, 19), (20, 18), (30, 5), (40, 20), (50, 19)] {
            try run.fix(seconds, metres: Double(seconds), battery: percent)
        }
        #expect(run.warnings.map(\.seconds) == [10, 50])
        #expect(run.sent.map(\.seconds) == [0, 10, 50])
    }

    @Test("the limit is the person's; without one nobody is told or warned")
    func limit() throws {
        var high = try SharingRun(SharingSettings(interval: .hour, lowBattery: 50))
        try high.fix(0, battery: 60)
        try high.fix(5, battery: 49)
        #expect(high.warnings.map(\.percent) == [49])
        var none = try SharingRun(SharingSettings(interval: .hour, lowBattery: nil))
        try none.fix(0, battery: 60)
        try none.fix(5, battery: 1)
        #expect(none.warnings.isEmpty && none.sent.count == 1)
    }

    @Test("while sharing rests nothing is told, also when the person sends once")
    func rests() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes))
        try run.fix(0, battery: 60)
        var settings = run.sharing.settings
        settings.pause = .untilResumed
        try run.give(.settings(settings), at: 10)
        try run.fix(20, battery: 5)
        try run.give(.sendNow, at: 30)
        try run.fix(31, battery: 4)
        #expect(run.warnings.isEmpty && run.leaks == 0)
        settings.pause = .none
        try run.give(.settings(settings), at: 60)
        try run.fix(61, battery: 4)
        #expect(run.warnings.map(\.percent) == [4])
    }

    @Test("a restart forgets neither the warning nor the limit; records of before have the usual one")
    func kept() throws {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, lowBattery: 30))
        run.crashes = true
        for (seconds, percent) in [(0, 40), (10, 29), (20, 28)] { try run.fix(seconds, battery: percent) }
        #expect(run.warnings.map(\.percent) == [29] && run.sharing.settings.lowBattery == 30)
    }
}
