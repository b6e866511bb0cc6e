import NostrClient
import NostrCore
import NostrRelay
import ScreenTesting
import Testing

@testable import WebUI

@Suite("pages that say how complete they are")
struct CompletenessPagesTests {
    private func coverage(of person: Person) throws -> AuthorCoverage {
        let (far, near) = (try RelayURL("wss://far.example"), try RelayURL("wss://near.example"))
        return AuthorCoverage(
            person: person, asked: [far: .some(.complete), near: .some(.deadline)], received: [far: 3],
            heardUntil: [near: Timestamp(seconds: 1_699_000_000)], basis: .relayList)
    }

    @Test("home says it of everybody, a person's page of that person, and no page of somebody nobody was asked for")
    func people() async throws {
        let world = FakeWorld.plain(notes: 3)
        let under = try FaceUnderTest(world)
        let ben = try #require(world.people[world.authors[1].key])
        await under.account.show(relays: [], coverage: [try coverage(of: ben)])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.contains("The one person you follow:"))
            let page = try await browser.get("/people/\(ben.key.hex)", cookie: cookie).text
            #expect(page.contains("1 of 2 relays gave all they hold."))
            #expect(page.contains("All they held until <time"))
            let other = try await browser.get("/people/\(world.authors[2].key.hex)", cookie: cookie).text
            #expect(!other.contains("relays gave all they hold."))
        }
    }

    @Test("messages and notifications say it of the relays where others reach the account")
    func inbound() async throws {
        let world = FakeWorld.plain(notes: 1)
        let own = try #require(world.people[world.own.key])
        let under = try FaceUnderTest(
            world, messages: FakeMessaging(own: own, at: world.newest - .seconds(86_400)),
            notifications: FakeNotifications())
        let inbox = try RelayURL("wss://inbox.example")
        await under.account.receive([
            InboundCoverage(relay: inbox, sort: .messages, standing: .complete, heardUntil: nil, received: 4),
            InboundCoverage(
                relay: inbox, sort: .notifications, standing: .failed, heardUntil: Timestamp(seconds: 1_699_000_000),
                received: 2),
        ])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let messages = try await browser.get("/messages", cookie: cookie).text
            #expect(messages.contains("The one relay gave all it holds."))
            let notifications = try await browser.get("/notifications", cookie: cookie).text
            #expect(notifications.contains("The one relay has not given all it holds."))
        }
    }
}
