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

    @Test("say whether articles, films that may change, and comments stand on home")
    func home() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/settings", cookie: cookie)
            #expect(page.text.contains(#"name="articles" value="1">"#))
            let saved = try await browser.post(
                "/settings/home", ["csrf": page.csrf, "articles": "1"], cookie: cookie)
            #expect(saved.location == "/settings?saved=1")
            #expect(await under.account.homeKinds == [30_023])
            let after = try await browser.get("/settings", cookie: cookie).text
            #expect(after.contains(#"name="articles" value="1" checked"#))
            #expect(after.contains(#"name="films" value="1">"#) && after.contains(#"name="comments" value="1">"#))
            _ = try await browser.post("/settings/home", ["csrf": page.csrf, "comments": "1"], cookie: cookie)
            #expect(await under.account.homeKinds == [1111])
            let last = try await browser.get("/settings", cookie: cookie).text
            #expect(last.contains(#"name="comments" value="1" checked"#))
            #expect(last.contains(#"name="articles" value="1">"#))
        }
        #expect(HomeChoice(words: "films,articles") == HomeChoice(articles: true, films: true))
        #expect(HomeChoice(words: "comments") == HomeChoice(articles: false, films: false, comments: true))
        #expect(HomeChoice(words: "none") == HomeChoice(articles: false, films: false))
        for wrong in ["", "notes", "none,films", ","] { #expect(HomeChoice(words: wrong) == nil, "\(wrong)") }
    }

    @Test("say how long a note can be undone, and whether it tells what wrote it")
    func writing() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            #expect(try await browser.get("/compose", cookie: cookie).text.contains("undo for 10 seconds"))
            for strange in ["7", "-5", "soon"] {
                _ = try await browser.post("/settings", ["csrf": csrf, "undo": strange], cookie: cookie)
                #expect(await under.personal.undoTime == .seconds(10))
            }
            _ = try await browser.post("/settings", ["csrf": csrf, "undo": "30"], cookie: cookie)
            _ = try await browser.post("/compose", ["csrf": csrf, "text": "Soon.", "do": "publish"], cookie: cookie)
            #expect(try await browser.get("/settings", cookie: cookie).text.contains(#"max="30""#))
            _ = try await browser.post("/settings", ["csrf": csrf, "undo": "0", "client": "1"], cookie: cookie)
            #expect(await under.personal.undoTime == .zero)
            #expect(await under.personal.client == "Linnet")
            let page = try await browser.get("/settings", cookie: cookie).text
            #expect(page.contains(#"value="0" selected"#) && page.contains(#"name="client" value="1" checked"#))
            let compose = try await browser.get("/compose", cookie: cookie).text
            #expect(!compose.contains("You can undo"))
            _ = try await browser.post("/settings", ["csrf": csrf, "undo": "60"], cookie: cookie)
            // The first note is one like others.
            #expect(noteStepView(FirstNote(), undo: .seconds(60)).text.contains("undo for 60 seconds"))
            _ = try await browser.post("/start/note", ["csrf": csrf, "text": "Here I am."], cookie: cookie)
            let held = try await browser.get("/settings", cookie: cookie).text
            #expect(held.contains(#"class="held-meter" max="60""#))
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
