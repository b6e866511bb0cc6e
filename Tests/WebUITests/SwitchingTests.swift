import AsyncPrimitives
import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("two accounts in one browser")
struct SwitchingTests {
    /// A second person with an account of their own; her notes are told apart by their text.
    private static func other(locked: Bool = false, in under: FaceUnderTest) async -> FakeAccount {
        var world = FakeWorld.of(FakeAuthor(9), named: "Wren")
        world.write("Only Wren reads this.", by: 0, ago: 10)
        let account = FakeAccount(world)
        await under.opening.add(account, name: "Wren", locked: locked)
        return account
    }

    @Test("the drawer lists both, and switching opens the other")
    func switches() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        let wren = await Self.other(locked: true, in: under)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("Switch to Wren, locked"))
            #expect(!home.text.contains("Switch to Ada"))
            let page = try await browser.post(
                "/welcome/open", ["csrf": home.csrf, "key": wren.publicKey.hex], cookie: cookie)
            #expect(page.location == "/home")
            let there = try await browser.get("/home", cookie: cookie)
            #expect(there.text.contains("Only Wren reads this.") && !there.text.contains("Note 1"))
            #expect(there.text.contains("Unlock to write"))
            #expect(there.text.contains("Switch to Ada"))
        }
    }

    @Test("a form of the account before is refused, and does nothing to either")
    func refused() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        let wren = await Self.other(in: under)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let old = try await browser.get("/home", cookie: cookie).csrf
            _ = try await browser.post("/welcome/open", ["csrf": old, "key": wren.publicKey.hex], cookie: cookie)
            let id = try #require(await under.account.notes.first?.id.hex)
            for path in ["/note/\(id)/like", "/compose", "/profile/edit", "/lock"] {
                let page = try await browser.post(path, ["csrf": old, "text": "x", "do": "publish"], cookie: cookie)
                #expect(page.status == .forbidden)
            }
            #expect(await under.account.acts.isEmpty)
            #expect(await wren.acts.isEmpty)
        }
    }

    @Test("a script of a page of the account before gets nothing of the new one")
    func fragments() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        let wren = await Self.other(in: under)
        let old = ["X-Linnet-Fragment": "1", "X-Linnet-Account": under.account.publicKey.hex]
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let before = try await browser.get("/home/newer", cookie: cookie, old)
            #expect(before.status == .ok)
            let csrf = try await browser.get("/home", cookie: cookie).csrf
            _ = try await browser.post("/welcome/open", ["csrf": csrf, "key": wren.publicKey.hex], cookie: cookie)
            let after = try await browser.get("/home/newer", cookie: cookie, old)
            #expect(after.status == .conflict && !after.text.contains("Wren"))
            let live = try await browser.get("/events?for=\(under.account.publicKey.hex)", cookie: cookie)
            #expect(live.status == .noContent)
        }
    }

    @Test("live pages of the account before end, and its notices with them")
    func streams() {
        let ada = FakeAccount(.plain(notes: 0))
        let wren = FakeAccount(.of(FakeAuthor(9), named: "Wren"))
        let session = BrowserSession(openedAt: Timestamp(seconds: 0), account: ada)
        let page = session.now
        let stream = session.beginStream(of: ada.publicKey)?.number ?? 0
        session.leave(Notice(sentence: "Ada only"))
        session.open(ada)
        #expect(session.isStill(page) && session.isOpen(stream: stream))
        session.open(wren)
        #expect(!session.isStill(page) && !session.isOpen(stream: stream))
        #expect(session.takeNotice() == nil)
        #expect(session.beginStream(of: ada.publicKey) == nil)
        session.leave(wren.publicKey)
        #expect(session.now.account == nil)
    }

    @Test("live pages end with their session: logged out, too old, or one too many", .timeLimit(.minutes(1)))
    func ended() async throws {
        let clock = MovedClock(Timestamp(seconds: 1000))
        let ada = FakeAccount(.plain(notes: 0))
        let sessions = Sessions(time: clock.time, tokenLifetime: .seconds(60), opening: FakeOpening(ada))
        let ends: [(String) async -> Void] = [
            { await sessions.close($0) },
            { word in
                clock.move(Sessions.sessionLifetime)
                _ = await sessions.session(word)
            },
            { _ in
                clock.move(.seconds(1))
                for _ in 0..<64 { _ = await sessions.open(ada) }
            },
        ]
        for end in ends {
            let word = await sessions.open(ada)
            let browser = try #require(await sessions.session(word)?.browser)
            let stream = try #require(browser.beginStream(of: ada.publicKey))
            await end(word)
            #expect(!browser.isOpen(stream: stream.number))
            // Rung: this does not wait.
            await stream.bell.wait()
        }
    }
}
