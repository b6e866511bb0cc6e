import HTTPTypes
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages that other programs' addresses lead to", .timeLimit(.minutes(10)))
struct OpeningPagesTests {
    private struct Nobody: LinkAccounts {
        func accounts() -> [PublicKey] { [] }
        func signer(of account: PublicKey) -> (any SigningService)? { nil }
    }

    private let links = OpenLinks(
        SignerLinkHandler(accounts: Nobody(), name: "linnet", now: { Timestamp(seconds: 1_700_000_000) }),
        now: { Timestamp(seconds: 1_700_000_000) })

    private func under() throws -> FaceUnderTest {
        try FaceUnderTest(.plain(notes: 1), hasSigner: true, links: SignerLinks(links))
    }

    @Test(
        "show something, or ask",
        arguments: [
            ("nostr:npub1abc", "/search?q=npub1abc"), ("web+nostr:note1abc", "/search?q=note1abc"),
            (
                "nostrconnect://ab?relay=wss%3A%2F%2Fr",
                "/signer/connect?uri=nostrconnect%3A%2F%2Fab%3Frelay%3Dwss%253A%252F%252Fr"
            ),
            ("whistle://invite/eyJ", "/circles/new?invitation=whistle%3A%2F%2Finvite%2FeyJ"),
        ])
    func leads(address: String, to path: String) async throws {
        try await under().test { browser in
            let cookie = try await browser.logIn()
            let answer = try await browser.get("/open?url=" + PercentEncoding.encode(address), cookie: cookie)
            #expect(answer.location == path)
        }
    }

    @Test("follow after the login, when a browser that is not logged in opened them")
    func afterLogin() async throws {
        try await under().test { browser in
            for address in ["/open?url=nostr%3Anpub1abc", "/sign/get_public_key?type=get_public_key&x=%22%3Cb%3E"] {
                let way = try #require(try await browser.get(address).location)
                #expect(way == "/login?to=" + PercentEncoding.encode(address))
                let page = try await browser.get(way)
                let escaped = address.replacing("&", with: "&amp;")
                #expect(page.text.contains("name=\"to\" value=\"\(escaped)\""))
                let wrong = try await browser.post("/login", ["token": "guess", "to": address], cookie: "")
                #expect(wrong.status == .forbidden && wrong.text.contains("value=\"\(escaped)\""))
                let token = browser.face.loginPath()
                let inside = try await browser.post("/login", ["token": token, "to": address], cookie: "")
                #expect(inside.location == address)
            }
            let long = try await browser.get("/open?url=nostr%3A" + String(repeating: "a", count: 3000))
            #expect(long.location == "/login")
        }
    }

    @Test(
        "are the only ones a login leads to from outside",
        arguments: [
            "//evil.example", "https://evil.example", "/\\evil.example", "/home", "/keys", "/opening", "/open//evil",
            "/signer/../keys", "/signer/settings?x=1", "/open/%2e%2e/keys", "javascript:alert(1)", "",
        ])
    func nowhereElse(page: String) async throws {
        try await under().test { browser in
            let token = browser.face.loginPath()
            let pasted = try await browser.post("/login", ["token": token, "to": page], cookie: "")
            #expect(pasted.location == "/")
            let linked = browser.face.loginPath() + "&to=" + PercentEncoding.encode(page)
            let entered = try await browser.get(linked)
            #expect(entered.location == "/")
        }
    }

    @Test("are reached from the file that leads a browser to them, whose steps count as another site's")
    func fromTheDesktop() async throws {
        try await under().test { browser in
            let elsewhere = ["Sec-Fetch-Site": "cross-site"]
            let entered = try await browser.get(browser.face.openPath("nostr:npub1abc"), elsewhere)
            let path = try #require(entered.location)
            let cookie = try #require(entered.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            // The cookie is `SameSite=Strict`: it is set by this step, and sent only with one from a page of ours.
            let arrival = try await browser.get(path, elsewhere)
            #expect(arrival.status == .ok && arrival.text.contains("href=\"\(path)\""))
            #expect(try await browser.get(path, cookie: cookie).location == "/search?q=npub1abc")
        }
    }

    @Test("ask before a signer is paired with, and do nothing with a secret key or an unknown scheme")
    func asks() async throws {
        try await under().test { browser in
            let cookie = try await browser.logIn()
            let bunker = "bunker://ab?relay=wss://r.example&secret=%3Cb%3E"
            let page = try await browser.get("/open?url=" + PercentEncoding.encode(bunker), cookie: cookie)
            #expect(page.status == .ok && page.text.contains("action=\"/welcome/bunker\""))
            #expect(page.text.contains("value=\"bunker://ab?relay=wss://r.example&amp;secret=%3Cb%3E\""))
            #expect(page.headers[.cacheControl] == "no-store")
            // A new passphrase is asked for twice, as everywhere, and the form's names are those the page it goes to reads.
            for name in ["token", "passphrase", "again"] { #expect(page.text.contains("name=\"\(name)\"")) }
            let once = try await browser.post(
                "/welcome/bunker", ["csrf": page.csrf, "token": bunker, "passphrase": "long enough a phrase"],
                cookie: cookie)
            #expect(once.status == .unprocessableContent)
            let secret = try await browser.get("/open?url=nostr%3Ansec1abc", cookie: cookie)
            #expect(secret.status == .badRequest && !secret.text.contains("nsec1abc"))
            let coin = try await browser.get("/open?url=nostr%2Bwalletconnect%3A%2F%2Fab", cookie: cookie)
            #expect(coin.status == .notFound && coin.text.contains("cannot pay yet"))
        }
    }

    @Test("hand a signer link in only when the person goes on, from a universal link, too")
    func signerLinks() async throws {
        try await under().test { [links] browser in
            let cookie = try await browser.logIn()
            let query = "type=get_public_key&x-success=myapp%3A%2F%2Fok&x-error=myapp%3A%2F%2Ferr&id=1"
            for path in [
                "/sign?" + query, "/sign/get_public_key?" + query,
                "/open?url=" + PercentEncoding.encode("nostrsigner://?" + query),
            ] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(
                    page.status == .ok && page.text.contains("Look at it") && page.text.contains("type=get_public_key"))
                #expect(await links.outcome(of: "x").first { _ in true } == nil)
            }
            let page = try await browser.get("/sign?" + query, cookie: cookie)
            let link = "linnet-signer://?" + query
            let forged = try await browser.post("/open/signer-link", ["csrf": "x", "link": link], cookie: cookie)
            #expect(forged.status == .forbidden)
            // The scheme is one of the program's own, which this handler is not told: what matters is that it is handed in.
            let gone = try await browser.post(
                "/open/signer-link", ["csrf": page.csrf, "link": "nostrsigner://?" + query], cookie: cookie)
            #expect(gone.location?.hasPrefix("/signer/link/") == true)
            let other = try await browser.post(
                "/open/signer-link", ["csrf": page.csrf, "link": "nostr:npub1"], cookie: cookie)
            #expect(other.status == .badRequest)
        }
    }

    @Test("what a program handed in is found by a word nobody guesses, and stands in no address")
    func handedIn() async throws {
        try await under().test { browser in
            let path = browser.face.openPath("bunker://ab?secret=word")
            #expect(!path.contains("word") && path.contains("&to=%2Fopen%2F"))
            let arrived = try await browser.get(path)
            let place = try #require(arrived.location)
            #expect(place.hasPrefix("/open/") && place.count > 30)
            let cookie = try #require(arrived.headers[.setCookie]).prefix { $0 != ";" }
            let page = try await browser.get(place, cookie: String(cookie))
            #expect(page.text.contains("value=\"bunker://ab?secret=word\""))
            #expect(try await browser.get("/open/0123", cookie: String(cookie)).status == .notFound)
        }
    }

    @Test("a page of another site may lead here, and is then a page of this one")
    func fromElsewhere() async throws {
        try await under().test { browser in
            for path in ["/open?url=nostr%3Aa", "/sign?type=x", "/sign/sign_event?type=x"] {
                let arrived = try await browser.get(path, ["Sec-Fetch-Site": "cross-site"])
                #expect(arrived.status == .ok && arrived.text.contains("Another page leads here"), "\(path)")
            }
            #expect(try await browser.get("/home", ["Sec-Fetch-Site": "cross-site"]).location == "/login")
        }
    }
}
