import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the page of keys")
struct KeyPagesTests {
    @Test("is never cached, and secrets show only in the answer to a form")
    func secrets() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/keys", cookie: cookie)
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(!page.text.contains(FakeKeys.encrypted) && !page.text.contains("apple"))
            let encrypted = try await browser.post("/keys/encrypted", ["csrf": page.csrf], cookie: cookie)
            #expect(encrypted.text.contains(FakeKeys.encrypted) && encrypted.headers[.cacheControl] == "no-store")
            let wrong = try await browser.post(
                "/keys/words", ["csrf": page.csrf, "passphrase": "wrong horse"], cookie: cookie)
            #expect(wrong.status == .unprocessableContent && !wrong.text.contains("apple"))
            #expect(!wrong.text.contains("wrong horse"))
            let words = try await browser.post(
                "/keys/words", ["csrf": page.csrf, "passphrase": FakeOpening.passphrase], cookie: cookie)
            #expect(words.text.contains("<li>apple</li>") && words.headers[.cacheControl] == "no-store")
            #expect(!words.text.contains(FakeOpening.passphrase))
        }
    }

    @Test("hands a backup over as a file")
    func backup() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/keys", cookie: cookie).csrf
            let refused = try await browser.post(
                "/keys/backup", ["csrf": csrf, "passphrase": "long enough", "again": "else"], cookie: cookie)
            #expect(refused.text.contains("The two passphrases differ."))
            let file = try await browser.post(
                "/keys/backup", ["csrf": csrf, "passphrase": "long enough", "again": "long enough"], cookie: cookie)
            let disposition = try #require(file.headers[.contentDisposition])
            #expect(disposition.hasPrefix("attachment; filename=\"linnet-npub1"))
            #expect(
                file.headers[.contentType] == "application/octet-stream" && file.headers[.cacheControl] == "no-store")
            #expect(file.text.hasPrefix("LINNET"))
        }
    }

    @Test("locks now, and every page says so")
    func locks() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/keys", cookie: cookie).csrf
            let page = try await browser.post("/lock", ["csrf": csrf, "back": "/keys"], cookie: cookie)
            #expect(page.location == "/keys")
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("Unlock to write") && !home.text.contains("action=\"/lock\""))
        }
    }

    @Test("burns only with the name and the passphrase, and every browser leaves")
    func burns() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let other = try await browser.logIn()
            let csrf = try await browser.get("/keys", cookie: cookie).csrf
            for (name, passphrase) in [("Ada", "wrong horse"), ("Adam", FakeOpening.passphrase), ("Ada", "")] {
                let page = try await browser.post(
                    "/keys/burn", ["csrf": csrf, "name": name, "passphrase": passphrase], cookie: cookie)
                #expect(page.status == .unprocessableContent)
            }
            #expect(await under.keys.acts.isEmpty)
            let gone = try await browser.post(
                "/keys/burn", ["csrf": csrf, "name": "Ada", "passphrase": FakeOpening.passphrase], cookie: cookie)
            #expect(gone.location == "/welcome")
            for session in [cookie, other] {
                let home = try await browser.get("/home", cookie: session)
                #expect(home.location == "/welcome")
            }
        }
    }

    @Test("somebody who acts keeps the key open; a page that keeps itself fresh does not")
    func touches() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            _ = try await browser.get("/home", cookie: cookie)
            let opened = await under.keys.touches
            #expect(opened == 1)
            let fragment = ["X-Linnet-Fragment": "1"]
            _ = try await browser.get("/home/newer", cookie: cookie, fragment)
            _ = try await browser.get(
                "/avatar/\(FakeAuthor(2).key.hex).svg", cookie: cookie, ["Sec-Fetch-Mode": "no-cors"])
            #expect(await under.keys.touches == opened)
            _ = try await browser.get("/present", cookie: cookie, fragment.merging(["X-Linnet-Present": "1"]) { $1 })
            #expect(await under.keys.touches == opened + 1)
        }
    }

    @Test("an account that only reads is offered no key to change")
    func readOnly() async throws {
        let under = try FaceUnderTest(.plain(notes: 1), canSign: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/keys", cookie: cookie)
            #expect(page.text.contains("only the public key") && !page.text.contains("/keys/passphrase"))
            let lists = try await browser.get("/lists", cookie: cookie)
            #expect(lists.text.contains("has no lists of its own here"))
        }
    }
}
