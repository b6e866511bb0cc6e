import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

/// Text that would run, were it ever taken for markup.
let hostileTexts = [
    "<script>alert(1)</script>", "</textarea><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)", "<svg/onload=alert(1)>", "<iframe srcdoc='<script>alert(1)</script>'>",
    "{{own.key}}{{{csrf}}}", "&lt;script&gt;alert(1)&lt;/script&gt;", "<a href=\"javascript:alert(1)\">x</a>",
    "javascript:alert(1)//https://a.example", "https://a.example/\"onmouseover=alert(1)", "https://a.example/<script>",
    "#<script>alert(1)</script>", ":<img src=x onerror=alert(1)>:", "<!--", "]]>", "</title><script>alert(1)</script>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>", "\u{2028}<script>alert(1)</script>",
    "<style>@import 'https://evil.example'</style>", "<base href='https://evil.example'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>", "\u{0}<script\u{0}>alert(1)</script>",
]

@Suite("hostile text")
struct HostileTextTests {
    /// Every start of a tag on a page, without those the templates hold.
    private func foreignMarkup(_ page: Page) -> [String] {
        let marks = [
            "<script>", "<img src=x", "<svg/", "<iframe", "<math", "<style", "<base", "<meta http", "<mglyph",
            "<a href=\"javascript", "onerror=alert(1)>", "<script\u{FFFD}",
        ]
        return marks.filter { page.text.contains($0) }
    }

    @Test("stays text on every page", arguments: hostileTexts)
    func escaped(text: String) async throws {
        var world = FakeWorld.plain(notes: 0)
        let key = world.authors[1].key
        for field in ["name", "display_name", "about", "picture", "banner", "website", "nip05"] {
            world.people[key]?.fields[field] = text
        }
        let note = world.write(
            text, by: 1, tags: [["content-warning", text], ["t", text], ["emoji", "x", text]], ago: 10)
        let under = try FaceUnderTest(world, settings: Settings(first: PersonalSettings(remoteMedia: .always)))
        let id = note.id.hex
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let query = encodePercent(text)
            for path in [
                "/home", "/note/\(id)", "/people/\(key.hex)", "/search?q=\(query)", "/tags/\(query)",
                "/compose?reply=\(id)&text=\(query)&back=\(query)", "/compose/complete?word=@\(query)",
                "/note/\(id)/card",
            ] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(foreignMarkup(page).isEmpty, "\(path)")
                #expect(!page.text.contains("href=\"javascript"))
            }
        }
    }

    @Test("a form shows again what was filled in, as text", arguments: hostileTexts)
    func forms(text: String) async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            let preview = try await browser.post(
                "/compose", ["csrf": csrf, "do": "preview", "text": text, "warned": "1", "warning": text],
                cookie: cookie)
            #expect(foreignMarkup(preview).isEmpty)
            let edit = try await browser.post(
                "/profile/edit", ["csrf": csrf, "website": text, "about": text], cookie: cookie)
            #expect(foreignMarkup(edit).isEmpty)
        }
    }

    @Test("links out of Linnet leave no trace and lend no weight")
    func links() async throws {
        var world = FakeWorld.plain(notes: 0)
        world.write("https://a.example/page", by: 1, ago: 10)
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let page = try await browser.get("/home", cookie: try await browser.logIn())
            #expect(page.text.contains("<a href=\"https://a.example/page\" rel=\"noopener nofollow ugc\""))
        }
    }

    @Test("views hold no inline script, style or handler")
    func inline() throws {
        let texts = try viewTexts()
        #expect(texts.count > 60)
        for (name, text) in texts {
            // Data for a script is no script.
            let code = text.replacing("<script type=\"application/json\"", with: "")
            #expect(!code.contains(/<script(?![^>]*\ssrc=)|\sstyle=\\?"|\son[a-z]+=\\?"|<style/), "\(name)")
        }
    }

    @Test(
        "pictures are loaded only as settings say",
        arguments: [
            (PersonalSettings.RemoteMedia.never, true, false), (.never, false, false), (.follows, true, true),
            (.follows, false, false), (.always, false, true),
        ])
    func media(choice: PersonalSettings.RemoteMedia, isFollowed: Bool, isLoaded: Bool) async throws {
        var world = FakeWorld.plain(notes: 0)
        let key = world.authors[1].key
        world.people[key]?.isFollowed = isFollowed
        world.people[key]?.fields["picture"] = "https://pictures.example/me.png"
        world.write("https://pictures.example/cat.png", by: 1, ago: 10)
        let under = try FaceUnderTest(world, settings: Settings(first: PersonalSettings(remoteMedia: choice)))
        try await under.test { browser in
            let page = try await browser.get("/home", cookie: try await browser.logIn())
            #expect(page.text.contains("src=\"https://pictures.example/cat.png\"") == isLoaded)
            #expect(page.text.contains("src=\"https://pictures.example/me.png\"") == isLoaded)
            #expect(page.text.contains("pictures.example/cat.png"))
        }
    }
}
