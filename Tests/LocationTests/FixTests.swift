import FoundationEssentials
import LocationTesting
import NostrCore
import Testing

@testable import Location

/// Positions that are checked.
struct FixTests {
    @Test(
        "what is essential is refused out of range",
        arguments: [
            (91.0, 0.0, 1.0, Int64(1), FixProblem.place), (0, .nan, 1, 1, .place), (0, 0, -1, 1, .accuracy),
            (0, 0, .nan, 1, .accuracy), (0, 0, .infinity, 1, .accuracy), (0, 0, 1e308, 1, .accuracy),
            (0, 0, 1, -1, .moment), (0, 0, 1, .max, .moment), (0, 0, 1, .min, .moment),
        ])
    func refuses(latitude: Double, longitude: Double, accuracy: Double, seconds: Int64, why: FixProblem) {
        #expect(throws: why) {
            try Fix(
                latitude: latitude, longitude: longitude, accuracy: accuracy, moment: Timestamp(seconds: seconds))
        }
    }

    @Test(
        "what only adds is left out instead",
        arguments: [
            (Double.nan, 1e308, 101), (.infinity, -1, -1), (-1e308, .nan, .max), (-12_001, 12_001, .min),
        ])
    func leavesOut(altitude: Double, speed: Double, battery: Int) throws {
        let fix = try Fix(
            latitude: 1, longitude: 2, accuracy: 3, moment: Places.start, altitude: altitude, speed: speed,
            battery: battery)
        #expect(fix.altitude == nil && fix.speed == nil && fix.battery == nil)
    }

    @Test("a position survives being kept, and damaged ones are refused")
    func coding() throws {
        let fix = try Fix(
            latitude: -47.25, longitude: 179.5, accuracy: 0, moment: Places.start, altitude: -3, speed: 1.5, battery: 0)
        #expect(try kept(fix) == fix)
        let bad = #"{"lat":91,"lon":0,"acc":1,"ts":1}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Fix.self, from: Data(bad.utf8)) }
    }

    @Test("a date after the limit becomes the limit")
    func dated() throws {
        let fix = try Places.fix(100)
        #expect(fix.dated(noLaterThan: Places.start).moment == Places.start)
        #expect(fix.dated(noLaterThan: Places.start + .seconds(200)) == fix)
        #expect(fix.dated(noLaterThan: Timestamp(seconds: .min)).moment.seconds == 0)
    }

    @Test(
        "moments are read as GPX and gpsd write them",
        arguments: [
            ("1970-01-01T00:00:00Z", Int64(0)), ("2024-02-29T12:00:00.999Z", 1_709_208_000),
            ("2026-11-22T01:30:00+02:00", 1_795_303_800), ("2000-03-01T00:00:00-00:30", 951_870_600),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("2024-01-01T00:00:00", 1_704_067_200),
        ])
    func moments(text: String, seconds: Int64) {
        #expect(Timestamp(iso8601: text.utf8)?.seconds == seconds)
    }

    @Test(
        "other words are no moment",
        arguments: [
            "", "2024", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00Zx", "1969-12-31T23:59:59Z", "2024-01-01T00:00:00+15:00",
            "1970-01-01T00:00:00+01:00", "２024-01-01T00:00:00Z", "2024-1-1T0:0:0Z",
        ])
    func noMoments(text: String) {
        #expect(Timestamp(iso8601: text.utf8) == nil)
    }
}
