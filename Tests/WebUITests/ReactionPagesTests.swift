import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("reactions and packs on pages")
struct ReactionPagesTests {
    private static let linnet = CustomEmoji(shortcode: "linnet", url: "https://e.example/l.png")

    private func group(_ content: String, of person: Person, isOwn: Bool = false) -> ReactionGroup {
        ReactionGroup(meaning: .emoji(content), content: content, count: 1, people: [person], isOwn: isOwn)
    }

    @Test("a note's page says who reacted with what; one's own is taken back, another's is joined")
    func shown() async throws {
        let under = try FaceUnderTest()
        let note = try #require(await under.account.notes.first)
        let ben = Person(key: TestPerson.bob.publicKey, fields: ["name": "Ben <b>"])
        await under.account.emoji.put([group("🔥", of: ben), group("🌱", of: ben, isOwn: true)], to: note.id)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let id = note.id.hex
            let page = try await browser.get("/note/\(id)", cookie: cookie)
            #expect(page.text.contains("Ben &lt;b&gt;") && !page.text.contains("Ben <b>"))
            #expect(page.text.contains("value=\"🔥\" formaction=\"/note/\(id)/react\""))
            #expect(page.text.contains("value=\"🌱\" formaction=\"/note/\(id)/unreact\""))
            let form: KeyValuePairs = ["csrf": page.csrf, "content": "🌱"]
            _ = try await browser.post("/note/\(id)/unreact", form, cookie: cookie)
            #expect(await under.account.emoji.acts == ["take back 🌱 \(id)"])
        }
    }

    @Test("an emoji is picked without scripts, and what is none is refused with a word")
    func picked() async throws {
        let under = try FaceUnderTest()
        let note = try #require(await under.account.notes.first)
        let linnet = try #require(Self.linnet)
        await under.account.emoji.put(EmojiPalette(recent: [.emoji("🔥")], own: [linnet]))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let path = "/note/\(note.id.hex)/react"
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("value=\":linnet:\"") && page.text.contains("https://e.example/l.png"))
            let refused = try await browser.post(path, ["csrf": page.csrf, "content": "hello"], cookie: cookie)
            #expect(refused.status == .unprocessableContent && refused.text.contains("Write one emoji"))
            for content in ["❤️", ":linnet:", "-"] {
                let done = try await browser.post(path, ["csrf": page.csrf, "content": content], cookie: cookie)
                #expect(done.status == .seeOther)
            }
            let acts = await under.account.acts
            #expect(Array(acts.suffix(3)) == ["❤️", ":linnet:", "-"].map { "react \($0) \(note.id.hex)" })
        }
    }

    @Test("a pack has a page by its address, and is adopted and left there")
    func pack() async throws {
        let under = try FaceUnderTest()
        let bob = TestPerson.bob
        let event = bob.event(
            kind: 30_030, tags: [["d", "birds"], ["title", "Birds"], ["emoji", "linnet", "https://e.example/l.png"]])
        let set = try #require(EmojiSet(event))
        await under.account.emoji.put(EmojiPack(set, author: Person(key: bob.publicKey), isAdopted: false))
        let code = try NostrEntity.naddr(AddressPointer(address: set.address)).encoded()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/emoji/\(code)", cookie: cookie)
            #expect(page.status == .ok && page.text.contains("Birds"))
            // A stranger's picture is not loaded by what the setting says.
            #expect(!page.text.contains("src=\"https://e.example/l.png\"") && page.text.contains(":linnet:"))
            let adopted = try await browser.post("/emoji/adopt", ["csrf": page.csrf, "pack": code], cookie: cookie)
            #expect(adopted.status == .seeOther)
            let all = try await browser.get("/emoji", cookie: cookie)
            #expect(all.text.contains("src=\"https://e.example/l.png\"") && all.text.contains("Stop using"))
            _ = try await browser.post("/emoji/leave", ["csrf": page.csrf, "pack": code], cookie: cookie)
            #expect(await under.account.emoji.acts == ["adopt birds", "leave birds"])
            let wrong = try await browser.post("/emoji/adopt", ["csrf": page.csrf, "pack": "naddr1x"], cookie: cookie)
            #expect(wrong.status == .unprocessableContent)
        }
    }

    @Test(
        "what is written to react with is one emoji, a name, + or -",
        arguments: [
            ("+", "+"), ("-", "-"), (" 🔥 ", "🔥"), ("❤️", "❤️"), ("👩‍🚀", "👩‍🚀"), (":wave:", ":wave:"), ("🔥🔥", nil),
            ("hello", nil), ("a", nil), ("1", nil), ("", nil), (":two words:", nil), ("::", nil),
        ] as [(String, String?)])
    func written(text: String, content: String?) {
        #expect(EmojiItem.content(written: text) == content)
    }
}
