import Foundation
import HTTPTypes
import NostrClient
import NostrCore
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("signers elsewhere on pages")
struct SignerElsewherePagesTests {
    private let passphrase = "a long passphrase"

    @Test("a pasted token begins to pair, and leads to the page that waits")
    func token() async throws {
        let under = try FaceUnderTest(lives: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let welcome = try await browser.get("/welcome", cookie: cookie)
            #expect(welcome.text.contains("Use a signer elsewhere"))
            let page = try await browser.post(
                "/welcome/bunker",
                ["csrf": welcome.csrf, "token": " bunker://good ", "passphrase": passphrase, "again": passphrase],
                cookie: cookie)
            #expect(page.location == "/pairing/try-1")
            await under.elsewhere.set(progress: PairingProgress(step: .waiting))
            let waiting = try await browser.get("/pairing/try-1", cookie: cookie)
            #expect(waiting.text.contains("data-step=\"waiting\""))
            #expect(waiting.text.contains("http-equiv=\"refresh\""))
            #expect(waiting.headers[.cacheControl] == "no-store")
            #expect(try await browser.get("/pairing/try-1/step", cookie: cookie).text == "waiting")
        }
    }

    @Test(
        "says at its door what is wrong with what was pasted, without repeating it",
        arguments: [
            ("", "begins with bunker://"), ("nsec1secret", "begins with bunker://"),
            ("nostrconnect://abc", "an app&#39;s invitation"), ("bunker://bad-secret", "names no relay"),
        ])
    func wrongToken(token: String, sentence: String) async throws {
        let under = try FaceUnderTest(lives: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/welcome", cookie: cookie).csrf
            let page = try await browser.post(
                "/welcome/bunker", ["csrf": csrf, "token": token, "passphrase": passphrase, "again": passphrase],
                cookie: cookie)
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains(sentence))
            #expect(!page.text.contains("secret\"") || token.isEmpty || !page.text.contains(token))
            #expect(await under.elsewhere.asked.isEmpty)
        }
    }

    @Test("a note that is sent now goes to a signer elsewhere, and its page waits for no answer")
    func sendNow() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        await under.elsewhere.set(signer: .waiting)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let form: KeyValuePairs = ["csrf": csrf, "text": "Hello.", "do": "publish"]
            let sent = try await browser.post("/compose", form, cookie: cookie)
            let id = try #require(sent.location?.split(separator: "=").last.map(String.init))
            let now = try await browser.post("/compose/now", ["csrf": csrf, "id": id], cookie: cookie)
            #expect(await under.account.published.isEmpty)
            let held = try await browser.get(try #require(now.location), cookie: cookie)
            let page = try await browser.get(try #require(held.location), cookie: cookie)
            #expect(page.text.contains("Waiting for your signer…") && page.text.contains(">Undo<"))
            await under.face.services.outgoing.publishNow(id)
            #expect(await under.account.published.map(\.text) == ["Hello."])
        }
    }

    @Test("an invitation is shown until it is answered, and the account is open then")
    func invitation() async throws {
        let under = try FaceUnderTest(lives: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/welcome", cookie: cookie).csrf
            let page = try await browser.post(
                "/welcome/invite", ["csrf": csrf, "passphrase": passphrase, "again": passphrase], cookie: cookie)
            #expect(page.location == "/pairing/try-2")
            let invitation = "nostrconnect://abc?relay=wss%3A%2F%2Fr.example&secret=x"
            await under.elsewhere.set(progress: PairingProgress(step: .connecting, invitation: invitation))
            let shown = try await browser.get("/pairing/try-2", cookie: cookie)
            #expect(shown.text.contains("secret=x"))
            #expect(!shown.text.contains("&secret=x\""))
            await under.elsewhere.set(progress: PairingProgress(step: .paired(under.account.publicKey)))
            #expect(try await browser.get("/pairing/try-2", cookie: cookie).location == "/home")
            #expect(try await browser.get("/home", cookie: cookie).status == .ok)
        }
    }

    @Test("a failure says why, and a try that is not known leads back")
    func failure() async throws {
        let under = try FaceUnderTest(lives: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.elsewhere.set(progress: PairingProgress(step: .failed("The signer says: <no>")))
            let page = try await browser.get("/pairing/try-1", cookie: cookie)
            #expect(page.text.contains("The signer says: &lt;no&gt;"))
            #expect(!page.text.contains("http-equiv"))
            let back = try await browser.post("/pairing/try-1/end", ["csrf": page.csrf], cookie: cookie)
            #expect(back.location == "/welcome")
            #expect(await under.elsewhere.asked == ["give up try-1"])
            #expect(try await browser.get("/pairing/unknown", cookie: cookie).location == "/welcome")
        }
    }

    @Test("an extension that proves its key opens the account; proofs of anything else are refused")
    func proof() async throws {
        let under = try FaceUnderTest(lives: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/welcome", cookie: cookie)
            let start = try #require(page.text.firstRange(of: "data-nip07=\""))
            let challenge = String(page.text[start.upperBound...].prefix { $0 != "\"" })
            #expect(!challenge.isEmpty && !page.csrf.contains(challenge))
            func post(_ event: Event) async throws -> Page {
                try await browser.post(
                    "/welcome/browser",
                    ["csrf": page.csrf, "proof": String(decoding: event.unverified.json, as: UTF8.self)],
                    cookie: cookie)
            }
            let now = under.clock.now.seconds
            let alice = TestPerson.alice
            let tags: [NostrCore.Tag] = [["challenge", challenge]]
            for wrong in [
                alice.event(kind: 1, tags: tags, at: now), alice.event(kind: 27_235, at: now),
                alice.event(kind: 27_235, tags: [["challenge", "other"]], at: now),
                alice.event(kind: 27_235, tags: tags, at: now - 601),
            ] {
                let page = try await post(wrong)
                #expect(page.status == .unprocessableContent)
            }
            let empty = try await browser.post("/welcome/browser", ["csrf": page.csrf, "proof": ""], cookie: cookie)
            #expect(empty.status == .unprocessableContent)
            let right = try await post(alice.event(kind: 27_235, tags: tags, at: now))
            #expect(right.location == "/home")
            #expect(await under.elsewhere.asked == ["browser \(alice.publicKey.hex)"])
        }
    }

    @Test("every page tells when the signer is waited for, and what to open")
    func strip() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(!(try await browser.get("/home", cookie: cookie).text.contains("data-signer=")))
            await under.elsewhere.set(signer: .approval(page: "https://b.example/\"><script>"))
            let page = try await browser.get("/home", cookie: cookie)
            #expect(page.text.contains("data-signer=\"remote\""))
            #expect(page.text.contains("wants you to confirm"))
            #expect(!page.text.contains("\"><script>"))
            await under.elsewhere.set(signer: .unreachable)
            let strip = try await browser.get("/signer-strip", cookie: cookie)
            #expect(strip.text.contains("does not answer"))
            await under.elsewhere.set(signer: .answers)
            #expect(try await browser.get("/signer-strip", cookie: cookie).text.isEmpty)
        }
    }

    @Test("a page of the browser that has the key fetches what to ask for and brings it back byte for byte")
    func errands() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let errand = ExtensionRequest(id: "1", method: "nip44_encrypt", parameters: ["ab", "line\nline\r\n"])
            await under.elsewhere.set(signer: .pageOpen, errands: [errand])
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("data-signer=\"browser\""))
            let script = ["X-Linnet-Fragment": "1"]
            let got = try await browser.get("/nip07/requests?page=p", cookie: cookie, script)
            #expect(got.text.contains(#""method":"nip44_encrypt""#))
            #expect(got.headers[.cacheControl] == "no-store")
            // Only a script asks; a link to it does nothing.
            #expect(try await browser.get("/nip07/requests?page=p", cookie: cookie).status == .badRequest)
            let text = "a\r\nb\u{1F33B}"
            let base64 = Data(text.utf8).base64EncodedString()
            for (id, outcome) in [("1", "result"), ("2", "failure"), ("3", "cannot")] {
                let page = try await browser.post(
                    "/nip07/answer", ["csrf": home.csrf, "id": id, "outcome": outcome, "text": base64], cookie: cookie)
                #expect(page.status == .noContent)
            }
            #expect(await under.elsewhere.replies == ["1": .result(text), "2": .failure(text), "3": .cannot])
            let left = try await browser.post("/nip07/leave", ["csrf": home.csrf, "page": "p"], cookie: cookie)
            #expect(left.status == .noContent)
            #expect(await under.elsewhere.asked == ["left p"])
            let other = try await browser.get(
                "/nip07/requests?page=p", cookie: cookie,
                script.merging(["X-Linnet-Account": TestPerson.eve.publicKey.hex]) { $1 })
            #expect(other.status == .conflict)
            let forged = try await browser.post(
                "/nip07/answer", ["csrf": "guess", "id": "1", "outcome": "result", "text": base64], cookie: cookie)
            #expect(forged.status == .forbidden)
        }
    }
}

@Suite("forms while the key is in a browser")
struct ExtensionFormTests {
    @Test("a form sent by the browser itself is not worked on, but sent again by a page that can ask")
    func again() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.elsewhere.set(signer: .pageOpen)
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let page = try await browser.post(
                "/compose", ["csrf": csrf, "do": "publish", "text": "a <b>\nnote"], cookie: cookie)
            #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains("action=\"/compose\" data-again"))
            #expect(page.text.contains("name=\"text\" value=\"a &lt;b&gt;\nnote\"") && page.csrf == csrf)
            #expect(page.text.contains("data-account=\"\(under.account.publicKey.hex)\""))
            // Doors, where secrets are typed, are not repeated on any page.
            let door = try await browser.post(
                "/welcome/unlock", ["csrf": csrf, "key": "x", "passphrase": "a secret"], cookie: cookie)
            #expect(!door.text.contains("data-again") && !door.text.contains("a secret"))
            await under.elsewhere.set(signer: .answers)
            let elsewhere = try await browser.post(
                "/compose", ["csrf": csrf, "do": "publish", "text": ""], cookie: cookie)
            #expect(!elsewhere.text.contains("data-again"))
        }
    }

    @Test("a script that sends a form is told where to go on, or what is wrong")
    func submission() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.elsewhere.set(signer: .pageOpen)
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let script = ["X-Linnet-Submit": "1"]
            let sent = try await browser.post(
                "/compose", ["csrf": csrf, "do": "publish", "text": "a note"], cookie: cookie, script)
            #expect(sent.status == .ok && sent.headers[.contentType] == "application/json")
            #expect(sent.text.contains("held=") && sent.location == nil)
            let empty = try await browser.post(
                "/compose", ["csrf": csrf, "do": "publish", "text": ""], cookie: cookie, script)
            let place = String(try #require(empty.text.split(separator: "\"").last { $0.contains("outcome") }))
                .replacing("\\/", with: "/")
            let outcome = try await browser.get(place, cookie: cookie)
            #expect(outcome.status == .unprocessableContent && outcome.text.contains("role=\"alert\""))
            #expect(outcome.headers[.cacheControl] == "no-store")
            #expect(try await browser.get("/nip07/outcome/guess", cookie: cookie).location == "/home")
            let forged = try await browser.post("/compose", ["csrf": "x", "text": ""], cookie: cookie, script)
            #expect(forged.status == .forbidden && !forged.text.contains("<html"))
        }
    }
}
