import HTTPTypes
import Hummingbird
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("what rests in a browser's cache")
struct CacheRulesTests {
    /// The first steps of paths where only the person may see what stands there.
    private static let privateSteps: Set = [
        "messages", "notifications", "circles", "map", "signer", "drafts", "lists", "history", "settings", "unlock",
        "pairing", "login", "nip07", "keys", "compose", "profile", "welcome", "open", "sign", "device-signer", "start",
        "files", "media", "picture", "recording", "arriving", "events", "signer-strip",
    ]
    /// Where what others published may rest, if a browser asks each time whether it is still the same.
    private static let published: Set = [
        "home", "tags", "article", "polls", "invoices", "search", "trending", "streams", "emoji", "previews",
        "shortcuts",
        "guest", "placeholder", "avatar", "assets", "theme.css", "healthz", "metrics", "note", "people", "relays",
    ]

    @Test("every route is private that is not known to show what was published")
    func routes() throws {
        let under = try FaceUnderTest(hasSigner: true)
        let routes = under.face.router.routes.filter { $0.method == .get }
        #expect(routes.count > 60)
        for route in routes {
            let steps = "\(route.path)".split(separator: "/").map { step in
                step.contains(where: { ":{*".contains($0) }) ? "x" : String(step)
            }
            let path = "/" + steps.joined(separator: "/")
            guard let first = steps.first else { continue }
            if Self.privateSteps.contains(first) { #expect(PageHeaders.isPrivate(path), "\(path)") }
            if !PageHeaders.isPrivate(path) { #expect(Self.published.contains(first), "\(path)") }
        }
    }

    @Test(
        "beside what was published stands what is the person's alone",
        arguments: [
            ("/note/x", false), ("/note/x/menu", true), ("/note/x/report", true), ("/note/x/reactions", false),
            ("/people/x", false), ("/people/x/report", true), ("/relays", false), ("/relays/relay", false),
            ("/relays/auth", true), ("/home", false), ("/home/newer", false), ("/", true), ("", true),
            ("/homely", true),
            ("/settings/pictures", true), ("/picture/small", true), ("/recording", true), ("/something/new", true),
        ])
    func beside(path: String, isPrivate: Bool) {
        #expect(PageHeaders.isPrivate(path) == isPrivate)
    }

    @Test("answers say what their paths say, also of what is not there")
    func answers() async throws {
        let under = try FaceUnderTest(hasSigner: true)
        let note = try #require(await under.account.notes.first).id.hex
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for path in [
                "/settings", "/settings/pictures", "/files", "/lists", "/drafts", "/keys", "/note/\(note)/menu",
                "/messages", "/notifications", "/signer/apps", "/history", "/circles", "/nothing/here",
            ] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.headers[.cacheControl] == "no-store", "\(path): \(page.status)")
            }
            for path in ["/home", "/note/\(note)", "/relays", "/trending", "/emoji", "/shortcuts"] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.headers[.cacheControl] == "private, no-cache", "\(path): \(page.status)")
            }
        }
    }
}
