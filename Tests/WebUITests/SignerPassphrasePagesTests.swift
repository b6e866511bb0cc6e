import HTTPTypes
import NostrCore
import NostrNIPs
import NostrSigner
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages of the signer, where the passphrase is asked for again")
struct SignerPassphrasePagesTests {
    private let under: FaceUnderTest
    private let now = Timestamp(seconds: 1_700_000_000)

    init() throws {
        under = try FaceUnderTest(.plain(notes: 2), hasSigner: true)
    }

    @Test("ask for the passphrase with a yes where the signer does, whatever the form says")
    func passphrase() async throws {
        let app = SignerClient.scripted(50, claiming: "Ana's app", of: under.account.publicKey)
        let draft = EventDraft(kind: 0, content: "{}", createdAt: now)
        var waiting = WaitingRequest.scripted(
            9, from: app, .sign(draft, ChangeReport(.event(0, .plain))), rule: .protectedKind, at: now)
        waiting.passphrase = .always
        let request = waiting
        try await under.test { browser in
            let cookie = try await browser.logIn()
            await under.signer.set(passphrase: "correct horse")
            await under.signer.arrive(request)
            let id = request.id.hex
            let list = try await browser.get("/signer", cookie: cookie)
            #expect(list.text.contains("name=\"passphrase\" type=\"password\""))
            #expect(
                try await browser.get("/signer/requests/\(id)", cookie: cookie).text.contains("name=\"passphrase\""))
            for (typed, sentence) in [("", "needs the passphrase"), ("wrong", "Wrong passphrase")] {
                for path in ["/signer/decide", "/signer/requests/\(id)/decide"] {
                    let answer = try await browser.post(
                        path, ["csrf": list.csrf, "ids": id, "answer": "once", "passphrase": typed], cookie: cookie)
                    #expect(answer.status == .unprocessableContent && answer.text.contains(sentence))
                    #expect(!answer.text.contains("value=\"wrong\""))
                }
            }
            #expect(await under.signer.decisions.isEmpty)
            let done = try await browser.post(
                "/signer/decide",
                ["csrf": list.csrf, "ids": id, "answer": "once", "passphrase": "correct horse"], cookie: cookie)
            #expect(done.status == .seeOther)
            #expect(await under.signer.decisions.map(\.ids) == [[request.id]])
        }
    }

    @Test("turn asking for the passphrase on with it alone, and not for a key that has none")
    func asksForPassphrase() async throws {
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let without = try await browser.get("/signer/settings", cookie: cookie)
            #expect(without.text.contains("This needs a key with a passphrase"))
            await under.signer.set(passphrase: "correct horse")
            let off = try await browser.get("/signer/settings", cookie: cookie)
            #expect(off.text.contains("id=\"passphrase-setting\"") && !off.text.contains("id=\"passphrase-kinds\""))
            func turn(_ ask: String, _ typed: String) async throws -> HTTPResponse.Status {
                try await browser.post(
                    "/signer/settings/passphrase", ["csrf": off.csrf, "ask": ask, "passphrase": typed],
                    cookie: cookie
                ).status
            }
            #expect(try await turn("1", "") == .unprocessableContent)
            #expect(try await turn("1", "wrong") == .unprocessableContent)
            #expect(await !under.signer.all.asksForPassphrase)
            #expect(try await turn("1", "correct horse") == .seeOther)
            #expect(await under.signer.all.asksForPassphrase)
            let on = try await browser.get("/signer/settings", cookie: cookie)
            #expect(on.text.contains("Ask no longer") && on.text.contains("id=\"passphrase-kinds\""))
            #expect(try await browser.get("/signer/connect", cookie: cookie).status == .ok)
            #expect(try await turn("0", "wrong") == .unprocessableContent)
            #expect(try await turn("0", "correct horse") == .seeOther)
        }
    }
}
