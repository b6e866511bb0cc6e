import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// What an account remembers of its notifications.
struct NotificationMarksTests {
    @Test("is read as it was written")
    func record() throws {
        var marks = NotificationMarks(startingAt: Timestamp(seconds: 1000))
        let late = TestPerson.bob.event("late", at: 900)
        let isNews = marks.receive(late.id, at: late.createdAt)
        #expect(!isNews, "what came before the person read anything is no news")
        marks.read(through: Timestamp(seconds: 2000))
        let mention = AccountNotification(late, .mention, about: nil)
        let wasUnread = marks.isUnread(mention)
        let received = (0..<2).map { _ in marks.receive(late.id, at: late.createdAt) }
        #expect(!wasUnread && received == [true, false] && marks.isUnread(mention))
        marks.hidden = [.zaps, .messages]
        marks.waking = NotificationWaking(filters: [.replies], quiet: QuietHours(from: 1350, until: 420))
        #expect(NotificationMarks(record: marks.record) == marks)
        #expect(marks.sorts == [.reply, .quote, .mention, .reaction, .repost, .vote, .chat, .follow])
    }

    @Test(
        "never falls over what stands there", arguments: ["", "{}", "[]", #"{"read":"x"}"#, #"{"read":1e9}"#, "\u{0}"])
    func noise(text: String) {
        #expect(NotificationMarks(record: Array(text.utf8)) == nil)
    }

    @Test("takes what is odd in a record for nothing")
    func odd() throws {
        let text = #"{"read":5,"late":["zz",1],"hidden":["nothing"],"wakes":[7,"votes"],"quiet":[9,9]}"#
        let marks = try #require(NotificationMarks(record: Array(text.utf8)))
        #expect(marks.readThrough == Timestamp(seconds: 5) && marks.late.isEmpty && marks.hidden.isEmpty)
        // As before requests could be left out.
        #expect(marks.waking == NotificationWaking(filters: [.votes, .requests]))
    }

    @Test(
        "quiet hours may go over midnight",
        arguments: [
            ("22:30", "07:00", [1350, 1439, 0, 419], [420, 1349]), ("13:00", "14:00", [780, 839], [0, 779, 840]),
        ])
    func quiet(from: String, until: String, inside: [Int], outside: [Int]) throws {
        let hours = try #require(QuietHours(from: from, until: until))
        #expect(inside.allSatisfy(hours.contains) && !outside.contains(where: hours.contains))
    }

    @Test("no time of day is no quiet hour", arguments: ["", "24:00", "9", "a:b", "08:60", "08:00"])
    func noHours(text: String) {
        #expect(QuietHours(from: text, until: "08:00") == nil)
    }
}
