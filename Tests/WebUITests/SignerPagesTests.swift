import HTTPTypes
import Hummingbird
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages of the signer")
struct SignerPagesTests {
    private let under: FaceUnderTest
    private let app: SignerClient
    private let now = Timestamp(seconds: 1_700_000_000)
    private static let ben = FakeAuthor(2).key

    init() throws {
        under = try FaceUnderTest(.plain(notes: 2), hasSigner: true)
        app = .scripted(50, claiming: "<b>Ana's app", of: under.account.publicKey)
    }

    private func reading(_ number: UInt8) -> WaitingRequest {
        .scripted(number, from: app, .decrypt(from: Self.ben, .nip44), method: .nip44Decrypt, at: now)
    }

    private func losing(_ number: UInt8) -> WaitingRequest {
        var change = VersionChange()
        change.dropped = (0..<12).map {
            .person(ProfilePointer(key: $0 == 0 ? Self.ben : FakeAuthor(UInt8(100 + $0)).key), petname: nil)
        }
        let current = FakeAuthor(1).event("", kind: 3, at: now - .seconds(3600))
        let report = ChangeReport(
            .stopsFollowing(12), change: change, current: current, losesMuch: true)
        return .scripted(
            number, from: app, .sign(EventDraft(kind: 3, createdAt: now), report), rule: .losesEntries, at: now)
    }

    @Test("are not there without signers, nor for an account without a key")
    func absent() async throws {
        let without = try FaceUnderTest(.plain(notes: 1))
        try await without.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/signer", cookie: cookie).status == .notFound)
            #expect(try await !browser.get("/home", cookie: cookie).text.contains("href=\"/signer\""))
        }
        try await under.test { browser in
            let page = try await browser.get("/signer")
            #expect(page.location == "/login")
        }
    }

    @Test("count on every page, and say nothing when nothing waits")
    func badge() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let empty = try await browser.get("/signer", cookie: cookie)
            #expect(empty.text.contains("Nothing to approve") && empty.text.contains("<title>Signer"))
            #expect(empty.text.contains("Connect an app"))
            #expect(empty.headers[.cacheControl] == "no-store")
            await under.signer.arrive(reading(1))
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("<title>(1) Home · Linnet") && home.text.contains("href=\"/signer\""))
        }
    }

    @Test("show who asks as a claim, escaped, and decide without scripts")
    func decides() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let requests = (1...3).map { reading(UInt8($0)) }
            for request in requests { await under.signer.arrive(request) }
            let page = try await browser.get("/signer", cookie: cookie)
            #expect(page.text.contains("&lt;b&gt;Ana&#39;s app") && page.text.contains("claims this name"))
            #expect(page.text.contains("3 requests to read what is encrypted to you (NIP-44)"))
            #expect(page.text.contains("Reads something private between you and Ben"))
            let ids = requests.map(\.id.hex).joined(separator: " ")
            #expect(page.text.contains("name=\"ids\" value=\"\(ids)\""))
            let some = try await browser.post(
                "/signer/decide",
                [
                    "csrf": page.csrf, "ids": ids, "picks": "1", "pick_\(requests[0].id.hex)": "on", "answer": "hour",
                ], cookie: cookie)
            #expect(some.location == "/signer")
            #expect(await under.signer.decisions.map(\.ids) == [[requests[0].id]])
            let after = try await browser.get("/signer", cookie: cookie)
            #expect(after.text.contains("is approved, and what is like it for an hour."))
            _ = try await browser.post(
                "/signer/decide", ["csrf": page.csrf, "ids": ids, "answer": "refuse-always"], cookie: cookie)
            #expect(await under.signer.requests.isEmpty)
            let last = try #require(await under.signer.decisions.last)
            #expect(last.verdict == .always(allow: false, until: nil))
        }
    }

    @Test("refuse forms of other pages and answers that are none")
    func forged() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.signer.arrive(reading(1))
            let csrf = try await browser.get("/signer", cookie: cookie).csrf
            let id = reading(1).id.hex
            let forged = try await browser.post(
                "/signer/decide", ["csrf": "x", "ids": id, "answer": "once"], cookie: cookie)
            #expect(forged.status == .forbidden)
            let odd = try await browser.post(
                "/signer/decide", ["csrf": csrf, "ids": id, "answer": "maybe"], cookie: cookie)
            #expect(odd.status == .badRequest)
            #expect(await under.signer.decisions.isEmpty)
        }
    }

    @Test("let much go only in a second step, and offer the current version")
    func secondStep() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let request = losing(1)
            await under.signer.arrive(request)
            let list = try await browser.get("/signer", cookie: cookie)
            #expect(list.text.contains("12 entries would go") && !list.text.contains("value=\"once\""))
            // A forged page could still post a plain yes; it leads to the request.
            let hasty = try await browser.post(
                "/signer/decide", ["csrf": list.csrf, "ids": request.id.hex, "answer": "once"], cookie: cookie)
            #expect(hasty.location == "/signer/requests/\(request.id.hex)")
            let page = try await browser.get("/signer/requests/\(request.id.hex)", cookie: cookie)
            #expect(page.text.contains(">Ben<") && page.text.contains("Refuse and restore"))
            #expect(!page.text.contains("name=\"knowing\""))
            let path = "/signer/requests/\(request.id.hex)/decide"
            let asked = try await browser.post(path, ["csrf": page.csrf, "answer": "once"], cookie: cookie)
            #expect(asked.status == .ok && asked.text.contains("name=\"knowing\" value=\"1\""))
            #expect(await under.signer.requests.count == 1)
            let done = try await browser.post(
                path, ["csrf": page.csrf, "answer": "once", "knowing": "1"], cookie: cookie)
            #expect(done.location == "/signer")
            #expect(await under.signer.decisions.last?.knowingLoss == true)
            let gone = try await browser.get("/signer/requests/\(request.id.hex)", cookie: cookie)
            #expect(gone.status == .notFound && gone.text.contains("no longer pending"))
        }
    }

    @Test("bring the version in force back instead")
    func restores() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let request = losing(1)
            await under.signer.arrive(request)
            let csrf = try await browser.get("/signer", cookie: cookie).csrf
            let done = try await browser.post(
                "/signer/requests/\(request.id.hex)/restore", ["csrf": csrf], cookie: cookie)
            #expect(done.location == "/signer")
            #expect(await under.signer.restored == [request.id])
        }
    }

    @Test("show an event nobody knows as it is, and fields before and after")
    func raw() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let draft = EventDraft(kind: 8421, content: "<script>", createdAt: now)
            var change = VersionChange()
            change.fields = [VersionChange.FieldChange(name: "about", before: "old & wise", after: nil)]
            let report = ChangeReport(.event(8421, .plain), change: change, isCurrentFresh: false, isUnknownKind: true)
            let request = WaitingRequest.scripted(1, from: app, .sign(draft, report), at: now)
            await under.signer.arrive(request)
            let page = try await browser.get("/signer/requests/\(request.id.hex)", cookie: cookie)
            #expect(page.text.contains("&quot;content&quot;: &quot;&lt;script&gt;&quot;"))
            #expect(page.text.contains("old &amp; wise") && page.text.contains("would be gone"))
            #expect(page.text.contains("could not be asked just now"))
        }
    }

    @Test("offer to unlock where the key is needed to read")
    func locked() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.signer.arrive(.scripted(1, from: app, .locked, rule: .locked, at: now))
            let page = try await browser.get("/signer", cookie: cookie)
            #expect(page.text.contains("1 request waits for your key"))
            #expect(page.text.contains(">Pending<") && page.text.contains("aria-label=\"Pending requests\""))
            #expect(page.text.contains("name=\"back\" value=\"/signer\"") && !page.text.contains("value=\"once\""))
        }
    }

    @Test("hand scripts the list alone")
    func fragment() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.signer.arrive(reading(1))
            let part = try await browser.get("/signer", cookie: cookie, ["X-Linnet-Fragment": "1"])
            #expect(part.text.hasPrefix("<div class=\"asks\"") && part.text.contains("data-count=\"1\""))
            let csrf = try await browser.get("/signer", cookie: cookie).csrf
            let done = try await browser.post(
                "/signer/decide", ["csrf": csrf, "ids": reading(1).id.hex, "answer": "once"], cookie: cookie,
                ["X-Linnet-Fragment": "1"])
            #expect(done.text.contains("data-done=\"The request of") && done.text.contains("Nothing to approve"))
        }
    }

    @Test("an app that never answered is not listed as paired")
    func silentApp() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.signer.pair(app)
            var heard = SignerClient.scripted(9, claiming: "Heard", of: under.account.publicKey)
            heard.lastSeen = now
            await under.signer.pair(heard)
            let list = try await browser.get("/signer/apps", cookie: cookie).text
            let parts = list.split(separator: "Not paired yet")
            #expect(parts.count == 2)
            #expect(parts.first?.contains("Heard") == true && parts.first?.contains("never seen") == false)
            #expect(parts.last?.contains("Heard") == false && parts.last?.contains("never seen") == true)
        }
    }

    @Test("an app is renamed, limited, chosen for and unpaired")
    func appPage() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.signer.pair(app)
            let word = app.app.text
            let list = try await browser.get("/signer/apps", cookie: cookie)
            #expect(list.text.contains("claims this name"))
            let path = "/signer/app?app=" + encodePercent(word)
            let csrf = try await browser.get(path, cookie: cookie).csrf
            let named = try await browser.post(
                "/signer/app/rename", ["csrf": csrf, "app": word, "name": "Mail", "trust": "full"], cookie: cookie)
            #expect(named.location == path)
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("<h1>Mail</h1>") && page.text.contains("Claims to be"))
            let wrong = try await browser.post(
                "/signer/app/choose", ["csrf": csrf, "app": word, "permission": "x", "verdict": "allow"],
                cookie: cookie)
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("role=\"alert\""))
            _ = try await browser.post(
                "/signer/app/choose",
                ["csrf": csrf, "app": word, "permission": "30023", "verdict": "refuse", "span": "86400"],
                cookie: cookie)
            #expect(await under.signer.apps.first?.grants.first?.expires == now + .seconds(86_400))
            _ = try await browser.post(
                "/signer/app/limit", ["csrf": csrf, "app": word, "per-hour": "9", "from": "08:00", "until": "20:00"],
                cookie: cookie)
            let limited = try await browser.get(path, cookie: cookie)
            #expect(limited.text.contains("value=\"08:00\"") && limited.text.contains("an article (kind 30023)"))
            let gone = try await browser.post("/signer/app/unpair", ["csrf": csrf, "app": word], cookie: cookie)
            #expect(gone.location == "/signer/apps")
            #expect(try await browser.get(path, cookie: cookie).status == .notFound)
            #expect(try await browser.get("/signer/app?app=x", cookie: cookie).status == .notFound)
        }
    }

    @Test("pair with an app by its token, and show one's own as a code")
    func connects() async throws {
        var settings = SignerSettings()
        settings.relays = [try RelayURL("wss://relay.example")]
        try await under.signer.setSettings(settings)
        let token = NostrConnectURI(
            client: FakeAuthor(60).key, relays: settings.relays, secret: "s",
            permissions: RemotePermission.list("sign_event:1,nip44_decrypt"),
            metadata: ClientMetadata(name: "Chat & talk"))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/signer/connect", cookie: cookie)
            #expect(page.text.contains("bunker://") && page.text.contains("<svg class=\"qr\""))
            let link = "/signer/connect?uri=" + encodePercent(token.text)
            let claim = try await browser.get(link, cookie: cookie)
            #expect(claim.text.contains("claims to be “Chat &amp; talk”") && claim.text.contains("think twice"))
            #expect(claim.text.contains("name=\"grant_sign_event:1\">"), "a signature is never ticked beforehand")
            #expect(await under.signer.accepted.isEmpty)
            let paired = try await browser.post(
                "/signer/connect/pair",
                ["csrf": page.csrf, "uri": token.text, "trust": "low", "grant_sign_event:1": "on"], cookie: cookie)
            #expect(paired.text.contains("is paired") && paired.status == .ok)
            #expect(await under.signer.accepted.first?.grants.map(\.permission.text) == ["sign_event:1"])
            let wrong = try await browser.post(
                "/signer/connect", ["csrf": page.csrf, "uri": "hello"], cookie: cookie)
            #expect(wrong.status == .unprocessableContent)
            let renewed = try await browser.post(
                "/signer/connect/renew", ["csrf": page.csrf, "trust": "full"], cookie: cookie)
            #expect(renewed.location == "/signer/connect")
            #expect(await under.signer.invitationTrust == .full)
            let shown = try await browser.get("/signer/connect", cookie: cookie).text
            #expect(shown.contains("It gives full trust.") && shown.contains("value=\"full\" checked"))
        }
    }

    @Test("the log is searched and exported, the relays and settings are shown")
    func rest() async throws {
        let line = ActivityEntry(
            id: 1, time: now, account: under.account.publicKey, app: app.app, title: "Ana", method: "sign_event",
            kind: 1, outcome: .refused, rule: .person, fact: .words("a note"), error: "user rejected")
        await under.signer.write([line])
        await under.signer.set(reports: [
            SignerRelayReport(
                relay: try RelayURL("wss://relay.example"), state: .failing(.unreachable(.notice("No route"))),
                isOwn: true,
                apps: [],
                lastRequest: now, requests: 1, answersTaken: 0, answersRefused: 1)
        ])
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let log = try await browser.get("/signer/activity?q=note&outcome=refused", cookie: cookie)
            #expect(log.text.contains("asked to sign a note (kind 1)") && log.text.contains("user rejected"))
            #expect(log.text.contains("/signer/activity/export?q=note&amp;outcome=refused"))
            let none = try await browser.get("/signer/activity?q=nothing", cookie: cookie)
            #expect(none.text.contains("No entry in the log matches."))
            let file = try await browser.get("/signer/activity/export", cookie: cookie)
            #expect(file.headers[.contentType] == "application/x-ndjson" && file.text.hasPrefix("{\"id\":1,"))
            let relays = try await browser.get("/signer/relays", cookie: cookie)
            #expect(relays.text.contains("No route") && relays.text.contains("Last request seen"))
            let settings = try await browser.get("/signer/settings", cookie: cookie)
            #expect(settings.text.contains("your follow list") && settings.text.contains("name=\"kind_3\" checked"))
            _ = try await browser.post(
                "/signer/settings/kinds", ["csrf": settings.csrf, "kind_3": "on", "more": "7"], cookie: cookie)
            #expect(await under.signer.all.protectedKinds == [3, 7])
            _ = try await browser.post(
                "/signer/settings/relays", ["csrf": settings.csrf, "relays": "wss://a.example"], cookie: cookie)
            #expect(await under.signer.all.relays.map(\.text) == ["wss://a.example"])
            _ = try await browser.post("/signer/pause", ["csrf": settings.csrf, "pause": "1"], cookie: cookie)
            #expect(await under.signer.all.isPaused)
        }
    }

    @Test("a link of another site arrives by way of a page of this one")
    func arrival() async throws {
        try await under.test { browser in
            let path = "/signer/connect?uri=nostrconnect%3A%2F%2Fa"
            let elsewhere = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
            let door = try await browser.get(path, cookie: "", elsewhere)
            let refresh = try #require(HTTPField.Name("Refresh"))
            #expect(door.status == .ok && door.headers[refresh] == "0; url=" + path)
            #expect(try await browser.get(path).location == "/login")
            #expect(try await browser.get("/signer", cookie: "", elsewhere).location == "/login")
        }
    }

    @Test("the worker of the installed app is served from the root")
    func worker() async throws {
        try await under.test { browser in
            let script = try await browser.get("/sw.js")
            #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(script.text.contains("notificationclick"))
        }
    }
}
