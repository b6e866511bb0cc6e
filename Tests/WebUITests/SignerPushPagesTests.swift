import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("having a browser woken")
struct SignerPushPagesTests {
    private actor Waking: BrowserWaking {
        nonisolated let proxyName = "push.example"
        nonisolated let minuteOfDay = 23 * 60
        private(set) var woken: [BrowserSubscription] = [], forgotten: [BrowserSubscription] = []
        private(set) var whose: [PublicKey] = []
        private var trouble: Trouble?

        func fail(_ trouble: Trouble) { self.trouble = trouble }
        func pushKey() throws -> String {
            if let trouble { throw trouble }
            return "BKey"
        }
        func wake(_ browser: BrowserSubscription, for account: PublicKey) throws {
            if let trouble { throw trouble }
            woken.append(browser)
            whose.append(account)
        }
        func forget(_ browser: BrowserSubscription, for account: PublicKey) { forgotten.append(browser) }
    }

    @Test("is silent in quiet hours, which the worker asks for and a page does not")
    func quiet() async throws {
        let notifications = FakeNotifications()
        let under = try FaceUnderTest(.plain(notes: 1), notifications: notifications, waking: Waking())
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let worker = ["X-Linnet-Fragment": "1"]
            let path = "/notifications/quiet"
            #expect(try await browser.get(path, cookie: cookie, worker).text == "")
            let page = try await browser.get("/notifications", cookie: cookie)
            #expect(page.text.contains("While no page is open"))
            for (from, until, isQuiet) in [("22:30", "07:00", true), ("01:00", "07:00", false), ("", "", false)] {
                let fields: KeyValuePairs = [
                    "csrf": page.csrf, "show-replies": "1", "show-requests": "1", "from": from, "until": until,
                ]
                #expect(try await browser.post("/notifications/waking", fields, cookie: cookie).status == .seeOther)
                #expect(try await browser.get(path, cookie: cookie, worker).text == (isQuiet ? "quiet" : ""))
                #expect(try await notifications.waking().filters == [.replies, .requests])
                let form = try await browser.get("/notifications", cookie: cookie).text
                #expect(form.contains("name=\"from\" type=\"time\" value=\"\(from)\""))
            }
            // Whoever leaves requests out is shown none, quiet or not.
            let fields: KeyValuePairs = [
                "csrf": page.csrf, "show-replies": "1", "from": "22:30", "until": "07:00",
            ]
            #expect(try await browser.post("/notifications/waking", fields, cookie: cookie).status == .seeOther)
            #expect(try await browser.get(path, cookie: cookie, worker).text == "off")
            #expect(try await notifications.waking().filters == [.replies])
            #expect(try await browser.get(path, cookie: cookie).status == .badRequest)
        }
        let none = try FaceUnderTest(.plain(notes: 1), notifications: notifications)
        try await none.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/notifications/quiet", cookie: cookie).status == .notFound)
            #expect(try await !browser.get("/notifications", cookie: cookie).text.contains("While no page is open"))
        }
    }

    @Test("is offered on the settings page where a proxy is known, and hands on what the browser says")
    func wakes() async throws {
        let waking = Waking()
        let under = try FaceUnderTest(.plain(notes: 1), hasSigner: true, waking: waking)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/signer/settings", cookie: cookie)
            #expect(page.text.contains("data-push=\"\(page.csrf)\"") && page.text.contains("push.example"))
            let script = ["X-Linnet-Fragment": "1"]
            let key = try await browser.get("/signer/push", cookie: cookie, script)
            #expect(key.text == "{\"key\":\"BKey\"}" && key.headers[.cacheControl] == "no-store")
            #expect(try await browser.get("/signer/push", cookie: cookie).status == .badRequest)
            let fields: KeyValuePairs = [
                "csrf": page.csrf, "endpoint": "https://push.example/x?y", "p256dh": "Ab-_", "auth": "cd",
            ]
            for path in ["/signer/push", "/signer/push/end"] {
                #expect(try await browser.post(path, fields, cookie: cookie, script).status == .noContent)
            }
            let expected = BrowserSubscription(endpoint: "https://push.example/x?y", key: "Ab-_", secret: "cd")
            #expect(await waking.woken == [expected].compactMap(\.self))
            #expect(await waking.forgotten == [expected].compactMap(\.self))
            #expect(await waking.whose == [under.account.publicKey])
            let forged = try await browser.post("/signer/push", ["csrf": "x"], cookie: cookie, script)
            #expect(forged.status == .forbidden)
            await waking.fail(Trouble("The push proxy does not answer."))
            let failed = try await browser.post("/signer/push", fields, cookie: cookie, script)
            #expect(failed.status == .badGateway && failed.text == "The push proxy does not answer.")
        }
    }

    @Test(
        "takes only what a browser says",
        arguments: [
            ("http://push.example/", "Ab", "cd"), ("https://push.example/ x", "Ab", "cd"), ("", "Ab", "cd"),
            ("https://push.example/", "", "cd"), ("https://push.example/", "A b", "cd"),
            ("https://push.example/", "Ab", String(repeating: "x", count: 41)),
            ("https://" + String(repeating: "x", count: 1000), "Ab", "cd"), ("https://é.example/", "Ab", "cd"),
        ])
    func refuses(endpoint: String, key: String, secret: String) {
        #expect(BrowserSubscription(endpoint: endpoint, key: key, secret: secret) == nil)
    }

    @Test("is not offered where no proxy is known")
    func absent() async throws {
        let under = try FaceUnderTest(.plain(notes: 1), hasSigner: true)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(!(try await browser.get("/signer/settings", cookie: cookie).text.contains("data-push")))
            #expect(try await browser.get("/signer/push", cookie: cookie).status == .notFound)
        }
    }
}
