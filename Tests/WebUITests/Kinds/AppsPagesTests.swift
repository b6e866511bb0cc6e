import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("apps for kinds that are not shown")
struct AppsPagesTests {
    /// An offer as it would come of an app that says this of itself.
    private func offer(_ name: String, _ template: String, people: [Person] = []) throws -> AppOffer? {
        let event = FakeAuthor(30).event(
            "", kind: 31_990, tags: [["d", name], ["k", "31871"], ["web", template]], at: Timestamp(seconds: 1))
        return try #require(AppHandler(event)).page(opening: ["naddr1abc"]).map {
            AppOffer(name: name, page: $0, people: people)
        }
    }

    @Test("are offered as links where such a note is opened, with who recommends them, and are not looked for on home")
    func offered() async throws {
        var world = FakeWorld.plain(notes: 2)
        let odd = world.note("{}", by: 1, kind: 31_871, tags: [["d", "x"], ["alt", "A walk"]], ago: 0)
        world.keep(odd)
        let under = try FaceUnderTest(world)
        let people = (2...6).map { Person(key: FakeAuthor($0).key, fields: ["name": "Fan <\($0)>"]) }
        let offers = [
            try offer("Foot <b>path", "https://footpath.example/a/<bech32>", people: people),
            try offer("", "https://mapper.example/?id=<bech32>"), try offer("Trap", "http://trap.example/<bech32>"),
            try offer("Trap", "javascript:alert('<bech32>')"),
        ].compactMap(\.self)
        under.account.offered.put(offers, opening: odd.id)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.contains("A walk") && !home.contains("footpath.example"))
            #expect(under.account.offered.questions.isEmpty)
            let page = try await browser.get("/note/\(odd.id.hex)", cookie: cookie).text
            #expect(page.contains("href=\"https://footpath.example/a/naddr1abc\" rel=\"noopener noreferrer"))
            #expect(
                page.contains("Foot &lt;b&gt;path") && page.contains("Fan &lt;2&gt;") && page.contains("and 2 more"))
            #expect(page.contains("href=\"https://mapper.example/?id=naddr1abc\""))
            #expect(page.contains("nobody you follow recommends it") && !page.contains("trap.example"))
            #expect(!page.contains("javascript:"))
        }
    }

    @Test("are not looked for where Linnet shows a note itself, and nothing stands there without any")
    func none() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        let note = try #require(await under.account.notes.first)
        try await under.test { browser in
            let page = try await browser.get("/note/\(note.id.hex)", cookie: try await browser.logIn()).text
            #expect(!page.contains("apps-title") && under.account.offered.questions.isEmpty)
        }
    }
}
