import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

/// The names people claim at domains (NIP-05), wherever pages show them.
@Suite("names at domains on pages")
struct NamePagesTests {
    private static let name = "ben@one.example"
    private let ben = FakeAuthor(2)

    /// A world in which Ben claims a name that stands so.
    private func world(_ standing: NostrAddress.Standing) throws -> FakeWorld {
        var world = FakeWorld()
        world.people[ben.key]?.address = NostrAddress(try #require(InternetIdentifier(Self.name)), standing)
        world.write("Good morning", by: 1, ago: 60)
        return world
    }

    /// What a page says of each of the five.
    private static let words: [NostrAddress.Standing: String] = [
        .unknown: "claimed, not checked", .checking: "claimed; asking one.example",
        .verified: "checked: one.example says so too", .mismatch: "claimed, but one.example does not say so",
        .unreachable: "claimed; one.example gives no answer",
    ]

    @Test("a person's page says how the claim stands, and only a checked one looks checked", arguments: words.keys)
    func personPage(standing: NostrAddress.Standing) async throws {
        let under = try FaceUnderTest(try world(standing))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/people/\(ben.key.npub)", cookie: cookie)
            #expect(page.status == .ok)
            for (other, words) in Self.words { #expect(page.text.contains(">\(words)<") == (other == standing)) }
            let isChecked = standing == .verified
            #expect(page.text.contains("class=\"checked-handle\"") == isChecked)
            #expect(page.text.contains("<span class=\"claim\">\(Self.name)</span>") != isChecked)
            #expect(page.text.contains("class=\"address is-denied\"") == (standing == .mismatch))
            // Whoever wants to know now asks again, and comes back.
            let path = "/people/\(ben.key.hex)"
            let asked = try await browser.post(
                "\(path)/check-name", ["csrf": page.csrf, "back": path], cookie: cookie)
            #expect(asked.status == .seeOther && asked.location == path)
            #expect(await under.account.acts == ["check name \(ben.key.hex)"])
        }
    }

    @Test(
        "beside notes and among people who are found stands a checked name, and of any other nothing",
        arguments: words.keys)
    func besideNotes(standing: NostrAddress.Standing) async throws {
        let under = try FaceUnderTest(try world(standing))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for path in ["/home", "/search?q=Ben"] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.text.contains("Ben"), "\(path)")
                #expect(page.text.contains("\(Self.name)</span>") == (standing == .verified), "\(path)")
                #expect(page.text.contains("class=\"checked-handle\"") == (standing == .verified), "\(path)")
            }
        }
    }

    @Test("a name that is searched for leads to its person, who can be followed there; others say why not")
    func search() async throws {
        let under = try FaceUnderTest(try world(.verified))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let words = try await browser.get("/search?q=\(encodePercent(Self.name))", cookie: cookie)
            #expect(words.text.contains(">Look up \(Self.name)</a>"))
            let found = try await browser.get("/search/name?q=\(encodePercent(Self.name))", cookie: cookie)
            #expect(found.text.contains("href=\"/people/\(ben.key.hex)\""))
            #expect(found.text.contains("class=\"checked-handle\""))
            let page = try await browser.get("/people/\(ben.key.hex)", cookie: cookie)
            #expect(page.text.contains("action=\"/people/\(ben.key.hex)/unfollow\""))

            let part = ["X-Linnet-Fragment": "1"]
            let nobody = try await browser.get("/search/name?q=carol@one.example", cookie: cookie, part)
            #expect(nobody.text == "<p class=\"hint\">one.example knows nobody called carol.</p>")
            await under.account.fall(silent: NameFailure.unreachable)
            let silent = try await browser.get("/search/name?q=\(encodePercent(Self.name))", cookie: cookie, part)
            #expect(
                silent.text == "<p class=\"hint\">one.example gives no answer about its names. Try again later.</p>")
            let none = try await browser.get("/search/name?q=carol", cookie: cookie, part)
            #expect(none.status == .noContent)
        }
    }
}
