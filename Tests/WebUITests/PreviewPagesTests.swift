import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("previews of links on pages")
struct PreviewPagesTests {
    private static let script = ["X-Linnet-Fragment": "1"]
    private static let link = "https://a.example/tides"
    private static let tides = LinkPreview(
        title: "Tides <b>", summary: "When the sea comes.", site: "Shore", picture: "https://pictures.example/t.png")

    private func world(isFollowed: Bool = true, _ text: String = "Look: \(link)") -> FakeWorld {
        var world = FakeWorld.plain(notes: 0)
        world.people[world.authors[1].key]?.isFollowed = isFollowed
        world.write(text, by: 1, ago: 10)
        return world
    }

    private func settings(
        _ previews: PersonalSettings.RemoteMedia, media: PersonalSettings.RemoteMedia = .always
    ) -> Settings {
        Settings(first: PersonalSettings(remoteMedia: media, linkPreviews: previews))
    }

    @Test(
        "what is known is drawn at once, escaped; what is not is asked for by a script, and the page waits for nobody")
    func card() async throws {
        let sites = FakeSites([Self.link: Self.tides])
        let under = try FaceUnderTest(world(), sites: sites)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let first = try await browser.get("/home", cookie: cookie).text
            #expect(first.contains("data-preview=\"/previews?url=https%3A%2F%2Fa.example%2Ftides"))
            #expect(sites.questions.isEmpty)
            let card = try await browser.get(
                "/previews?url=https%3A%2F%2Fa.example%2Ftides", cookie: cookie, Self.script)
            #expect(card.text.contains("Tides &lt;b&gt;") && card.text.contains("a.example · Shore"))
            #expect(!card.text.contains("pictures.example"))
            let second = try await browser.get("/home", cookie: cookie).text
            #expect(second.contains("Tides &lt;b&gt;") && !second.contains("data-preview"))
            #expect(second.contains("rel=\"noopener nofollow ugc\""))
        }
    }

    @Test(
        "links are previewed only as settings say",
        arguments: [
            (PersonalSettings.RemoteMedia.never, true, false), (.follows, true, true), (.follows, false, false),
            (.always, false, true),
        ])
    func choice(choice: PersonalSettings.RemoteMedia, isFollowed: Bool, isPreviewed: Bool) async throws {
        let under = try FaceUnderTest(
            world(isFollowed: isFollowed), settings: settings(choice), sites: FakeSites([:]))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/home", cookie: cookie).text.contains("data-preview") == isPreviewed)
        }
    }

    @Test("with previews off no site is asked, whatever a script says; no other page has one asked either")
    func refused() async throws {
        let sites = FakeSites([Self.link: Self.tides])
        let under = try FaceUnderTest(world(), settings: settings(.never), sites: sites)
        let path = "/previews?url=https%3A%2F%2Fa.example%2Ftides"
        try await under.test { browser in
            let page = try await browser.get(path, cookie: try await browser.logIn(), Self.script)
            #expect(page.status == .noContent)
        }
        let open = try FaceUnderTest(world(), settings: settings(.always), sites: sites)
        try await open.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get(path, cookie: cookie).status == .notFound)
            #expect(try await browser.get(path, Self.script).status != .ok)
        }
        #expect(sites.questions.isEmpty)
    }

    @Test(
        "a preview's picture is loaded where pictures of others are",
        arguments: [(PersonalSettings.RemoteMedia.never, false), (.follows, true), (.always, true)])
    func picture(media: PersonalSettings.RemoteMedia, isLoaded: Bool) async throws {
        let sites = FakeSites([Self.link: Self.tides], known: [Self.link])
        let under = try FaceUnderTest(world(), settings: settings(.always, media: media), sites: sites)
        try await under.test { browser in
            let page = try await browser.get("/home", cookie: try await browser.logIn()).text
            #expect(page.contains("Tides &lt;b&gt;"))
            #expect(page.contains("src=\"https://pictures.example/t.png\"") == isLoaded)
        }
    }

    @Test("the setting is kept, and says what it shows to whom")
    func setting() async throws {
        let under = try FaceUnderTest(world(), sites: FakeSites([:]))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/settings", cookie: cookie)
            #expect(page.text.contains("the address of the machine Linnet runs on"))
            _ = try await browser.post("/settings", ["csrf": page.csrf, "previews": "never"], cookie: cookie)
            #expect(await under.personal.linkPreviews == .never)
            #expect(await under.personal.remoteMedia == .follows)
        }
    }

    @Test("an older version's settings preview links of whom media is loaded")
    func older() {
        #expect(PersonalSettings(remoteMedia: .never).linkPreviews == .never)
        #expect(PersonalSettings().linkPreviews == .follows)
    }

    @Test("a hostile note costs a bounded page: its links, quotes and text are cut, and it is whole nowhere")
    func hostile() async throws {
        let links = (0..<10_000).map { "https://a.example/\($0)" }.joined(separator: " ")
        let text = links + String(repeating: " word", count: 200_000)
        let sites = FakeSites([:])
        let under = try FaceUnderTest(world(text), settings: settings(.always), sites: sites)
        let id = try #require(await under.account.notes.first?.id.hex)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.utf8.count < 150_000)
            #expect(home.split(separator: "data-preview=").count == NoteItem.mostPreviews + 1)
            let own = try await browser.get("/note/\(id)", cookie: cookie).text
            #expect(own.utf8.count < 600_000)
            #expect(own.split(separator: "<a href=\"https://a.example/").count <= 501)
            #expect(own.contains("It is longer than Linnet shows."))
        }
    }
}
