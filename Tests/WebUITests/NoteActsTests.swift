import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("what is done with a note")
struct NoteActsTests {
    @Test("is shown as done, and taken back by the same button", arguments: [("like", "l"), ("repost", "t")])
    func takenBack(act: String, key: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let id = try #require(await under.account.notes.first?.id.hex)
            let csrf = try await browser.get("/home", cookie: cookie).csrf
            let fragment = ["X-Linnet-Fragment": "1"]
            let on = try await browser.post("/note/\(id)/\(act)", ["csrf": csrf, "off": ""], cookie: cookie, fragment)
            #expect(on.text.contains("data-key=\"\(key)\" name=\"off\" value=\"1\""))
            let off = try await browser.post(
                "/note/\(id)/\(act)", ["csrf": csrf, "off": "1"], cookie: cookie, fragment)
            #expect(off.text.contains("data-key=\"\(key)\" name=\"off\" value=\"\""))
            // Another page was quicker.
            let again = try await browser.post(
                "/note/\(id)/\(act)", ["csrf": csrf, "off": "1"], cookie: cookie, fragment)
            #expect(again.status == .ok)
            let verb = act == "like" ? "unreact" : "unrepost"
            #expect(await under.account.acts.filter { $0 == "\(verb) \(id)" }.count == 2)
        }
    }

    @Test("the menu gives link, id and JSON, and what one does not do with one's own notes is not on it")
    func menu() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let notes = await under.account.notes
            let own = try #require(notes.first { $0.event.pubkey == under.account.publicKey })
            let other = try #require(notes.first { $0.event.pubkey != under.account.publicKey })
            for note in [own, other] {
                let menu = try await browser.get("/note/\(note.id.hex)/menu", cookie: cookie).text
                #expect(menu.contains("nostr:nevent1") && menu.contains(note.id.hex))
                #expect(menu.contains("&quot;sig&quot;:"))
                let isOwn = note.id == own.id
                #expect(menu.contains("/delete") == isOwn && menu.contains("/report") == !isOwn)
            }
        }
    }

    @Test("one unfollows from the menu, and can undo it")
    func unfollow() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let note = try #require(
                await under.account.notes.first {
                    $0.event.pubkey != under.account.publicKey && $0.author.isFollowed
                })
            let path = "/note/\(note.id.hex)/mark/unfollow"
            #expect(try await browser.get("/note/\(note.id.hex)/menu", cookie: cookie).text.contains(path))
            let csrf = try await browser.get("/home", cookie: cookie).csrf
            _ = try await browser.post(path, ["csrf": csrf, "off": ""], cookie: cookie)
            _ = try await browser.post(path, ["csrf": csrf, "off": "1"], cookie: cookie)
            let key = note.event.pubkey.hex
            #expect(await under.account.acts.suffix(2) == ["unfollow \(key)", "follow \(key)"])
        }
    }

    @Test("deleting asks first, and only for one's own notes")
    func delete() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let notes = await under.account.notes
            let own = try #require(notes.first { $0.event.pubkey == under.account.publicKey })
            let other = try #require(notes.first { $0.event.pubkey != under.account.publicKey })
            let asking = try await browser.get("/note/\(own.id.hex)/delete", cookie: cookie)
            #expect(asking.text.contains("cannot be undone") && asking.text.contains("may keep it"))
            #expect(await under.account.acts.isEmpty)
            #expect(try await browser.get("/note/\(other.id.hex)/delete", cookie: cookie).status == .notFound)
            _ = try await browser.post("/note/\(own.id.hex)/delete", ["csrf": asking.csrf], cookie: cookie)
            #expect(await under.account.acts == ["delete \(own.id.hex)"])
        }
    }

    @Test("a report is made with a reason, and says that it is public")
    func report() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let (notes, me) = (await under.account.notes, under.account.publicKey)
            let id = try #require(notes.first { $0.event.pubkey != me }?.id.hex)
            let own = try #require(notes.first { $0.event.pubkey == me }?.id.hex)
            let page = try await browser.get("/note/\(id)/report", cookie: cookie)
            #expect(try await browser.get("/note/\(own)/report", cookie: cookie).status == .notFound)
            let ownReport = try await browser.post(
                "/note/\(own)/report", ["csrf": page.csrf, "reason": "spam"], cookie: cookie)
            #expect(ownReport.status == .notFound)
            #expect(page.text.contains("A report is public"))
            let none = try await browser.post(
                "/note/\(id)/report", ["csrf": page.csrf, "reason": "dull"], cookie: cookie)
            #expect(none.status == .badRequest && none.text.contains("role=\"alert\""))
            #expect(await under.account.acts.isEmpty)
            let sent = try await browser.post(
                "/note/\(id)/report", ["csrf": page.csrf, "reason": "spam", "text": "  the same\nagain"], cookie: cookie
            )
            #expect(sent.status == .seeOther)
            #expect(await under.account.acts == ["report spam the same again \(id)"])
        }
    }
}
