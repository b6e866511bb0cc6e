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
