import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages of articles")
struct ArticlePagesTests {
    private static let tags: [NostrCore.Tag] = [
        ["d", "guide"], ["title", "A guide"], ["summary", "What it is about"], ["t", "birds"],
        ["image", "https://pictures.example/top.png"],
    ]

    private func makeWorld(_ markdown: String) throws -> (world: FakeWorld, code: String, note: Note) {
        var world = FakeWorld.plain(notes: 0)
        let note = world.note(markdown, by: 1, kind: 30_023, tags: Self.tags, ago: 60)
        world.keep(note)
        let address = try #require(note.event.address)
        return (world, try NostrEntity.naddr(AddressPointer(address: address)).encoded(), note)
    }

    @Test("an article is drawn from its Markdown, without HTML, under one heading")
    func page() async throws {
        let ben = FakeAuthor(2).key.npub
        let (world, code, note) = try makeWorld(
            """
            # One

            *soft* **hard** ~~gone~~ `code` <b>no</b>

            - [a link](https://a.example/x) and [bad](javascript:alert(1))
            - nostr:\(ben)

            > quoted

            ![A finch](https://pictures.example/finch.png)
            """)
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let page = try await browser.get("/article/\(code)", cookie: try await browser.logIn())
            #expect(page.status == .ok)
            for part in [
                "<h1 dir=\"auto\">A guide</h1>", "<h2>One</h2>", "<em>soft</em>", "<strong>hard</strong>",
                "<del>gone</del>", "<code>code</code>", "&lt;b&gt;no&lt;/b&gt;",
                "<blockquote><p>quoted</p></blockquote>",
                "<a href=\"https://a.example/x\" rel=\"noopener nofollow ugc\"", "alt=\"A finch\"",
                "src=\"https://pictures.example/top.png\"", "/compose?reply=\(note.id.hex)", "href=\"/tags/birds\"",
            ] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(!page.text.contains("javascript:") && !page.text.contains("<b>no"))
            #expect(page.text.split(separator: "<h1").count == 2)
        }
    }

    @Test("pictures of an article are loaded only as settings say")
    func media() async throws {
        let (world, code, _) = try makeWorld("![A finch](https://pictures.example/finch.png)")
        let under = try FaceUnderTest(world, settings: Settings(first: PersonalSettings(remoteMedia: .never)))
        try await under.test { browser in
            let page = try await browser.get("/article/\(code)", cookie: try await browser.logIn())
            #expect(!page.text.contains("src=\"https://pictures.example"))
            #expect(page.text.contains("A finch: <a href=\"https://pictures.example/finch.png\""))
        }
    }

    @Test("among notes an article is a card that leads to its page, and a note's address leads there too")
    func card() async throws {
        let (world, code, note) = try makeWorld("the long text")
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("href=\"/article/\(code)\"") && home.text.contains("What it is about"))
            #expect(!home.text.contains("the long text"))
            #expect(try await browser.get("/note/\(note.id.hex)", cookie: cookie).location == "/article/\(code)")
            #expect(try await browser.get("/search?q=nostr:\(code)", cookie: cookie).location == "/article/\(code)")
            let wrong = try NostrEntity.npub(note.event.pubkey).encoded()
            #expect(try await browser.get("/article/\(wrong)", cookie: cookie).status == .notFound)
        }
    }

    @Test("an event of an unknown kind is what its author says it is, and leads elsewhere as settings say")
    func unknownKinds() async throws {
        var world = FakeWorld.plain(notes: 0)
        let odd = world.note("{\"raw\":1}", by: 1, kind: 31_871, tags: [["d", "x"], ["alt", "A <b>walk"]], ago: 9)
        world.keep(odd)
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let path = "/note/\(odd.id.hex)"
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("A &lt;b&gt;walk") && page.text.contains("href=\"https://njump.me/naddr1"))
            #expect(!page.text.contains("&quot;raw&quot;"))
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            let refused = try await browser.post(
                "/settings", ["csrf": csrf, "handler": "javascript:x"], cookie: cookie)
            #expect(refused.status == .unprocessableContent)
            _ = try await browser.post("/settings", ["csrf": csrf, "handler": ""], cookie: cookie)
            #expect(!(try await browser.get(path, cookie: cookie).text.contains("njump")))
        }
    }
}
