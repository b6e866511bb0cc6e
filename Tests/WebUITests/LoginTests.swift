import HTTPTypes
import Testing

@testable import WebUI

@Suite("the way in")
struct LoginTests {
    @Test("lets a browser in once per link, with a cookie no script and no other site can use")
    func once() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let link = browser.face.loginPath()
            let page = try await browser.get(link)
            #expect(page.status == .seeOther)
            let cookie = try #require(page.headers[.setCookie])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Path=/"))
            let again = try await browser.get(link)
            #expect(again.status == .forbidden)
            #expect(again.headers[.setCookie] == nil)
        }
    }

    @Test("lets a link die after its time")
    func expires() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let link = browser.face.loginPath()
            under.clock.move(.seconds(3601))
            let page1 = try await browser.get(link)
            #expect(page1.status == .forbidden)
        }
    }

    @Test("says at the plain address that sessions are at the home's own name, and never that name")
    func ownName() async throws {
        let name = "linnet-0123456789abcdef01234567.localhost"
        for (further, isSaid) in [([name], true), ([], false)] {
            let under = try FaceUnderTest(hosts: Set(["localhost"] + further))
            try await under.test { browser in
                for path in ["/login", "/login?token=guess", "/home", "/healthz", "/metrics", "/manifest.webmanifest"] {
                    let page = try await browser.get(path)
                    #expect(!page.text.contains(name) && page.location?.contains(name) != true)
                    if path.hasPrefix("/login") { #expect(page.text.contains("<code>.localhost</code>") == isSaid) }
                }
            }
        }
    }

    @Test("takes a pasted link as well")
    func pasted() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let page = try await browser.post(
                "/login", ["token": "http://127.0.0.1:4869" + browser.face.loginPath()], cookie: "")
            #expect(page.status == .seeOther)
        }
    }

    @Test(
        "shows nothing without a session",
        arguments: [
            "/", "/home", "/home/newer", "/relays", "/settings", "/search?q=a", "/compose", "/welcome", "/unlock",
        ])
    func closed(path: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            for cookie in ["", "linnet_80=guess"] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.status == .seeOther)
                #expect(page.location == "/login")
            }
        }
    }

    @Test("answers health and metrics without one")
    func probes() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let page2 = try await browser.get("/healthz")
            #expect(page2.text == "ok\n")
            let page3 = try await browser.get("/metrics")
            #expect(page3.status == .ok)
        }
    }

    @Test("shows no metrics where those are closed")
    func closedMetrics() async throws {
        let under = try FaceUnderTest(probes: WebFace.Probes(metrics: nil))
        try await under.test { browser in
            let answer1 = try await browser.get("/metrics")
            #expect(answer1.status == .notFound)
            let answer2 = try await browser.get("/healthz")
            #expect(answer2.text == "ok\n")
        }
    }

    @Test("a session goes on after a restart, and what is kept of it lets nobody in")
    func restart() async throws {
        let kept = SessionsInMemory()
        let cookie = try await FaceUnderTest(sessions: kept).test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/welcome", cookie: cookie).csrf
            _ = try await browser.post("/welcome/demo", ["csrf": csrf], cookie: cookie)
            return cookie
        }
        let word = try #require(cookie.split(separator: "=").last)
        #expect(kept.hashes.count == 1 && kept.hashes.allSatisfy { !$0.contains(word) })
        let restarted = try FaceUnderTest(sessions: kept)
        try await restarted.test { browser in
            let answer3 = try await browser.get("/home", cookie: cookie)
            #expect(answer3.status == .ok)
            for guess in kept.hashes {
                let answer4 = try await browser.get("/home", cookie: "linnet_80=\(guess)")
                #expect(answer4.location == "/login")
            }
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            _ = try await browser.post("/logout", ["csrf": csrf], cookie: cookie)
        }
        #expect(kept.hashes.isEmpty)
        try await FaceUnderTest(sessions: kept).test { browser in
            let answer5 = try await browser.get("/home", cookie: cookie)
            #expect(answer5.location == "/login")
        }
    }

    @Test("a session of an earlier run ends with its time")
    func restartTooLate() async throws {
        let kept = SessionsInMemory()
        let cookie = try await FaceUnderTest(sessions: kept).test { try await $0.logIn() }
        let restarted = try FaceUnderTest(sessions: kept)
        restarted.clock.move(Sessions.sessionLifetime + .seconds(1))
        try await restarted.test { browser in
            let answer6 = try await browser.get("/home", cookie: cookie)
            #expect(answer6.location == "/login")
        }
        #expect(kept.hashes.isEmpty)
    }

    @Test("where the pages are reached by https, the cookie never leaves it")
    func secureCookie() async throws {
        for (secure, isSecure) in [(Set(["localhost"]), true), ([], false)] {
            let under = try FaceUnderTest(secureHosts: secure)
            try await under.test { browser in
                let cookie = try #require(try await browser.get(browser.face.loginPath()).headers[.setCookie])
                #expect(cookie.hasPrefix("__Host-") == isSecure && cookie.hasSuffix("; Secure") == isSecure)
                let session = String(cookie.prefix { $0 != ";" })
                let answer7 = try await browser.get("/settings", cookie: session)
                #expect(answer7.status == .ok)
            }
        }
    }

    @Test(
        "private pages rest in no browser's cache",
        arguments: [
            "/messages", "/circles", "/drafts", "/lists", "/settings", "/signer", "/login", "/keys", "/compose",
            "/profile/edit",
        ])
    func notStored(path: String) async throws {
        let under = try FaceUnderTest(hasSigner: true)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let answer8 = try await browser.get(path, cookie: cookie)
            #expect(answer8.headers[.cacheControl] == "no-store")
        }
    }

    @Test("ends a session when asked")
    func leaves() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            _ = try await browser.post("/logout", ["csrf": csrf], cookie: cookie)
            let page4 = try await browser.get("/home", cookie: cookie)
            #expect(page4.location == "/login")
        }
    }
}
