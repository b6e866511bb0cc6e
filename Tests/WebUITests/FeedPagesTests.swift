import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("feeds")
struct FeedPagesTests {
    /// An account with a set of people, called by what could be markup.
    private func face() async throws -> FaceUnderTest {
        let under = try FaceUnderTest(.plain(notes: 6))
        let lists = try #require(under.account.personal)
        let someone = try #require(await under.account.notes.first?.event.pubkey)
        var list = PersonalList(address: lists.address(.followSets, "a & b"))
        list.title = "<b>Birders</b>"
        list.publicItems = [.person(ProfilePointer(key: someone), petname: nil)]
        await lists.put(list)
        return under
    }

    @Test("home offers the feeds there are; one that is chosen opens, is marked, and is where the first page leads")
    func chosen() async throws {
        let under = try await face()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/", cookie: cookie).location == "/home")
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("&lt;b&gt;Birders&lt;/b&gt;") && !home.text.contains("<b>Birders"))
            let chosen = try await browser.post(
                "/feeds", ["csrf": home.csrf, "feed": "list:30000:a & b"], cookie: cookie)
            #expect(chosen.location == "/lists/30000/notes?d=a%20%26%20b")
            let page = try await browser.get(chosen.location ?? "", cookie: cookie)
            #expect(page.status == .ok)
            #expect(page.text.contains(#"value="list:30000:a &amp; b" aria-current="true""#), "\(page.text)")
            #expect(page.text.contains("data-live=\"") && !page.text.contains("data-home"))
            let again = try await browser.logIn()
            #expect(try await browser.get("/", cookie: again).location == chosen.location)
            #expect(await under.personal.feed == .list(.followSets, identifier: "a & b"))
        }
    }

    @Test("a list that somebody shows on their page is a feed, can be chosen, and says where it is not")
    func shared() async throws {
        let under = try FaceUnderTest(.plain(notes: 6))
        let (owner, someone) = (FakeAuthor(2).key, try #require(await under.account.notes.first?.event.pubkey))
        let address = EventAddress(kind: .followSets, author: owner, identifier: "a & b")
        let packs = EventAddress(kind: .emojiSets, author: owner, identifier: "e")
        under.account.shown.put(
            PersonShowcase(lists: [
                PersonShowcase.SharedList(
                    address: address, title: "<b>Birders</b>",
                    items: [.person(ProfilePointer(key: someone), petname: nil)]),
                PersonShowcase.SharedList(address: packs, title: "Smiles", items: [.hashtag("x")]),
            ]), of: owner)
        let path = "/people/\(owner.hex)/lists/30000?d=a%20%26%20b"
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let person = try await browser.get("/people/\(owner.hex)", cookie: cookie).text
            #expect(person.contains("href=\"\(path)\"") && person.contains("&lt;b&gt;Birders"))
            #expect(person.contains("Smiles") && !person.contains("/lists/30030"))
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.status == .ok && page.text.contains("Notes of one person") && page.text.contains("A list by"))
            let word = "list-of:\(address)"
            let chosen = try await browser.post("/feeds", ["csrf": page.csrf, "feed": word], cookie: cookie)
            #expect(chosen.location == path)
            #expect(await under.personal.feed == .shared(address))
            under.account.shown.put(PersonShowcase(), of: owner)
            let gone = try await browser.get(path, cookie: cookie)
            #expect(gone.status == .notFound && gone.text.contains("This list is not here."))
            #expect(try await browser.get("/", cookie: cookie).location == "/home")
            #expect(try await browser.get("/people/\(owner.hex)/lists/1", cookie: cookie).status == .notFound)
        }
    }

    @Test(
        "a status has its custom emoji where settings load pictures",
        arguments: [PersonalSettings.RemoteMedia.never, .follows])
    func status(media: PersonalSettings.RemoteMedia) async throws {
        let under = try FaceUnderTest(settings: Settings(first: PersonalSettings(remoteMedia: media)))
        let event = FakeAuthor(2).event(
            "Out with a :linnet: <b>", kind: 30_315,
            tags: [["d", "general"], ["emoji", "linnet", "https://e.example/l.png"]],
            at: Timestamp(seconds: 1_700_000_000))
        under.account.shown.put(PersonShowcase(statuses: [try #require(UserStatus(event))]), of: FakeAuthor(2).key)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/people/\(FakeAuthor(2).key.hex)", cookie: cookie).text
            #expect(page.contains("alt=\":linnet:\"> &lt;b&gt;</span>") == (media == .follows))
            #expect(page.contains(">Out with a :linnet: &lt;b&gt;</span>") == (media == .never))
        }
    }

    @Test("a list that is gone is not where the first page leads")
    func gone() async throws {
        let under = try await face()
        var settings = PersonalSettings()
        settings.feed = .list(.followSets, identifier: "gone")
        await under.settings.keep(settings, of: under.account.publicKey)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/", cookie: cookie).location == "/home")
        }
    }

    @Test(
        "a relay or topic that is written leads to its feed; anything else leads back and changes nothing",
        arguments: [
            ("#Birds", "/tags/birds"), ("far.example", "/relays/notes?relay=wss%3A%2F%2Ffar.example"),
            ("birds", "/trending"), ("<script>", "/trending"),
        ])
    func written(text: String, to place: String) async throws {
        let under = try await face()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/home", cookie: cookie).csrf
            let page = try await browser.post(
                "/feeds", ["csrf": csrf, "written": text, "back": "/trending"], cookie: cookie)
            #expect(page.location == place)
            let isFeed = place != "/trending"
            let kept = await under.personal.feed
            #expect((kept != .following) == isFeed)
            if !isFeed {
                #expect(try await browser.get(place, cookie: cookie).text.contains("Write the address of a relay"))
            }
        }
    }

    @Test("trending offers its choices, and a server's only where the person wants them")
    func trending() async throws {
        let under = try await face()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/trending?by=zaps&within=7d&from=server", cookie: cookie)
            #expect(page.text.contains(#"href="/trending?by=zaps&amp;within=7d" aria-current="true""#), "\(page.text)")
            #expect(!page.text.contains("from=server") && !page.text.contains("within=1y"))
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            let saved = try await browser.post(
                "/settings/trending", ["csrf": csrf, "used": "on", "server": "wss://feeds.example"], cookie: cookie)
            #expect(saved.status == .seeOther)
            let with = try await browser.get("/trending?by=zaps&within=1y&from=server", cookie: cookie)
            #expect(with.text.contains("from=server") && with.text.contains("within=1y"))
            #expect(with.text.contains("Counted by feeds.example"))
            let nonsense = try await browser.post(
                "/settings/trending", ["csrf": csrf, "used": "on", "server": "nonsense"], cookie: cookie)
            #expect(nonsense.status != .seeOther)
        }
    }

    @Test(
        "a list that is not a feed, and one with nothing on it, say so",
        arguments: ["/lists/10000/notes", "/lists/30015/notes?d=x"])
    func empty(path: String) async throws {
        let under = try await face()
        try await under.test { browser in
            let page = try await browser.get(path, cookie: try await browser.logIn())
            #expect(page.status == .notFound)
        }
    }
}
