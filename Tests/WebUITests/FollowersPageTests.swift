import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the page of who follows somebody")
struct FollowersPageTests {
    @Test("is linked from their page, lists people by name as text, and says what it cannot know")
    func page() async throws {
        var world = FakeWorld.plain(notes: 1)
        let (ben, cleo) = (world.authors[1].key, world.authors[2].key)
        world.people[cleo]?.fields["name"] = "<b>Cleo"
        let under = try FaceUnderTest(world)
        let people = [world.people[cleo], Person(key: FakeAuthor(9).key)].compactMap(\.self)
        await under.account.set(followers: Followers(people: people, hasMore: true), of: ben)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let profile = try await browser.get("/people/\(ben.hex)", cookie: cookie).text
            #expect(profile.contains("<a href=\"/people/\(ben.hex)/followers\">Who follows them</a>"))
            let page = try await browser.get("/people/\(ben.hex)/followers", cookie: cookie)
            #expect(page.status == .ok && page.text.contains("<h1>Who follows Ben</h1>"))
            let lead = "More than 2 people follow this person, by the lists of follows on this machine."
            #expect(page.text.contains(lead))
            #expect(page.text.contains("You follow 1 of them.") && page.text.contains("Relays are not asked"))
            #expect(page.text.contains("href=\"/people/\(cleo.hex)\"") && page.text.contains("&lt;b&gt;Cleo"))
            let nobody = try await browser.get("/people/\(cleo.hex)/followers", cookie: cookie).text
            #expect(nobody.contains("No list of follows on this machine names this person."))
            #expect(try await browser.get("/people/x/followers", cookie: cookie).status == .notFound)
        }
    }
}
