import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the page of one relay")
struct RelayPageTests {
    private static let path = "/relays/relay?relay=wss%3A%2F%2Ffar.example"

    @Test("it says what the relay says of itself, each word of it as text")
    func statement() async throws {
        let document = """
            {"name": "Far <b>relay</b>", "description": "For walkers.\\n\\nAnd <script>alert(1)</script>",
             "contact": "mailto:far@far.example", "software": "https://far.example/code", "version": "2.1",
             "supported_nips": [42, 1, 11, "50", 1],
             "limitation": {"auth_required": true, "payment_required": true, "min_pow_difficulty": 12,
                            "created_at_lower_limit": 86400, "max_limit": -4},
             "payments_url": "javascript:alert(1)", "terms_of_service": "https://far.example/terms",
             "fees": {"admission": [{"amount": 1000000, "unit": "msats"}, {"unit": "msats"}],
                      "subscription": [{"amount": 5000000, "unit": "msats", "period": 2592000}],
                      "publication": [{"kinds": [4, 99999], "amount": 100, "unit": "msats"}, "free"]}}
            """
        let under = try FaceUnderTest()
        let information = try #require(RelayInformation(json: Array(document.utf8)))
        await under.account.set(information, of: try RelayURL("wss://far.example"))
        try await under.test { browser in
            let page = try await browser.get(Self.path, cookie: try await browser.logIn())
            #expect(page.status == .ok)
            for words in [
                "<h1>Far &lt;b&gt;relay&lt;/b&gt;</h1>", "<p>For walkers.</p>", "mailto:far@far.example",
                "https://far.example/code 2.1", "It asks everyone to log in.", "It wants to be paid.",
                "It takes only notes with 12 bits of work.", "A note may be 1 day old.", "1,000 sats to be let in",
                "5,000 sats for 30 days", "0.100 sats for each event of kind 4", "1, 11, 42, 50",
                #"href="https://far.example/terms""#,
            ] { #expect(page.text.contains(words), "\(words)") }
            #expect(!page.text.contains("<script>alert"))
            #expect(!page.text.contains(#"href="javascript"#))
            #expect(!page.text.contains("An answer has at most"))
        }
    }

    @Test("one that says nothing of itself has a page as well, and what is no address has none")
    func silent() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get(Self.path, cookie: cookie)
            #expect(page.text.contains("Nothing, or it did not answer in time."))
            #expect(page.text.contains("<h1>far.example</h1>"))
            let none = try await browser.get("/relays/relay?relay=nonsense", cookie: cookie)
            #expect(none.status != .ok)
        }
    }

    @Test("it is blocked, made a favourite and put on any list of relays there, and taken off again")
    func lists() async throws {
        let under = try FaceUnderTest()
        let relay = ListItem.relay(try RelayURL("wss://far.example"))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get(Self.path, cookie: cookie).csrf
            let lists = try #require(under.account.personal)
            for kind in [Kind.blockedRelays, .relayFeeds, .searchRelays, .directMessageRelays, .privateRelays] {
                let number = "\(kind.rawValue)"
                let answer = try await browser.post(
                    "/relays/relay/list", ["csrf": csrf, "relay": "wss://far.example", "kind": number], cookie: cookie)
                #expect(answer.status == .seeOther, "\(kind)")
                let list = await lists.list(kind, identifier: "")
                #expect((list.publicItems + list.privateItems).contains(relay), "\(kind)")
                #expect(list.publicItems.contains(relay) == (kind == .directMessageRelays), "\(kind)")
                // At once, whatever the connection does meanwhile.
                let standing = try await browser.get(Self.path, cookie: cookie)
                let isCalledBlocked = standing.text.contains(#"<span class="health is-blocked">Blocked</span>"#)
                #expect(isCalledBlocked == (kind == .blockedRelays), "\(kind)")
                _ = try await browser.post(
                    "/relays/relay/list",
                    ["csrf": csrf, "relay": "wss://far.example", "kind": number, "off": "1"], cookie: cookie)
                let emptied = await lists.list(kind, identifier: "")
                #expect((emptied.publicItems + emptied.privateItems).isEmpty, "\(kind)")
            }
        }
    }

    @Test("whether it learns who the person is stands there, is answered, and taken back")
    func consent() async throws {
        let under = try FaceUnderTest()
        let relay = try RelayURL("wss://far.example")
        try await under.test { browser in
            let cookie = try await browser.logIn()
            var page = try await browser.get(Self.path, cookie: cookie)
            #expect(page.text.contains("It has not asked, and would not be told."))
            await under.account.ask(from: relay, for: .reading)
            page = try await browser.get(Self.path, cookie: cookie)
            #expect(page.text.contains("It asks who you are, and waits for your answer."))
            let feed = try await browser.get("/relays/notes?relay=wss%3A%2F%2Ffar.example", cookie: cookie)
            #expect(feed.text.contains("This relay shows its notes only to people it knows."))
            let back = "/relays/relay?relay=wss%3A%2F%2Ffar.example"
            let answer = try await browser.post(
                "/relays/auth", ["csrf": page.csrf, "relay": relay.text, "answer": "never", "back": back],
                cookie: cookie)
            #expect(answer.location == back)
            page = try await browser.get(Self.path, cookie: cookie)
            #expect(page.text.contains("It never learns who you are."))
            _ = try await browser.post(
                "/relays/auth", ["csrf": page.csrf, "relay": relay.text, "answer": "revoke"], cookie: cookie)
            #expect(await under.account.consentEntries == [])
        }
    }

    @Test("no other list can be changed there, and no set that has no name")
    func otherLists() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get(Self.path, cookie: cookie).csrf
            for kind in ["10000", "3", "30002", "10002"] {
                let answer = try await browser.post(
                    "/relays/relay/list", ["csrf": csrf, "relay": "wss://far.example", "kind": kind], cookie: cookie)
                #expect(answer.status == .unprocessableContent, "\(kind)")
                #expect(answer.text.contains("There is no such list of relays."))
            }
            #expect(await under.account.personal?.lists().isEmpty == true)
        }
    }

    @Test("a relay for messages that takes only what is paid for is warned of")
    func closedInbox() async throws {
        let under = try FaceUnderTest()
        let relay = try RelayURL("wss://far.example")
        var information = RelayInformation()
        information.limitation.paymentRequired = true
        await under.account.set(information, of: relay)
        var statistics = RelayStatistics()
        statistics.restrictsWrites = true
        await under.account.show(
            relays: [
                RelayReport(relay: relay, statistics: statistics, authors: [], isOwnRead: false, isOwnWrite: false)
            ], coverage: [])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/relays", cookie: cookie).text.contains("where messages to you can be left"))
            _ = try await browser.post(
                "/relays/relay/list",
                [
                    "csrf": try await browser.get(Self.path, cookie: cookie).csrf, "relay": "wss://far.example",
                    "kind": "10050",
                ],
                cookie: cookie)
            for path in [Self.path, "/relays"] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.text.contains("far.example takes messages only from people it knows"), "\(path)")
            }
        }
    }
}
