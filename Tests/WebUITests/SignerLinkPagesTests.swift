import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages of signer links", .timeLimit(.minutes(10)))
struct SignerLinkPagesTests {
    /// Accounts whose signers hold links until the person decides.
    private struct Accounts: LinkAccounts {
        let signers: [ScriptedSigningService]

        func accounts() -> [PublicKey] { signers.map(\.account) }
        func signer(of account: PublicKey) -> (any SigningService)? { signers.first { $0.account == account } }
    }

    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let evil = "%3Cb%3EApp"

    private let ada: ScriptedSigningService
    private let wren: ScriptedSigningService
    private let links: OpenLinks
    private let under: FaceUnderTest

    init() async throws {
        try await self.init(accounts: 1)
    }

    private init(accounts: Int) async throws {
        let world = FakeWorld.plain(notes: 1)
        let other = FakeWorld.of(FakeAuthor(9), named: "Wren")
        ada = ScriptedSigningService(of: world.own.key)
        wren = ScriptedSigningService(of: other.own.key)
        for one in [ada, wren] { await one.holdLinks() }
        links = OpenLinks(
            SignerLinkHandler(
                accounts: Accounts(signers: Array([ada, wren].prefix(accounts))), name: "linnet", now: { Self.now }),
            now: { Self.now })
        under = try FaceUnderTest(world, links: SignerLinks(links))
        await under.opening.add(FakeAccount(other), name: "Wren")
    }

    @Test("the token of a link opens that page, and no session")
    func tokenOfOneLink() async throws {
        try await browsing { browser, _ in
            let (link, other) = (await links.open(key()), await links.open(key("&x-source=b")))
            let address = browser.face.linkPath(link.id)
            let arrived = try await browser.get(address)
            #expect(arrived.status == .ok && arrived.headers[.cacheControl] == "no-store")
            #expect(arrived.headers[HTTPField.Name("Refresh")!] == "0; url=/signer/link/\(link.id)")
            let set = try #require(arrived.headers[.setCookie])
            #expect(set.contains("; Path=/signer/link/\(link.id); HttpOnly; SameSite=Strict"))
            let cookie = String(set.prefix { $0 != ";" })
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.status == .ok && page.text.contains("id=\"link-title\""))
            // The same word in the session's cookie opens nothing either.
            let renamed = cookie.replacing("linnet_link_", with: "linnet_")
            for cookie in [cookie, renamed] {
                for path in ["/", "/home", "/settings", "/welcome", "/signer/link/\(other.id)"] {
                    let refused = try await browser.get(path, cookie: cookie)
                    #expect(refused.location == "/login", "\(path)")
                }
            }
            let again = try await browser.get(address)
            #expect(again.status == .forbidden)
        }
    }

    private func key(_ rest: String = "") -> String {
        "nostrsigner://get_public_key?x-success=https%3A%2F%2Fapp.example%2Fok&x-error=https%3A%2F%2Fapp.example%2Ferr"
            + "&x-source=\(Self.evil)&id=1" + rest
    }

    /// Keeps links being answered while pages are looked at.
    private func browsing(_ body: @escaping @Sendable (Browser, String) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [links] in await links.run() }
            defer { group.cancelAll() }
            try await under.test { browser in try await body(browser, try await browser.logIn()) }
        }
    }

    /// Has a link wait as the signer would.
    private func wait(_ link: OpenLink, at signer: ScriptedSigningService, _ wishes: [RemotePermission] = [])
        async throws
    {
        let request = try #require(link.request)
        var app = SignerClient(app: request.link.envelope.app, account: signer.account, connected: Self.now)
        app.claims = request.link.envelope.claims
        await signer.arrive(
            WaitingRequest(
                id: request.event, client: app, method: "get_public_key", content: .connect(app.claims, wishes),
                rule: .notPaired, received: Self.now))
    }

    @Test("are for those who are in, and say so when a link is not known")
    func guarded() async throws {
        let link = await links.open(key())
        try await browsing { browser, cookie in
            #expect(try await browser.get("/signer/link/\(link.id)").location == "/login")
            let gone = try await browser.get("/signer/link/0000", cookie: cookie)
            #expect(gone.status == .notFound && gone.text.contains("never reached Linnet"))
        }
    }

    @Test("say where the answer goes, mark what the app says of itself, and take a yes back to it once")
    func approves() async throws {
        let link = await links.open(key())
        try await wait(link, at: ada)
        try await browsing { [ada] browser, cookie in
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.text.contains("Answer <strong>https://app.example/ok</strong>?"))
            #expect(page.text.contains("&lt;b&gt;App") && page.text.contains("Nobody has checked that"))
            #expect(page.headers[.cacheControl] == "no-store" && !page.text.contains("data-carry"))
            // From a pairing nothing follows but the pairing, so there is no always.
            #expect(!page.text.contains("value=\"always\""))
            let path = "/signer/link/\(link.id)/decide"
            let forged = try await browser.post(path, ["csrf": "x", "answer": "once"], cookie: cookie)
            #expect(forged.status == .forbidden)
            let odd = try await browser.post(path, ["csrf": page.csrf, "answer": "maybe"], cookie: cookie)
            #expect(odd.status == .badRequest)
            let done = try await browser.post(path, ["csrf": page.csrf, "answer": "once"], cookie: cookie)
            #expect(done.location == "/signer/link/\(link.id)")
            let answered = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(
                answered.text.contains(
                    "href=\"https://app.example/ok?pubkey=\(ada.account.hex)&amp;package=linnet&amp;id=1\""))
            #expect(answered.text.contains("data-carry") && answered.text.contains("carry.js"))
            let again = try await browser.post(path, ["csrf": page.csrf, "answer": "refuse"], cookie: cookie)
            #expect(again.location == "/signer/link/\(link.id)")
            #expect(await ada.decisions.count == 1)
        }
    }

    @Test("offer each permission an app asks for, delicate ones not ticked, and give those that are ticked")
    func wishes() async throws {
        let link = await links.open(key())
        let asked = ["sign_event:1", "sign_event:0", "nip44_decrypt"].compactMap { RemotePermission($0) }
        try await wait(link, at: ada, asked)
        try await browsing { [ada] browser, cookie in
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.text.contains("name=\"grant_sign_event:1\">") && page.text.contains("value=\"low\" checked"))
            #expect(page.text.contains("name=\"grant_sign_event:0\">") && page.text.contains("think twice"))
            #expect(page.text.contains("name=\"grant_nip44_decrypt\">"))
            _ = try await browser.post(
                "/signer/link/\(link.id)/decide",
                [
                    "csrf": page.csrf, "answer": "once", "grant_sign_event:1": "on", "grant_sign_event:9": "on",
                    "trust": "medium",
                ], cookie: cookie)
            #expect(await ada.decisions.map(\.verdict) == [.pair(granting: [asked[0]], trust: .medium)])
        }
    }

    @Test("take a no to the app as an error")
    func refuses() async throws {
        let link = await links.open(key())
        try await wait(link, at: ada)
        try await browsing { browser, cookie in
            let csrf = try await browser.get("/signer/link/\(link.id)", cookie: cookie).csrf
            _ = try await browser.post(
                "/signer/link/\(link.id)/decide", ["csrf": csrf, "answer": "refuse"], cookie: cookie)
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.text.contains("Refused"))
            #expect(page.text.contains("https://app.example/err?code=user_cancelled"))
        }
    }

    @Test("are looked at again while the signer has not, and hand nothing on that somebody else takes back")
    func notReady() async throws {
        let link = await links.open(key(), isCarriedElsewhere: true)
        try await browsing { [ada] browser, cookie in
            let early = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(early.text.contains("One moment"))
            #expect(early.headers[try #require(HTTPField.Name("Refresh"))] == "1")
            try await wait(link, at: ada)
            let csrf = try await browser.get("/signer/link/\(link.id)", cookie: cookie).csrf
            _ = try await browser.post(
                "/signer/link/\(link.id)/decide", ["csrf": csrf, "answer": "once"], cookie: cookie)
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.text.contains("receives the answer") && !page.text.contains("data-carry"))
        }
    }

    @Test("show an answer to be copied where there is no callback, and allow such an app nothing for good")
    func clipboard() async throws {
        let event = PercentEncoding.encode(#"{"kind":1,"content":"hello","tags":[],"created_at":5}"#)
        let link = await links.open("nostrsigner:\(event)?type=get_public_key")
        try await wait(link, at: ada)
        try await browsing { browser, cookie in
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.text.contains("an unknown app") && page.text.contains("your clipboard"))
            let path = "/signer/link/\(link.id)/decide"
            let always = try await browser.post(path, ["csrf": page.csrf, "answer": "always"], cookie: cookie)
            #expect(always.status == .badRequest)
            _ = try await browser.post(path, ["csrf": page.csrf, "answer": "once"], cookie: cookie)
            let done = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(done.text.contains("data-copy=\"link-answer\"") && done.text.contains("readonly"))
        }
    }

    @Test("post an answer that is too long for an address, to the callback's own origin alone")
    func posts() async throws {
        let link = await links.open(
            "nostrsigner://nip44_encrypt?plaintext=a&pubkey=\(wren.account.hex)&id=7"
                + "&x-success=https%3A%2F%2Fapp.example%2Fok%3Fa%3D1")
        await ada.answerLinks(.done(String(repeating: "0123456789abcdef", count: 300_000 / 16), nil))
        try await browsing { [links] browser, cookie in
            #expect(await links.outcome(of: link.id).first { _ in true }?.error == nil)
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.text.contains("action=\"https://app.example/ok?a=1\"") && page.text.contains("data-carry"))
            #expect(page.text.contains("name=\"id\" value=\"7\""))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("form-action https://app.example;") && !policy.contains("form-action 'self'"))
            #expect(page.headers[.cacheControl] == "no-store")
        }
    }

    @Test("let the person choose among accounts before anybody is asked")
    func chooses() async throws {
        try await SignerLinkPagesTests(accounts: 2).chooseAmongTwo()
    }

    private func chooseAmongTwo() async throws {
        let link = await links.open(key())
        try await browsing { [ada, wren, links] browser, cookie in
            let page = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(page.text.contains("Who are you there?") && page.text.contains("https://app.example"))
            #expect(page.text.contains("value=\"\(ada.account.hex)\"") && page.text.contains("Wren"))
            #expect(page.text.contains("&lt;b&gt;App") && !page.text.contains("Approve"))
            let path = "/signer/link/\(link.id)/account"
            let odd = try await browser.post(path, ["csrf": page.csrf, "key": "x"], cookie: cookie)
            #expect(odd.status == .badRequest)
            let chosen = try await browser.post(path, ["csrf": page.csrf, "key": wren.account.hex], cookie: cookie)
            #expect(chosen.location == "/signer/link/\(link.id)")
            let request = try #require(await links.link(link.id))
            #expect(request.request?.account == wren.account)
            try await wait(request, at: wren)
            let asked = try await browser.get("/signer/link/\(link.id)", cookie: cookie)
            #expect(asked.text.contains("With the key of <strong>Wren</strong>") && asked.text.contains("Approve"))
        }
    }
}
