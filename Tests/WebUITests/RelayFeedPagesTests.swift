import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("reading what relays give out")
struct RelayFeedPagesTests {
    @Test("what is no address of a relay is said to be none, and nothing of it becomes part of the page")
    func noAddress() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for word in ["", "nonsense", "http://x.example", "%3Cscript%3Ealert(1)%3C/script%3E"] {
                let page = try await browser.get("/relays/notes?relay=\(word)", cookie: cookie)
                #expect(page.status != .ok)
                #expect(page.text.contains("That is not a relay&#39;s address."), "\(page.text)")
                #expect(!page.text.contains("<script>alert"))
            }
        }
    }

    @Test("each relay of the relays page leads to its own page, and that to its notes")
    func linked() async throws {
        let under = try FaceUnderTest()
        await under.account.show(
            relays: [
                RelayReport(
                    relay: try RelayURL("wss://far.example/inbox"), statistics: RelayStatistics(), authors: [],
                    isOwnRead: false, isOwnWrite: false)
            ], coverage: [])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/relays", cookie: cookie)
            #expect(page.text.contains(#"href="/relays/relay?relay=wss%3A%2F%2Ffar.example%2Finbox""#))
            let relay = try await browser.get("/relays/relay?relay=wss%3A%2F%2Ffar.example%2Finbox", cookie: cookie)
            #expect(relay.text.contains(#"href="/relays/notes?relay=wss%3A%2F%2Ffar.example%2Finbox""#))
            let notes = try await browser.get("/relays/notes?relay=wss%3A%2F%2Ffar.example%2Finbox", cookie: cookie)
            #expect(notes.status == .ok)
            #expect(notes.text.contains("<h1>far.example/inbox</h1>"))
        }
    }
}
