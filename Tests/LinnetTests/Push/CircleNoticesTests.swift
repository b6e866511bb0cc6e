import Foundation
import NostrCore
import Testing

@testable import linnet

@Suite("what is told of circles while no page is open")
struct CircleNoticesTests {
    @Test("what was there at first is no news; what comes is told once, and what goes is not told")
    func seen() {
        var seen = SeenAlerts()
        let steps: [(Set<String>, Bool)] = [
            (["a"], false), (["a"], false), (["a", "b"], true), (["a", "b"], false), (["b"], false), ([], false),
            (["c"], true), (["a", "c"], true),
        ]
        for (found, isNews) in steps { #expect(seen.note(found) == isNews, "\(found)") }
        var empty = SeenAlerts()
        #expect(!empty.note([]) && empty.note(["a"]))
    }

    @Test("what comes in quiet hours is told once they are over, unless it was read meanwhile")
    func owed() {
        var seen = SeenAlerts()
        let steps: [(found: Set<String>, isQuiet: Bool, told: Bool)] = [
            (["a"], true, false), (["a", "b"], true, false), (["a", "b", "c"], true, false),
            (["a", "c"], false, true), (["a", "c"], false, false),
            // Read before anybody was told.
            (["a", "d"], true, false), (["a"], true, false), (["a"], false, false),
            (["e"], true, false), (["e", "f"], false, true), (["e", "f"], false, false),
        ]
        for (found, isQuiet, told) in steps {
            #expect(seen.note(found, isQuiet: isQuiet) == told, "\(found)")
        }
        #expect(!seen.owesNotice)
        #expect(!seen.note(["g"], isQuiet: true) && seen.owesNotice)
    }

    @Test("what is owed stays so while the key is locked, and what came meanwhile is no news")
    func locked() {
        var seen = SeenAlerts()
        #expect(!seen.note([]) && !seen.note(["a"], isQuiet: true))
        seen.lock()
        #expect(seen.isEmpty && seen.owesNotice)
        #expect(seen.note(["a", "b"]) && !seen.note(["a", "b"]))
    }

    @Test(
        "a minute of the day is one of the clock on the wall there, also on days with an hour more or less",
        arguments: [
            // 2026-03-28T21:30:00Z, and a day later, when clocks there went on by an hour.
            ("Europe/Berlin", 1_774_733_400, 1350), ("Europe/Berlin", 1_774_819_800, 1410),
            ("America/New_York", 1_774_733_400, 1050), ("Asia/Kathmandu", 1_774_733_400, 195), ("UTC", 0, 0),
        ])
    func minutes(place: String, seconds: Int64, minute: Int) throws {
        let zone = try #require(TimeZone(identifier: place))
        #expect(Timestamp(seconds: seconds).minuteOfDay(in: zone) == minute)
    }
}
