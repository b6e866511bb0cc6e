import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the settings of each account")
struct PersonalSettingsTests {
    private static let before = Settings(
        look: Look(scheme: .light), first: PersonalSettings(look: Look(scheme: .dark), remoteMedia: .always))

    @Test("hold for the account that is open, and for no other")
    func apart() async throws {
        let under = try FaceUnderTest(.plain(notes: 0), settings: Self.before)
        let wren = FakeAccount(FakeWorld.of(FakeAuthor(9), named: "Wren"))
        await under.opening.add(wren, name: "Wren")
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            _ = try await browser.post("/settings", ["csrf": csrf, "media": "never"], cookie: cookie)
            let own = try await browser.get("/home", cookie: cookie)
            #expect(own.headers[.contentSecurityPolicy]?.contains("img-src 'self';") == true)
            _ = try await browser.post(
                "/welcome/open", ["csrf": own.csrf, "key": wren.publicKey.hex], cookie: cookie)
            let hers = try await browser.get("/home", cookie: cookie)
            #expect(hers.headers[.contentSecurityPolicy]?.contains("img-src 'self' https:;") == true)
            #expect(await under.settings.settings(of: wren.publicKey) == Self.before.first)
            #expect(await under.settings.settings() == Self.before)
        }
    }

    @Test("before anybody is logged in pages look as the program says; what goes wrong later, as the account does")
    func looks() async throws {
        let under = try FaceUnderTest(.plain(notes: 0), settings: Self.before)
        try await under.test { browser in
            #expect(try await browser.get("/login").text.contains("data-scheme=\"light\""))
            let cookie = try await browser.logIn()
            for path in ["/home", "/note/" + String(repeating: "0", count: 64), "/people/nobody"] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.text.contains("data-scheme=\"dark\""), "\(path) \(page.status)")
            }
        }
    }
}
