import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("reporting a person")
struct PersonReportTests {
    @Test("asks first, wants a reason, and tells what it did; nobody reports themselves")
    func report() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        let ben = FakeAuthor(2).key.hex
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/people/\(ben)/report", cookie: cookie)
            #expect(page.text.contains("Report Ben") && page.text.contains("public and signed"))
            let path = "/people/\(ben)/report"
            #expect(try await browser.post(path, ["csrf": page.csrf], cookie: cookie).status == .badRequest)
            let sent = try await browser.post(
                path, ["csrf": page.csrf, "reason": "spam", "text": "all day"], cookie: cookie)
            #expect(sent.location == "/people/\(ben)")
            #expect(await under.account.acts == ["report spam all day \(ben)"])
            let own = under.account.publicKey.hex
            #expect(try await browser.get("/people/\(own)/report", cookie: cookie).status == .notFound)
        }
    }
}
