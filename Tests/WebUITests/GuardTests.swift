import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the guards")
struct GuardTests {
    @Test("refuse a form without the token of its session", arguments: ["", "0", String(repeating: "a", count: 64)])
    func forged(token: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let id = try #require(await under.account.notes.first?.id.hex)
            for path in ["/note/\(id)/like", "/compose", "/settings", "/profile/edit", "/logout", "/settings/link"] {
                let page = try await browser.post(path, ["csrf": token, "text": "x"], cookie: cookie)
                #expect(page.status == .forbidden)
            }
            #expect(await under.account.acts.isEmpty)
        }
    }

    @Test("refuse a form with the token of another session")
    func crossed() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let first = try await browser.logIn()
            let second = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: first).csrf
            let page = try await browser.post("/settings", ["csrf": csrf, "media": "always"], cookie: second)
            #expect(page.status == .forbidden)
        }
    }

    @Test(
        "refuse a form another site sent, even with a good token",
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "http://evil.example"],
        ])
    func foreign(headers: [String: String]) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            let page = try await browser.post("/settings", ["csrf": csrf, "media": "always"], cookie: cookie, headers)
            #expect(page.status == .forbidden)
            #expect(await under.personal == PersonalSettings())
        }
    }

    @Test(
        "know the host by name, whatever the port",
        arguments: [
            ("localhost", true), ("127.0.0.1:4869", true), ("[::1]:80", true), ("LOCALHOST:1", true),
            ("evil.example", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example:80", false),
            ("", false),
        ])
    func hosts(authority: String, isOurs: Bool) {
        #expect(WebFace.Configuration().hosts.contains(hostName(authority)) == isOurs)
    }

    @Test(
        "put the strict headers on every answer",
        arguments: ["/home", "/login", "/healthz", "/nothing", "/favicon.svg"])
    func headers(path: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let page = try await browser.get(path, cookie: try await browser.logIn())
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(page.headers[.xContentTypeOptions] == "nosniff")
            let referrer = try #require(HTTPField.Name("Referrer-Policy"))
            #expect(page.headers[referrer] == "no-referrer")
        }
    }

    @Test(
        "let pictures from elsewhere in only as settings say",
        arguments: [(PersonalSettings.RemoteMedia.never, false), (.follows, true), (.always, true)])
    func media(choice: PersonalSettings.RemoteMedia, isOpen: Bool) async throws {
        let under = try FaceUnderTest(settings: Settings(first: PersonalSettings(remoteMedia: choice)))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for page in [try await browser.get("/login"), try await browser.get("/home", cookie: cookie)] {
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.contains("img-src 'self' https:") == isOpen)
            }
        }
    }

    @Test(
        "send a form back only to a path of this program",
        arguments: ["//evil.example", "https://evil.example", "/\\evil", "javascript:0", ""])
    func back(path: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            let id = try #require(await under.account.notes.first?.id.hex)
            let page = try await browser.post("/note/\(id)/like", ["csrf": csrf, "back": path], cookie: cookie)
            #expect(page.location == "/note/\(id)")
        }
    }
}
