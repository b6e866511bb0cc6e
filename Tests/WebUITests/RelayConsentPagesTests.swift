import NostrClient
import NostrCore
import ScreenTesting
import Testing

@testable import WebUI

@Suite("relays that ask who you are")
struct RelayConsentPagesTests {
    @Test("a question names the relay and why, is answered, and the answer is taken back")
    func answers() async throws {
        let under = try FaceUnderTest()
        let relay = try RelayURL("wss://asks.example")
        await under.account.ask(from: relay, for: .message)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/relays", cookie: cookie).text.contains("href=\"/relays/auth\""))
            let page = try await browser.get("/relays/auth", cookie: cookie)
            #expect(page.text.contains("asks.example</a>") && page.text.contains(">Pending</h2>"))
            #expect(page.text.contains("for a private message"))
            let answer = try await browser.post(
                "/relays/auth", ["csrf": page.csrf, "relay": relay.text, "answer": "always"], cookie: cookie)
            #expect(answer.location == "/relays/auth")
            #expect(await under.account.consentEntries.map(\.answer) == [.always])
            #expect(try await browser.get("/relays/auth", cookie: cookie).text.contains("may always know"))
            _ = try await browser.post(
                "/relays/auth", ["csrf": page.csrf, "relay": relay.text, "answer": "revoke"], cookie: cookie)
            #expect(await under.account.consentEntries == [])
        }
    }

    @Test("one answer serves all that wait, and what is no answer or has no token changes nothing")
    func all() async throws {
        let under = try FaceUnderTest()
        for name in ["a", "b"] {
            await under.account.ask(from: try RelayURL("wss://\(name).example"), for: .note)
        }
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/relays/auth", cookie: cookie).csrf
            _ = try await browser.post("/relays/auth", ["csrf": csrf, "answer": "maybe"], cookie: cookie)
            _ = try await browser.post("/relays/auth", ["csrf": "", "answer": "always"], cookie: cookie)
            #expect(await under.account.consentEntries.map(\.answer) == [nil, nil])
            _ = try await browser.post("/relays/auth", ["csrf": csrf, "answer": "never"], cookie: cookie)
            #expect(await under.account.consentEntries.map(\.answer) == [.never, .never])
        }
    }
}
