import HTTPTypes
import ScreenTesting
import Testing

@testable import WebUI

@Suite("the page that guest links open")
struct GuestPageTests {
    @Test("it opens without a session, leaves no cookie, and may connect to relays and nothing else")
    func page() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let page = try await browser.get("/guest")
            #expect(page.status == .ok && page.headers[.setCookie] == nil)
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && policy.contains("connect-src wss: ws:;"))
            #expect(policy.contains("script-src 'self'") && !policy.contains("unsafe") && !policy.contains("https:"))
            #expect(page.headers[try #require(HTTPField.Name("Referrer-Policy"))] == "no-referrer")
            #expect(page.text.contains("data-guest") && page.text.contains("<noscript>"))
        }
    }

    @Test("it is the same for who is logged in, and says nothing of them")
    func same() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let inside = try await browser.get("/guest", cookie: try await browser.logIn())
            let outside = try await browser.get("/guest")
            #expect(inside.text == outside.text && !inside.text.contains("csrf"))
        }
    }
}
