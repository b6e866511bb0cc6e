import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages of notifications")
struct NotificationPagesTests {
    private let world = FakeWorld.plain(notes: 3)
    private let notifications = FakeNotifications()
    private var note: Event { world.own.event("my own note", at: Timestamp(seconds: 1000)) }

    private func reactions(_ count: Int) -> [AccountNotification] {
        (0..<count).map { number in
            let author = FakeAuthor(UInt8(10 + number))
            let moment = Timestamp(seconds: 2000 - Int64(number))
            return AccountNotification(
                author.event(number == 0 ? "🔥" : "+", kind: 7, tags: [["e", note.id.hex]], at: moment), .reaction,
                about: note.id)
        }
    }

    private func under(_ all: [AccountNotification], canSign: Bool = true) throws -> FaceUnderTest {
        notifications.put(all, about: [note], by: world.people)
        return try FaceUnderTest(world, canSign: canSign, notifications: notifications)
    }

    @Test("tell who reacted in one row, and count what is unread on every page")
    func grouped() async throws {
        try await under(reactions(5)).test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/notifications", cookie: cookie)
            #expect(page.status == .ok && page.text.contains("and 2 others reacted to your note"))
            #expect(page.text.contains("my own note") && page.text.contains("🔥"))
            #expect(page.text.contains("In the last 24 hours: 5 reactions."))
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.contains("data-notifications><i data-count>5</i>"))
        }
    }

    @Test("a tone is for those alone who chose it")
    func tone() async throws {
        try await under(reactions(1)).test { browser in
            let cookie = try await browser.logIn()
            let before = try await browser.get("/settings", cookie: cookie)
            #expect(!before.text.contains("data-tone"))
            _ = try await browser.post("/settings", ["csrf": before.csrf, "sounds": "1"], cookie: cookie)
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.contains("data-notifications data-tone"))
        }
    }

    @Test("tell who follows in one line, and lead from a line of a chat to its stream")
    func followersAndChats() async throws {
        let follows = (0..<5).map { number in
            let list = FakeAuthor(UInt8(20 + number)).event("", kind: 3, at: Timestamp(seconds: 5000))
            return AccountNotification(
                follower: list.pubkey, since: Timestamp(seconds: 4000 - Int64(number)), by: list.id)
        }
        let address = "30311:\(FakeAuthor(2).key.hex):dawn"
        let line = AccountNotification(
            FakeAuthor(2).event(
                "look <there>", kind: 1311, tags: [["a", address, "", "root"]], at: Timestamp(seconds: 3000)), .chat,
            about: nil)
        try await under(follows + [line]).test { browser in
            let page = try await browser.get("/notifications", cookie: try await browser.logIn()).text
            #expect(page.contains("and 2 others follow you"))
            #expect(page.contains("mentioned you in a live chat") && page.contains("look &lt;there&gt;"))
            #expect(page.contains("href=\"/streams/naddr1") && !page.contains("/compose?reply"))
            #expect(page.contains("5 new followers") && page.contains("1 line to you in a live chat"))
            #expect(page.contains("only=followers") && page.contains("only=chats"))
        }
    }

    @Test("are read when that is said, and not before")
    func reading() async throws {
        try await under(reactions(2)).test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/notifications", cookie: cookie)
            #expect(page.text.contains("is-unread") && notifications.readThrough == Timestamp(seconds: 0))
            let done = try await browser.post(
                "/notifications/read", ["csrf": page.csrf, "through": "2000"], cookie: cookie)
            #expect(done.status == .seeOther && done.location == "/notifications")
            #expect(notifications.readThrough == Timestamp(seconds: 2000))
            let after = try await browser.get("/notifications", cookie: cookie).text
            #expect(!after.contains("is-unread") && !after.contains("Mark all read"))
            let refused = try await browser.post("/notifications/read", ["csrf": "x"], cookie: cookie)
            #expect(refused.status == .forbidden)
        }
    }

    @Test("show what was chosen, and one sort alone where that is asked for")
    func choosing() async throws {
        let mention = AccountNotification(
            FakeAuthor(2).event("hello <b>you</b>", at: Timestamp(seconds: 3000)), .mention, about: nil)
        try await under([mention] + reactions(2)).test { browser in
            let cookie = try await browser.logIn()
            let alone = try await browser.get("/notifications?only=mentions", cookie: cookie)
            #expect(alone.text.contains("hello &lt;b&gt;you&lt;/b&gt;") && !alone.text.contains("reacted to"))
            let saved = try await browser.post(
                "/notifications/shown", ["csrf": alone.csrf, "show-reactions": "1"], cookie: cookie)
            #expect(saved.status == .seeOther)
            let all = try await browser.get("/notifications", cookie: cookie).text
            #expect(all.contains("reacted to") && !all.contains("hello &lt;b&gt;"))
            // A name that is none is as if nothing was asked for.
            #expect(try await browser.get("/notifications?only=%22%3E", cookie: cookie).status == .ok)
        }
    }

    @Test("go on where a page ended")
    func older() async throws {
        try await under(reactions(120)).test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/notifications", cookie: cookie).text
            let start = try #require(page.firstRange(of: "data-before=\""))
            let mark = page[start.upperBound...].prefix { $0 != "\"" }
            let older = try await browser.get("/notifications?before=\(mark)", cookie: cookie).text
            #expect(older.contains("and 17 others") && older.contains("That is all there is so far."))
        }
    }

    @Test("of an account that can only read have nothing to answer with")
    func readOnly() async throws {
        let mention = AccountNotification(
            FakeAuthor(2).event("hello", at: Timestamp(seconds: 3000)), .mention, about: nil)
        try await under([mention], canSign: false).test { browser in
            let page = try await browser.get("/notifications", cookie: try await browser.logIn())
            #expect(page.status == .ok && page.text.contains("mentioned you") && !page.text.contains("/compose?reply"))
        }
    }
}
