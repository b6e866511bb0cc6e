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

    @Test("that something came in a conversation is told; that less is unread than before is not")
    func talks() {
        var seen = SeenAlerts()
        let steps: [(unread: Int, moment: Int64, told: Bool)] = [
            (2, 10, false), (2, 10, false), (3, 20, true), (3, 20, false),
            // The last was taken back, or is muted, and so are all; then one comes, dated before the one that is gone.
            (2, 10, false), (0, 0, false), (1, 15, true), (1, 15, false),
            // Read, and another came, between two looks; and one that came late is dated earlier.
            (1, 30, true), (2, 30, true), (1, 30, false),
        ]
        for (unread, moment, told) in steps {
            let talks = unread == 0 ? [] : [UnreadTalk(name: "circle a", unread: unread, moment: moment)]
            let isTold = seen.note([], talks: talks)
            #expect(isTold == told, "\(unread) \(moment)")
        }
        let talk = UnreadTalk(name: "circle a", unread: 2, moment: 40)
        let isToldWhileQuiet = seen.note([], talks: [talk], isQuiet: true)
        #expect(!isToldWhileQuiet && seen.owesNotice)
        // Still owed once one of the two is muted, and told once.
        let rest = UnreadTalk(name: "circle a", unread: 1, moment: 40)
        let told = (1...2).map { _ in seen.note([], talks: [rest]) }
        #expect(told == [true, false])
        let other = UnreadTalk(name: "circle b", unread: 1, moment: 5)
        let isOtherTold = seen.note([], talks: [rest, other])
        #expect(isOtherTold)
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
