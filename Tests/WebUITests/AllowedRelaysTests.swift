import HTTPTypes
import NostrClient
import NostrCore
import NostrRelay
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("relays in private networks")
struct AllowedRelaysTests {
    private func report(_ text: String, waits: Bool) throws -> RelayReport {
        var statistics = RelayStatistics()
        statistics.awaitsPermission = waits
        if waits { statistics.state = .waiting(retryAfter: .seconds(60)) }
        return RelayReport(
            relay: try RelayURL(text), statistics: statistics, authors: [], isOwnRead: false, isOwnWrite: false)
    }

    @Test("one that a stranger named is asked about, allowed one by one, and taken back")
    func asks() async throws {
        let under = try FaceUnderTest()
        await under.account.show(
            // By its address only an invitation to a circle can name it: from lists it is left out.
            relays: [
                try report("ws://192.168.1.5:7777", waits: true), try report("ws://nas.example", waits: true),
                try report("wss://far.example", waits: false),
            ],
            coverage: [])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/relays", cookie: cookie)
            #expect(page.text.contains(#"aria-label="Allow 192.168.1.5:7777""#))
            #expect(page.text.contains(#"aria-label="Allow nas.example""#))
            #expect(!page.text.contains(#"aria-label="Allow far.example""#))
            #expect(page.text.contains("3 relays, 2 need permission</summary>"))
            #expect(page.text.contains(#"<span class="health is-awaits-permission">Needs permission</span></td>"#))
            #expect(!page.text.contains(#"Failing</span></td>"#))
            let legend = #"Needs permission</span> in a private network; not asked until you allow it</li>"#
            #expect(page.text.contains(legend))
            let own = try await browser.get("/relays/relay?relay=ws%3A%2F%2F192.168.1.5%3A7777", cookie: cookie)
            #expect(own.text.contains(">Allow ws://192.168.1.5:7777</button>"))
            let state = "Needs permission</span> · in a private network; not asked until you allow it</p>"
            #expect(own.text.contains(state))
            #expect(own.text.contains(">It was not asked.</p>"))
            _ = try await browser.post(
                "/relays/relay/list", ["csrf": page.csrf, "relay": "ws://nas.example", "kind": "10006"], cookie: cookie)
            let blocked = try await browser.get("/relays/relay?relay=ws%3A%2F%2Fnas.example", cookie: cookie)
            #expect(blocked.text.contains(#"<span class="health is-blocked">Blocked</span></p>"#))
            #expect(!blocked.text.contains(">Allow ws://nas.example</button>"))
            let answer = try await browser.post(
                "/relays/allowed", ["csrf": page.csrf, "relay": "ws://192.168.1.5:7777"], cookie: cookie)
            #expect(answer.location == "/relays")
            #expect(await under.settings.settings().allowedRelays == ["ws://192.168.1.5:7777"])
            #expect(await under.account.acts == ["allow ws://192.168.1.5:7777"])
            let allowed = try await browser.get("/relays", cookie: cookie)
            #expect(allowed.text.contains("You allowed ws://192.168.1.5:7777. Linnet connects to it now."))
            #expect(allowed.text.contains(#"aria-label="Take back ws://192.168.1.5:7777""#))
            #expect(!allowed.text.contains(#"aria-label="Allow 192.168.1.5:7777""#))
            _ = try await browser.post(
                "/relays/allowed", ["csrf": page.csrf, "relay": "ws://192.168.1.5:7777", "off": "1"], cookie: cookie)
            #expect(await under.settings.settings().allowedRelays == [])
        }
    }

    @Test("whoever allows one from another page comes back to that page")
    func back() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/relays", cookie: cookie).csrf
            let answer = try await browser.post(
                "/relays/allowed", ["csrf": csrf, "relay": "ws://10.0.0.1", "back": "/circles/01"], cookie: cookie)
            #expect(answer.location == "/circles/01")
            #expect(await under.settings.settings().allowedRelays == ["ws://10.0.0.1"])
            let away = try await browser.post(
                "/relays/allowed", ["csrf": csrf, "relay": "ws://10.0.0.1", "back": "//evil.example"], cookie: cookie)
            #expect(away.location == "/relays")
        }
    }

    @Test("what is no address is not allowed, nor anything without the form's token")
    func refuses() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/relays", cookie: cookie).csrf
            _ = try await browser.post("/relays/allowed", ["csrf": csrf, "relay": "http://x"], cookie: cookie)
            _ = try await browser.post("/relays/allowed", ["csrf": "", "relay": "ws://10.0.0.1"], cookie: cookie)
            #expect(await under.settings.settings().allowedRelays == [])
        }
    }
}
