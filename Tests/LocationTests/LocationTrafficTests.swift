import LocationTesting
import NostrTesting
import Testing

@testable import Location

/// What sharing costs a day, in simulated time.
struct LocationTrafficTests {
    private func traffic(_ settings: SharingSettings, _ day: DayProfile) -> LocationTraffic {
        LocationTraffic.perDay(settings, day: day, bytesPerMessage: 1000)
    }

    @Test("a day at rest costs a quarter of a day on the road", arguments: SharingInterval.choices)
    func restAndRoad(interval: SharingInterval) {
        let rest = traffic(SharingSettings(interval: interval), .atRest)
        let road = traffic(SharingSettings(interval: interval), .onTheRoad)
        let most = 86_400 / interval.seconds
        #expect((most / 4 - 1...most / 4 + 1).contains(rest.messages))
        #expect((most * 9 / 10...most + 1).contains(road.messages))
        #expect(rest.bytes == rest.messages * 1000)
    }

    @Test("two hours on the way and 22 at rest", arguments: SharingInterval.choices)
    func commute(interval: SharingInterval) {
        let day = traffic(SharingSettings(interval: interval), .commute)
        let expected = Double(2 * 3600 / interval.seconds) + Double(22 * 3600 / interval.seconds / 4)
        // Half an hour of doubt about when the ways begin and end, and a message either way.
        #expect(abs(Double(day.messages) - expected) <= 1800 / Double(interval.seconds) + 2)
        let low = traffic(SharingSettings(interval: interval, isLowPower: true), .commute)
        #expect(low.messages <= 86_400 / interval.seconds / 4 + 1)
        #expect(low.looks <= day.looks)
        #expect(traffic(SharingSettings(interval: interval, pause: .untilResumed), .commute).messages == 0)
    }

    @Test("hostile profiles end and do not trap")
    func hostile() {
        let legs = [1e308, .nan, -.infinity].map { DayProfile.Leg(seconds: .max, speed: $0) }
        let day = LocationTraffic.perDay(
            SharingSettings(interval: .fiveMinutes), day: DayProfile(legs), bytesPerMessage: .max, accuracy: .nan)
        #expect(day.bytes == .max)
        #expect(traffic(SharingSettings(), DayProfile([.init(seconds: -5, speed: 3)])).messages > 0)
    }
}
