import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages without scripts")
struct PagesTests {
    @Test("a first visit leads to the first screen, and through it home")
    func firstRun() async throws {
        let under = try FaceUnderTest(lives: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let root = try await browser.get("/", cookie: cookie)
            #expect(root.location == "/welcome")
            let welcome = try await browser.get("/welcome", cookie: cookie)
            let wrong = try await browser.post(
                "/welcome/create", ["csrf": welcome.csrf, "name": "Ada", "passphrase": "short", "again": "short"],
                cookie: cookie)
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("at least 8 characters") && wrong.text.contains("value=\"Ada\""))
            #expect(!wrong.text.contains("short"))
            let right = try await browser.post("/welcome/demo", ["csrf": welcome.csrf], cookie: cookie)
            #expect(right.location == "/home")
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.status == .ok)
        }
    }

    @Test("a secret that was typed in never comes back")
    func secrets() async throws {
        let under = try FaceUnderTest(lives: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/welcome", cookie: cookie).csrf
            let page = try await browser.post(
                "/welcome/bring",
                ["csrf": csrf, "secret": "0123secret", "passphrase": "horse staple", "again": "horse staple"],
                cookie: cookie)
            #expect(page.text.contains("That is not a secret key."))
            #expect(!page.text.contains("0123secret") && !page.text.contains("horse staple"))
        }
    }

    @Test("home has thirty notes, and a link to the older ones")
    func home() async throws {
        let under = try FaceUnderTest(.plain(notes: 40))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let first = try await browser.get("/home", cookie: cookie)
            #expect(first.text.matches(of: /<article/).count == 30)
            let mark = try #require(first.text.firstMatch(of: /data-before="([^"]+)"/)).output.1
            let rest = try await browser.get("/home?before=\(mark)", cookie: cookie)
            #expect(rest.text.matches(of: /<article/).count == 10)
            #expect(rest.text.contains("That is all there is so far."))
        }
    }

    @Test("what came since is handed to a script as a part of the page")
    func newer() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie)
            let places = home.text.matches(of: /data-place="([^"]+)"/).map { String($0.output.1) }
            let last = try #require(places.last)
            let world = FakeWorld.plain(notes: 0)
            await under.account.arrive(world.note("fresh", ago: -60))
            // Between the first two that are shown: relays bring notes late and out of order.
            await under.account.arrive(world.note("late", ago: 30))
            let shown = places.compactMap { $0.split(separator: "-").last?.prefix(16) }.joined(separator: ".")
            let part = try await browser.get("/home/newer?above=\(last)&shown=\(shown)", cookie: cookie)
            #expect(part.text.matches(of: /<article/).count == 2)
            #expect(part.text.contains("fresh") && part.text.contains("late"))
            #expect(!part.text.contains("<html"))
            // What says nothing of what is shown is given all; what it says may be anything.
            for noise in ["", "above=-&shown=..zz.0", "above=\(last)&shown=\(shown.prefix(9))&count=-1"] {
                let part = try await browser.get("/home/newer?\(noise)", cookie: cookie)
                #expect(part.text.matches(of: /<article/).count >= 4, "\(noise)")
            }
        }
    }

    @Test("a note is written, held, undone, written again, and published with receipts")
    func compose() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let sent = try await browser.post(
                "/compose", ["csrf": csrf, "text": "Hello there.", "do": "publish"], cookie: cookie)
            let back = try #require(sent.location)
            let home = try await browser.get(back, cookie: cookie)
            #expect(home.text.contains("Undo"))
            let held = try #require(home.text.firstMatch(of: /data-held="([^"]+)"/)).output.1
            let undone = try await browser.post("/compose/undo", ["csrf": csrf, "id": String(held)], cookie: cookie)
            #expect(undone.text.contains(">Hello there.</textarea>"))
            #expect(await under.account.published.isEmpty)

            let again = try await browser.post(
                "/compose", ["csrf": csrf, "text": "Hello again.", "do": "publish"], cookie: cookie)
            let id = try #require(again.location?.split(separator: "=").last)
            let now = try await browser.post("/compose/now", ["csrf": csrf, "id": String(id)], cookie: cookie)
            let after = try await browser.get(try #require(now.location), cookie: cookie)
            let note = try await browser.get(try #require(after.location), cookie: cookie)
            #expect(note.text.contains("Hello again.") && note.text.contains("Accepted by 2 of 3 relays."))
            let late = try await browser.post("/compose/undo", ["csrf": csrf, "id": String(id)], cookie: cookie)
            #expect(late.status == .conflict)
        }
    }

    @Test("the bar about a note that can be undone follows to other pages")
    func undoFollows() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            _ = try await browser.post("/compose", ["csrf": csrf, "text": "Oops.", "do": "publish"], cookie: cookie)
            let elsewhere = try await browser.get("/settings", cookie: cookie)
            let id = try #require(elsewhere.text.firstMatch(of: /data-held="([^"]+)"/)).output.1
            #expect(elsewhere.text.contains("Publishing in"))
            let undone = try await browser.post("/compose/undo", ["csrf": csrf, "id": String(id)], cookie: cookie)
            #expect(undone.text.contains(">Oops.</textarea>"))
            #expect(try await !browser.get("/settings", cookie: cookie).text.contains("data-held"))
        }
    }

    @Test("a note that waits for its signer since before a restart is offered on every page until it is out")
    func waiting() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        let composition = Composition(text: "From before.")
        try await under.account.hold(composition, as: "kept", until: Timestamp(seconds: 0), keptAs: nil)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("data-held=\"kept\"") && home.text.contains("Undo"))
            let form: KeyValuePairs = ["csrf": home.csrf, "id": "kept"]
            await under.account.refuse(with: Trouble("No answer."))
            _ = try await browser.post("/compose/now", form, cookie: cookie)
            let failed = try await browser.get("/settings", cookie: cookie)
            #expect(failed.text.contains("Not published: No answer.") && failed.text.contains("Try again"))
            await under.account.refuse(with: nil)
            _ = try await browser.post("/compose/now", form, cookie: cookie)
            #expect(await under.account.published == [composition])
            #expect(try await !browser.get("/home", cookie: cookie).text.contains("data-held"))
        }
    }

    @Test("likes, reposts, follows and deletions post and lead back")
    func acts() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/home", cookie: cookie).csrf
            let id = try #require(await under.account.notes.last?.id.hex)
            let key = FakeAuthor(2).key.hex
            for path in ["/note/\(id)/like", "/note/\(id)/repost", "/people/\(key)/unfollow", "/note/\(id)/delete"] {
                let page = try await browser.post(path, ["csrf": csrf, "back": "/home"], cookie: cookie)
                #expect(page.location == "/home")
            }
            #expect(await under.account.acts == ["react + \(id)", "repost \(id)", "unfollow \(key)", "delete \(id)"])
        }
    }

    @Test("a read-only account is offered nothing it cannot do")
    func readOnly() async throws {
        let under = try FaceUnderTest(.plain(notes: 3), canSign: false)
        try await under.test { browser in
            let page = try await browser.get("/home", cookie: try await browser.logIn())
            #expect(!page.text.contains("formaction=") && !page.text.contains("href=\"/compose\""))
        }
    }

    @Test("a locked account says so, and is unlocked with its passphrase")
    func locked() async throws {
        let under = try FaceUnderTest(.plain(notes: 3), locked: true)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("Unlock to write") && !home.text.contains("that you wrote"))
            await under.account.rest(sealed: 2)
            #expect(try await browser.get("/home", cookie: cookie).text.contains("2 notes that you wrote wait for it."))
            let unlock = try await browser.get("/unlock", cookie: cookie)
            let key = FakeAuthor(1).key.hex
            let page = try await browser.post(
                "/welcome/unlock", ["csrf": unlock.csrf, "key": key, "passphrase": FakeOpening.passphrase],
                cookie: cookie)
            #expect(page.location == "/home")
            let open = try await browser.get("/home", cookie: cookie)
            #expect(!open.text.contains("Unlock to write"))
        }
    }

    @Test("settings are kept and take effect")
    func settings() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            _ = try await browser.post("/settings", ["csrf": csrf, "media": "never"], cookie: cookie)
            _ = try await browser.post("/settings/look", ["csrf": csrf, "scheme": "dark"], cookie: cookie)
            let page = try await browser.get("/settings", cookie: cookie)
            #expect(page.text.contains("data-scheme=\"dark\""))
            #expect(await under.personal == PersonalSettings(look: Look(scheme: .dark), remoteMedia: .never))
            #expect(await under.settings.settings() == Settings())
        }
    }

    @Test("work against spam is chosen, shown while it runs, and ended by a button")
    func work() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            _ = try await browser.post(
                "/settings/work", ["csrf": csrf, "notes": "21", "reactions": "x", "messages": "99"], cookie: cookie)
            #expect(await under.account.work == WorkPolicy(notes: 21, reactions: 0, wraps: WorkChoice.most))
            let page = try await browser.get("/settings", cookie: cookie)
            #expect(page.text.contains("name=\"notes\" type=\"number\" min=\"0\" max=\"30\" value=\"21\""))
            await under.account.begin(
                WorkInProgress(bits: 21, hashes: 1 << 20, rate: 2_000_000, remaining: .seconds(9)))
            let sent = try await browser.post(
                "/compose", ["csrf": csrf, "text": "Hard won.", "do": "publish"], cookie: cookie)
            let id = try #require(sent.location?.split(separator: "=").last.map(String.init))
            _ = try await browser.post("/compose/now", ["csrf": csrf, "id": id], cookie: cookie)
            #expect(await under.account.published.isEmpty)
            async let publishing: Void = under.face.services.outgoing.publishNow(id)
            await under.account.workIsAwaited()
            let bar = try await browser.get("/home?held=\(id)", cookie: cookie)
            #expect(bar.text.contains("Working on 21 bits: about 9 seconds left") && bar.text.contains("value=\"50\""))
            _ = try await browser.post("/compose/skip-work", ["csrf": csrf, "id": id], cookie: cookie)
            await publishing
            #expect(await under.account.skips == 1)
            #expect(await under.account.published.map(\.text) == ["Hard won."])
        }
    }

    @Test("trouble has a page of its own, and a plain sentence", arguments: ["/relays", "/home"])
    func trouble(path: String) async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        await under.account.fall(silent: Trouble("The disk is full."))
        try await under.test { browser in
            let page = try await browser.get(path, cookie: try await browser.logIn())
            #expect(page.text.contains("The disk is full."))
        }
    }

    @Test("people and notes are found by every name they have")
    func names() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let key = FakeAuthor(1).key
            let note = try #require(await under.account.notes.first)
            for path in ["/people/\(key.hex)", "/people/\(key.npub)", "/note/\(note.id.hex)", "/note/\(note.id.note)"] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.status == .ok)
            }
            let pasted = try await browser.get("/search?q=nostr%3A\(key.npub)", cookie: cookie)
            #expect(pasted.location == "/people/\(key.npub)")
            for path in ["/people/nobody", "/note/nothing", "/avatar/nobody.svg", "/assets/x/none.css", "/nowhere"] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.status == .notFound)
            }
        }
    }
}

@Suite("small parts of pages")
struct PartsTests {
    @Test(
        "moments are told as people do",
        arguments: [
            (0, "now"), (59, "now"), (-200, "now"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (86_400, "1 d"),
            (7 * 86_400, "14 Nov"), (400 * 86_400, "17 Oct 2025"), (-90_000, "22 Nov"),
        ] as [(Int64, String)])
    func moments(age: Int64, words: String) {
        let now = Timestamp(seconds: 1_795_240_165)  // 2026-11-21T05:49:25Z
        #expect(spoken(Timestamp(seconds: now.seconds - age), now: now) == words)
    }

    @Test(
        "moments are written in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_240_165, "2026-11-21T05:49:25Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func written(seconds: Int64, text: String) {
        #expect(utc(Timestamp(seconds: seconds)) == text)
    }

    @Test("no moment is too far away", arguments: [Int64.min, Int64.max, 253_402_300_800])
    func far(seconds: Int64) {
        _ = utc(Timestamp(seconds: seconds))
        _ = spoken(Timestamp(seconds: seconds), now: Timestamp(seconds: 0))
    }

    @Test(
        "forms are decoded",
        arguments: [
            ("a=1&b=2", "1"), ("a=x+y", "x y"), ("a=%C3%A9", "é"), ("a=%", "%"), ("a=%zz", "%zz"), ("a", ""),
            ("a=1&a=2", "1"), ("a=%0D%0A", "\n"),
        ])
    func forms(encoded: String, value: String) {
        #expect(Form(encoded: encoded)["a"] == value)
    }

    @Test("percent encoding and back changes nothing")
    func roundTrip() {
        for text in hostileTexts + ["é ü 李", "a+b=c&d"] where !text.contains("\r") {
            #expect(decodePercent(encodePercent(text)) == text)
        }
    }

    @Test(
        "counts are told as people do",
        arguments: [(0, "0"), (999, "999"), (1234, "1.2k"), (45_678, "45k"), (2_000_000, "2M")])
    func counts(count: Int, words: String) {
        #expect(spoken(count: count) == words)
    }
}

@Suite("the end of the program")
struct ShutdownTests {
    @Test("publishes what is still held, even when the pages are cancelled")
    func flushes() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            _ = try await browser.post(
                "/compose", ["csrf": csrf, "text": "Last words.", "do": "publish"], cookie: cookie)
        }
        await withThrowingTaskGroup { group in
            group.addTask { try await under.face.run() }
            group.cancelAll()
        }
        #expect(await under.account.published.map(\.text) == ["Last words."])
        #expect(await under.account.sawCancellation == false)
    }
}
