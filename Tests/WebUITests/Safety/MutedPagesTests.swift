import Hummingbird
import HummingbirdTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import WebUI

/// No page shows who or what is muted, wherever its links lead; only a mark stands there.
@Suite("muted people on pages")
struct MutedPagesTests {
    /// Pages that are looked at in one world.
    private static let mostPages = 600

    @Test("hold nothing of theirs, in whatever world", arguments: [1, 2, 3] as [UInt64])
    func fuzz(seed: UInt64) async throws {
        let world = MutedWorld(seed: seed)
        let face = try await FaceOverStore(world.events).face
        let app = Application(responder: face.responder)
        try await app.test(.router) { client in
            let browser = Browser(client: client, face: face)
            let cookie = try await browser.logIn()
            var seen: Set<String> = []
            var waiting = Self.doors(world)
            while let path = waiting.first, seen.count < Self.mostPages {
                waiting.removeFirst()
                guard seen.insert(path).inserted else { continue }
                let page = try await browser.get(path, cookie: cookie)
                for mark in MutedWorld.marks {
                    #expect(!page.text.lowercased().contains(mark.lowercased()), "\(mark) stands on \(path)")
                }
                waiting += Self.links(on: page)
            }
            #expect(seen.count > 30)
        }
    }

    /// Pages that links may not lead to, and that somebody may open all the same.
    private static func doors(_ world: MutedWorld) -> [String] {
        let carol = TestPerson.carol.publicKey
        var doors = [
            "/home", "/people/\(carol.hex)", "/people/\(carol.hex)/followers", "/people/\(carol.hex)/report",
            "/people/\(carol.hex)/lists/30000?d=x", "/people/\(TestPerson.alice.publicKey.hex)/followers",
            "/people/\(TestPerson.bob.publicKey.hex)?with=answers", "/tags/moldy",
            "/search?q=mutil", "/search?q=carolwo", "/search?q=zanzi", "/search?q=answer", "/lists", "/relays",
            "/messages", "/compose/complete?word=@mut", "/notifications", "/streams", "/trending",
            "/trending?by=replies&within=7d", "/trending?by=reposts&within=7d", "/trending/topics?within=30d",
            "/trending/people?within=30d", "/emoji", "/emoji/find",
        ]
        for event in world.hers {
            doors += [
                "/note/\(event.id.hex)", "/note/\(event.id.hex)/card", "/compose?reply=\(event.id.hex)",
                "/polls/\(event.id.hex)", "/note/\(event.id.hex)/react", "/note/\(event.id.hex)/reactions",
            ]
            if let address = event.address,
                let code = try? NostrEntity.naddr(AddressPointer(address: address)).encoded()
            {
                doors += ["/article/\(code)", "/search?q=\(code)", "/streams/\(code)", "/emoji/\(code)"]
            }
        }
        for address in world.events.filter({ $0.kind == LiveActivity.kind }).compactMap(\.address) {
            // What has no code has no page.
            guard let code = try? NostrEntity.naddr(AddressPointer(address: address)).encoded() else { continue }
            doors.append("/streams/\(code)")
        }
        return doors
    }

    /// Where a page leads, but for what was asked to be shown, and for the list that says what is muted.
    static func links(on page: Page) -> [String] {
        let found = page.text.split(separator: " href=\"").dropFirst().map { String($0.prefix { !"\"#".contains($0) }) }
        return found.map { $0.replacing("&amp;", with: "&") }.filter { path in
            path.hasPrefix("/") && !path.contains("show=1") && !path.hasPrefix("/lists/10000")
                && !path.hasSuffix("/shown") && !path.hasPrefix("/assets")
                && !path.hasPrefix("/history") && !path.hasPrefix("/login") && !path.contains("/logout")
        }
    }

    @Test("say that something is muted, and show it to whoever asks, without a script")
    func stubs() async throws {
        let bob = TestPerson.bob
        let carol = TestPerson.carol
        let world = MutedWorld(seed: 4)
        let under = try await FaceOverStore(world.events)
        let (face, store) = (under.face, under.store)
        let root = bob.event("a fair question", at: 1_700_002_000)
        let bad = carol.event("carolwords below", tags: [["e", root.id.hex, "", "root"]], at: 1_700_002_001)
        let below = bob.event(
            "still here", tags: [["e", root.id.hex, "", "root"], ["e", bad.id.hex, "", "reply"]], at: 1_700_002_002)
        let quote = bob.event("see this", tags: [["q", bad.id.hex]], at: 1_700_002_003)
        _ = await store.save([root, bad, below, quote], from: nil)
        let app = Application(responder: face.responder)
        try await app.test(.router) { client in
            let browser = Browser(client: client, face: face)
            let cookie = try await browser.logIn()
            let thread = try await browser.get("/note/\(root.id.hex)", cookie: cookie)
            let shown = "/note/\(bad.id.hex)?show=1"
            #expect(thread.text.contains("You muted who wrote this.") && thread.text.contains(shown))
            #expect(thread.text.contains("still here") && !thread.text.contains("carolwords"))
            #expect(try await browser.get(shown, cookie: cookie).text.contains("carolwords below"))
            let alone = try await browser.get("/note/\(bad.id.hex)", cookie: cookie)
            #expect(alone.status == .ok && alone.text.contains(shown) && !alone.text.contains("carolwords"))
            let quoting = try await browser.get("/note/\(quote.id.hex)", cookie: cookie)
            #expect(quoting.text.contains(shown) && !quoting.text.contains("carolwords"))
            let person = try await browser.get("/people/\(carol.publicKey.hex)", cookie: cookie)
            #expect(person.text.contains("You muted this person.") && !person.text.contains("Mutilda"))
            let asked = try await browser.get("/people/\(carol.publicKey.hex)?show=1", cookie: cookie)
            #expect(asked.text.contains("Mutilda") && asked.text.contains("Hide again"))
            #expect(try await browser.get("/lists/10000", cookie: cookie).text.contains("Mutilda"))
        }
    }
}
