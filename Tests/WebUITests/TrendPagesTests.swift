import HTTPTypes
import NostrClient
import NostrCore
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("trending topics and people on pages")
struct TrendPagesTests {
    @Test("topics lead to their feeds, with how many people; a server is named only where the person uses one")
    func topics() async throws {
        let under = try FaceUnderTest()
        under.account.counted.put(topics: [
            TrendingTopic(name: "birds", people: 12), TrendingTopic(name: "a/b<c>", people: 2),
        ])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/trending/topics?within=7d&from=server", cookie: cookie)
            #expect(page.text.contains(#"href="/tags/birds""#) && page.text.contains("12 people"))
            #expect(page.text.contains("#a/b&lt;c&gt;") && page.text.contains(#"href="/tags/a%2Fb%3Cc%3E""#))
            #expect(page.text.contains(#"href="/trending/topics?within=7d" aria-current="true""#))
            #expect(!page.text.contains("Counted where") && under.account.counted.asked.isEmpty)
            let settings = try await browser.get("/settings", cookie: cookie)
            _ = try await browser.post(
                "/settings/trending", ["csrf": settings.csrf, "used": "on", "server": "wss://feeds.example"],
                cookie: cookie)
            let with = try await browser.get("/trending/topics?from=server", cookie: cookie)
            #expect(with.text.contains("feeds.example") && with.text.contains("Counted where"))
            let server = try RelayURL("wss://feeds.example")
            #expect(under.account.counted.asked == [server])
            under.account.counted.put(topics: [])
            let nothing = try await browser.get("/trending/topics?from=server", cookie: cookie)
            #expect(nothing.text.contains("The server gave nothing") && !nothing.text.contains("your relays send"))
        }
    }

    @Test("people lead to their pages; where nothing is trending that is said")
    func people() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let none = try await browser.get("/trending/people", cookie: cookie)
            #expect(none.status == .ok && none.text.contains("Nothing is trending yet"))
            let ben = TestPerson.bob.publicKey
            under.account.counted.put(people: [Person(key: ben, fields: ["name": "Ben <b>"])])
            let page = try await browser.get("/trending/people", cookie: cookie)
            #expect(page.text.contains("/people/\(ben.hex)") && page.text.contains("Ben &lt;b&gt;"))
            let notes = try await browser.get("/trending", cookie: cookie)
            #expect(
                notes.text.contains(#"href="/trending/topics""#) && notes.text.contains(#"href="/trending/people""#))
        }
    }
}
