import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("GIFs on pages")
struct GifPagesTests {
    private static func gif(_ title: String, _ address: String, source: Gif.Source = .relays) -> Gif {
        var file = MediaAttachment(url: address)
        (file.type, file.description, file.byteCount) = ("image/gif", title, 2000)
        file.dimensions = PixelSize(width: 20, height: 10)
        return Gif(file, title: title, source: source)
    }

    private static let heron = gif("A <b>heron</b>", "https://a.example/1.gif")
    private static let imeta = "[\"imeta\",\"url https://a.example/1.gif\",\"m image/gif\",\"alt A heron\"]"

    private func under(_ found: [Gif], ofHost: [Gif] = [], problem: GifProblem = .notThere) throws -> FaceUnderTest {
        let under = try FaceUnderTest(.plain(notes: 0))
        under.account.foundGifs.put(found, ofHost: ofHost, problem: problem)
        return under
    }

    @Test("there is no way to GIFs where none are looked for")
    func nowhere() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(!(try await browser.get("/compose", cookie: cookie).text.contains("value=\"gif\"")))
            #expect(try await browser.get("/gifs/\(Self.heron.id)", cookie: cookie).status == .notFound)
        }
    }

    @Test("the note goes along to the page of GIFs and back, and a GIF that cannot be brought is named where it lies")
    func wholeWay() async throws {
        let under = try under([Self.heron, Self.gif("A goat", "https://a.example/2.gif")])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let compose = try await browser.get("/compose", cookie: cookie)
            #expect(compose.text.contains("value=\"gif\""))
            let picker = try await browser.post(
                "/compose",
                [
                    "csrf": compose.csrf, "text": "See \"this\"", "warned": "1", "warning": "birds",
                    "attached-0": "[\"imeta\",\"url https://a.example/0.png\",\"m image/png\"]", "do": "gif",
                ], cookie: cookie)
            #expect(picker.status == .ok && picker.text.contains("name=\"text\" value=\"See &quot;this&quot;\""))
            #expect(picker.text.contains("name=\"warning\" value=\"birds\""))
            #expect(picker.text.contains("https://a.example/0.png"))
            #expect(picker.text.contains("A &lt;b&gt;heron&lt;/b&gt;") && !picker.text.contains("<b>heron"))
            // Small pictures come by way of this machine.
            #expect(picker.text.contains("src=\"/gifs/\(Self.heron.id)\""))
            #expect(!picker.text.contains("src=\"https://a.example"))
            let searched = try await browser.post(
                "/compose/gif", ["csrf": picker.csrf, "text": "See", "q": "goat", "do": "search"], cookie: cookie)
            #expect(searched.text.contains("A goat") && !searched.text.contains("heron"))
            #expect(under.account.foundGifs.words == ["", "goat"])
            let chosen = try await browser.post(
                "/compose/gif", ["csrf": picker.csrf, "text": "See", "gif": Self.imeta], cookie: cookie)
            #expect(chosen.status == .ok && chosen.text.contains("https://a.example/1.gif"))
            #expect(chosen.text.contains("could not be brought") && chosen.text.contains("A heron"))
            #expect(chosen.text.contains(">See</textarea>"))
            let back = try await browser.post(
                "/compose/gif", ["csrf": picker.csrf, "text": "See", "do": "back"], cookie: cookie)
            #expect(back.text.contains(">See</textarea>") && !back.text.contains("1.gif"))
        }
    }

    @Test(
        "what is no GIF, another file, or nonsense is not added",
        arguments: [
            (Self.imeta, GifProblem.notGif), (Self.imeta, .otherFile), ("", .notThere), ("[\"imeta\"]", .notThere),
            ("[\"imeta\",\"url javascript:alert(1)\",\"m image/gif\"]", .notThere),
        ])
    func refused(tag: String, problem: GifProblem) async throws {
        let under = try under([Self.heron], problem: problem)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let page = try await browser.post(
                "/compose/gif", ["csrf": csrf, "text": "See", "gif": tag], cookie: cookie)
            #expect(page.status == .unprocessableContent && page.text.contains("class=\"problem\""))
            #expect(page.text.contains("Add a GIF</h1>") && page.text.contains("name=\"text\" value=\"See\""))
        }
    }

    @Test("where nothing is loaded from elsewhere there are words alone")
    func wordsAlone() async throws {
        let under = try FaceUnderTest(
            .plain(notes: 0), settings: Settings(first: PersonalSettings(remoteMedia: .never)))
        under.account.foundGifs.put([Self.heron])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let page = try await browser.post("/compose", ["csrf": csrf, "do": "gif"], cookie: cookie)
            #expect(page.text.contains("A &lt;b&gt;heron") && !page.text.contains("src=\"/gifs/"))
        }
    }

    @Test("a host is asked only with a key, which no page shows")
    func host() async throws {
        let key = "planted0key"
        let under = try under([], ofHost: [Self.gif("A wave", "https://h.example/1.gif", source: .host)])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let settings = try await browser.get("/settings/gifs", cookie: cookie)
            #expect(settings.text.contains("https://api.giphy.com") && settings.text.contains("Without a key"))
            let before = try await browser.post("/compose", ["csrf": settings.csrf, "do": "gif"], cookie: cookie)
            #expect(!before.text.contains("Powered by GIPHY") && before.text.contains("No GIFs yet"))
            let kept = try await browser.post(
                "/settings/gifs",
                ["csrf": settings.csrf, "host": "https://api.giphy.com/", "rating": "pg-13", "key": key],
                cookie: cookie)
            #expect(kept.status == .seeOther && under.account.foundGifs.key == key)
            #expect(await under.personal.gifs == GifHostChoice(rating: .pg13))
            let after = try await browser.get("/settings/gifs", cookie: cookie)
            #expect(after.text.contains("A key is kept") && !after.text.contains(key))
            let page = try await browser.post("/compose", ["csrf": settings.csrf, "do": "gif"], cookie: cookie)
            #expect(page.text.contains("Powered by GIPHY") && page.text.contains("A wave"))
            #expect(!page.text.contains(key))
            let empty = try await browser.post(
                "/settings/gifs", ["csrf": settings.csrf, "host": "", "rating": "g", "key": ""], cookie: cookie)
            #expect(empty.status == .seeOther && under.account.foundGifs.key == key)
            let nowhere = try await browser.post("/compose", ["csrf": settings.csrf, "do": "gif"], cookie: cookie)
            #expect(!nowhere.text.contains("Powered by GIPHY") && !nowhere.text.contains("A wave"))
            _ = try await browser.post("/settings/gifs", ["csrf": settings.csrf, "do": "forget"], cookie: cookie)
            #expect(under.account.foundGifs.key == nil)
        }
    }

    @Test(
        "what is no host or no key is said, and nothing is kept",
        arguments: [("http://x", ""), ("https://a.example", "abc")])
    func wrong(host: String, key: String) async throws {
        let under = try under([])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings/gifs", cookie: cookie).csrf
            let page = try await browser.post(
                "/settings/gifs", ["csrf": csrf, "host": host, "rating": "r", "key": key], cookie: cookie)
            #expect(page.status == .unprocessableContent && page.text.contains("class=\"problem\""))
            #expect(await under.personal.gifs == GifHostChoice() && under.account.foundGifs.key == nil)
        }
    }

    @Test("a file that is an event of its own is shown with its words; another sort is named")
    func cards() async throws {
        var world = FakeWorld.plain(notes: 0)
        let gif: [NostrCore.Tag] = [
            ["url", "https://a.example/1.gif"], ["m", "image/gif"], ["alt", "A heron lands"], ["dim", "20x10"],
        ]
        let document: [NostrCore.Tag] = [
            ["url", "https://a.example/1.pdf"], ["m", "application/pdf"], ["size", "48211"], ["summary", "Bread"],
        ]
        world.keep(world.note("Look", by: 1, kind: 1063, tags: gif, ago: 10))
        world.keep(world.note("", by: 1, kind: 1063, tags: document, ago: 20))
        let under = try FaceUnderTest(world, settings: Settings(first: PersonalSettings(remoteMedia: .always)))
        try await under.test { browser in
            let page = try await browser.get("/home", cookie: try await browser.logIn()).text
            #expect(page.contains("src=\"https://a.example/1.gif\" alt=\"A heron lands\"") && page.contains("Look"))
            #expect(page.contains("a.example/1.pdf</a>") && page.contains("application/pdf, 48 kB"))
            #expect(page.contains("Bread"))
        }
    }
}
