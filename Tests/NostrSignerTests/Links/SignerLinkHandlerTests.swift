import Foundation
import GzipFormat
import NostrCore
import NostrNIPs
import NostrTesting
import Synchronization
import Testing

@testable import NostrSigner

private let alice = TestPerson.alice
private let bob = TestPerson.bob
private let draft = #"{"kind":1,"content":"50% + ü","tags":[],"created_at":1700000000}"#

/// What a desk stands in: accounts, a pasteboard, a clock.
private struct Office {
    let signers: [PublicKey: FakeLinkSigner]
    let desk: SignerLinkHandler
    let pasteboard = FakePasteboard()

    init(_ people: [TestPerson] = [.alice], limits: LinkLimits = LinkLimits()) {
        final class Clock: Sendable {
            let now = Mutex(Timestamp(seconds: 1_700_000_000))
        }
        let clock = Clock()
        signers = Dictionary(
            uniqueKeysWithValues: people.map { ($0.publicKey, FakeLinkSigner(LocalSigner($0.secretKey))) })
        desk = SignerLinkHandler(
            accounts: FakeAccounts(order: people.map(\.publicKey), signers: signers), name: "org.example.linnet",
            limits: limits, pasteboard: pasteboard, random: SeededRandom(seed: 1), now: { clock.now.withLock { $0 } })
        move = { span in clock.now.withLock { $0 = $0 + span } }
    }

    let move: @Sendable (Duration) -> Void

    var signer: FakeLinkSigner? { signers[alice.publicKey] }

    func opened(_ text: String) async -> String? {
        if case .open(let url) = await desk.handle(text).delivery { url } else { nil }
    }
}

private func encoded(_ text: String) -> String { PercentEncoding.encode(text) }

private func request(_ rest: String, callbacks: String = "x-success=myapp%3A%2F%2Fok%3Fa%3D1%23f") -> String {
    "nostrsigner://\(rest)&\(callbacks)"
}

private func values(of url: String?) -> [String: String] {
    let query = (url ?? "").split(separator: "#").first?.split(separator: "?", maxSplits: 1).last ?? ""
    return Dictionary(URIQuery(parsing: query).items.map { ($0.name, $0.value) }, uniquingKeysWith: { a, _ in a })
}

@Suite("The desk where signer links are handed in")
struct SignerLinkHandlerTests {
    @Test("tells whose key it is, and which of the permissions the app has")
    func publicKey() async throws {
        let office = Office()
        #expect(
            await office.opened(request("get_public_key?id=1%2F2"))
                == "myapp://ok?a=1&pubkey=\(alice.publicKey.hex)&package=org.example.linnet&id=1%2F2#f")
        await office.signer?.grant([Grant(RemotePermission(.nip44Decrypt), .allow, made: Timestamp(seconds: 1))])
        let wanted = encoded(#"[{"type":"sign_event","kind":0},{"type":"nip44_decrypt"}]"#)
        let answer = values(of: await office.opened(request("get_public_key?permissions=\(wanted)")))
        #expect(answer["granted_permissions"] == #"[{"type":"nip44_decrypt"}]"#)
        #expect(await office.signer?.asked.last?.parameters == ["sign_event:0,nip44_decrypt"])
    }

    @Test("signs, and gives back what was asked for, to the byte")
    func signs() async throws {
        let office = Office()
        let plain = await office.opened(request("sign_event?event=\(encoded(draft))&id=a+b%20%C3%BC"))
        let event = try #require(await office.signer?.signed.last)
        #expect(event.content == "50% + ü" && event.pubkey == alice.publicKey)
        #expect(plain == "myapp://ok?a=1&result=\(event.signature.hex)&id=a%2Bb%20%C3%BC#f")
        let whole = await office.opened(request("sign_event?event=\(encoded(draft))&returnType=event"))
        let second = try #require(await office.signer?.signed.last)
        let json = String(decoding: second.json, as: UTF8.self)
        #expect(whole?.hasSuffix("&event=\(encoded(json))#f") == true)
        let packed = values(
            of: await office.opened(request("sign_event?event=\(encoded(draft))&returnType=event&compressionType=gzip"))
        )
        let base64 = try #require(packed["event"])
        let bytes = try #require(Base64.decode(base64))
        let text = String(decoding: try Gzip.decompress(bytes, limit: 10_000), as: UTF8.self)
        #expect(try UnverifiedEvent(json: Array(text.utf8)).content == "50% + ü")
    }

    @Test("encrypts and decrypts by both ciphers", arguments: [("nip04", ContentCipher.nip04), ("nip44", .nip44)])
    func ciphers(name: String, cipher: ContentCipher) async throws {
        let office = Office()
        let text = "a+b=c & ü\n"
        let encrypted = values(
            of: await office.opened(
                request("\(name)_encrypt?plaintext=\(encoded(text))&pubkey=\(bob.publicKey.hex)&returnType=ciphertext"))
        )
        let payload = try #require(encrypted["result"])
        #expect(try await LocalSigner(bob.secretKey).decrypt(payload, from: alice.publicKey, by: cipher) == text)
        let decrypted = values(
            of: await office.opened(
                request("\(name)_decrypt?encryptedText=\(encoded(payload))&pubkey=\(bob.publicKey.hex)")))
        #expect(decrypted["result"] == text)
    }

    @Test("reads a private zap")
    func zap() async throws {
        let office = Office()
        var random = SeededRandom(seed: 1)
        let zapDraft = EventDraft(
            kind: 9734, tags: [["p", alice.publicKey.hex]], content: "well said", createdAt: Timestamp(seconds: 5))
        let zap = try PrivateZap.request(zapDraft, by: bob.secretKey, using: &random)
        let json = String(decoding: zap.json, as: UTF8.self)
        let answer = values(
            of: await office.opened(request("decrypt_zap_event?event=\(encoded(json))&returnType=event")))
        let result = try #require(answer["result"])
        let inner = try UnverifiedEvent(json: Array(result.utf8))
        #expect(try Event(verifying: inner).pubkey == bob.publicKey)
        #expect(inner.kind == 9733 && inner.content == "well said")
    }

    @Test("answers DIP-05 and the web form of NIP-55 in their own ways")
    func otherConventions() async throws {
        let office = Office()
        let dip = await office.opened(
            "nostrsigner:\(encoded(draft))?type=sign_event&callbackUrl=primal%3A%2F%2Fcb%3Fs%3D1&returnType=event"
                + "&compressionType=gzip&id=7")
        let event = try #require(await office.signer?.signed.last)
        let answer = values(of: dip)
        #expect(answer["s"] == "1" && answer["result"] == event.signature.hex && answer["id"] == "7")
        let packed = try #require(answer["event"])
        #expect(packed.hasPrefix("Signer1"))
        let bytes = try #require(Base64.decode(String(packed.dropFirst(7))))
        #expect(try Gzip.decompress(bytes, limit: 10_000) == event.json)

        let web = await office.opened(
            "nostrsigner:\(encoded(draft))?type=sign_event&callbackUrl=https://example.com/?event=&returnType=event")
        let last = try #require(await office.signer?.signed.last)
        #expect(web == "https://example.com/?event=\(encoded(String(decoding: last.json, as: UTF8.self)))")
        let key = await office.desk.handle("nostrsigner:?type=get_public_key")
        #expect(key.delivery == .copy(alice.publicKey.hex))
        #expect(await office.signer?.apps.last == .anonymousLink)
        await office.signer?.answer(.refused(.person))
        #expect(
            await office.opened("nostrsigner:\(encoded(draft))?type=sign_event&callbackUrl=primal%3A%2F%2Fcb&id=8")
                == "primal://cb?error=user_rejected&rejected=true&id=8")
        #expect(
            await office.desk.handle("nostrsigner:\(encoded(draft))?type=sign_event&callbackUrl=https://e.com/?r=")
                .delivery
                == .nothing)
    }

    @Test("what is refused goes to x-error, or to x-cancel when the person said no and there is no x-error")
    func refusals() async throws {
        let cases: [(DirectAnswer, LinkError.Code)] = [
            (.refused(.person), .userCancelled), (.refused(.unanswered), .userCancelled),
            (.refused(.grant), .permissionDenied), (.refused(.paused), .permissionDenied),
            (.refused(.tooOften), .rateLimited), (.refused(.locked), .notLoggedIn), (.failed("no"), .invalidRequest),
        ]
        for (answer, code) in cases {
            let office = Office()
            await office.signer?.answer(answer)
            let rest = "sign_event?event=\(encoded(draft))&id=9"
            let both = "x-success=myapp%3A%2F%2Fok&x-error=myapp%3A%2F%2Ferr%3Fx&x-cancel=myapp%3A%2F%2Fno"
            let told = await office.opened(request(rest, callbacks: both))
            #expect(
                told?.hasPrefix("myapp://err?x&code=\(code.rawValue)&reason=") == true
                    && told?.hasSuffix("&id=9") == true)
            let elsewhere = await office.desk.handle(
                request(rest, callbacks: "x-success=myapp%3A%2F%2Fok&x-error=vnd.other%3A%2F%2Fgo")
            ).delivery
            guard case .offer(let offered) = elsewhere else {
                Issue.record("\(elsewhere)")
                return
            }
            #expect(offered.hasPrefix("vnd.other://go?code=\(code.rawValue)"))
            let cancel = await office.opened(
                request(rest, callbacks: "x-success=myapp%3A%2F%2Fok&x-cancel=myapp%3A%2F%2Fno"))
            #expect(cancel == (code == .userCancelled ? "myapp://no?id=9" : nil))
            let outcome = await office.desk.handle(request(rest, callbacks: "x-success=myapp%3A%2F%2Fok"))
            #expect(outcome.delivery == .nothing && outcome.error?.code == code)
        }
    }

    @Test("asks the signer of the current user, and nobody else's")
    func accounts() async throws {
        let office = Office([.alice, .bob])
        let rest = "sign_event?event=\(encoded(draft))&current_user="
        _ = await office.opened(request(rest + bob.publicKey.hex))
        #expect(await office.signers[bob.publicKey]?.signed.count == 1)
        #expect(await office.signer?.signed.isEmpty == true)
        let stranger = await office.desk.handle(request(rest + TestPerson.eve.publicKey.hex))
        #expect(stranger.error?.code == .permissionDenied)
        #expect(await Office([]).desk.handle(request(rest)).error?.code == .notLoggedIn)
    }

    @Test("a broken link opens nothing by itself where no result could go")
    func brokenLinks() async throws {
        let office = Office()
        let error = "x-error=vnd.opener%3A%2F%2Frun"
        for callbacks in [error, error + "&x-success=javascript%3Aalert(1)", error + "&x-success=myapp%3A%2F%2Fok&v=9"]
        {
            let outcome = await office.desk.handle(request("sign_event?event=\(encoded(draft))", callbacks: callbacks))
            guard case .offer(let url) = outcome.delivery else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(url.hasPrefix("vnd.opener://run?code=invalid_request"))
        }
        let web = await office.desk.handle(
            request("sign_event?id=1", callbacks: "x-success=https%3A%2F%2Fe.com%2Fok&x-error=https%3A%2F%2Fe.com%2Fno")
        )
        guard case .open? = Optional(web.delivery) else {
            Issue.record("\(web)")
            return
        }
    }

    @Test("the same id with another question is another request")
    func idsAnew() async throws {
        let office = Office()
        let other = draft.replacingOccurrences(of: "50%", with: "60%")
        for text in [draft, other] {
            let outcome = await office.desk.handle(request("sign_event?event=\(encoded(text))&id=1"))
            #expect(outcome.error == nil)
        }
        #expect(await office.signer?.signed.count == 2)
        #expect(
            await office.desk.handle(request("sign_event?event=\(encoded(other))&id=1")).error?.code == .invalidRequest)
    }

    @Test("the same request of the same app is refused within the window, unless nothing was done")
    func replay() async throws {
        let office = Office()
        let text = request("sign_event?event=\(encoded(draft))&id=42&x-error=myapp%3A%2F%2Ferr")
        #expect(await office.desk.handle(text).error == nil)
        #expect(await office.desk.handle(text).error?.code == .invalidRequest)
        #expect(await office.signer?.signed.count == 1)
        let other = request(
            "sign_event?event=\(encoded(draft))&id=42", callbacks: "x-success=https%3A%2F%2Fe.com%2Fcb")
        #expect(await office.desk.handle(other).error == nil)
        office.move(.seconds(119))
        #expect(await office.desk.handle(text).error?.code == .invalidRequest)
        office.move(.seconds(2))
        #expect(await office.desk.handle(text).error == nil)
        await office.signer?.answer(.refused(.person))
        let refused = request("sign_event?event=\(encoded(draft))&id=43")
        #expect(await office.desk.handle(refused).error?.code == .userCancelled)
        await office.signer?.answer(nil)
        #expect(await office.desk.handle(refused).error == nil)
    }

    @Test("refuses an app that asks too often, and all together")
    func rate() async throws {
        let office = Office(limits: LinkLimits(perApp: 3, together: 5))
        let rest = "get_public_key?x-error=myapp%3A%2F%2Ferr"
        func code(_ scheme: String) async -> LinkError.Code? {
            await office.desk.handle(request(rest, callbacks: "x-success=\(scheme)%3A%2F%2Fok")).error?.code
        }
        for _ in 0..<3 { #expect(await code("one") == nil) }
        #expect(await code("one") == .rateLimited)
        for _ in 0..<2 { #expect(await code("two") == nil) }
        #expect(await code("three") == .rateLimited)
        office.move(.seconds(60))
        #expect(await code("one") == nil)
    }

    @Test("exchanges what is too long by the pasteboard")
    func pasteboard() async throws {
        let office = Office()
        await office.pasteboard.set(draft, under: "t1")
        let answer = await office.opened(request("sign_event?pb=t1&returnType=event&id=1"))
        #expect(answer == "myapp://ok?a=1&result_ref=pb%3At1&id=1#f")
        let left = try #require(await office.pasteboard.put["t1"])
        #expect(left.expires == .seconds(120))
        #expect(try UnverifiedEvent(json: Array(left.text.utf8)).content == "50% + ü")
        #expect(await office.desk.handle(request("sign_event?pb=nothing")).error?.code == .invalidRequest)
    }

    @Test("the same id with another user, shape or callback is another request")
    func otherRequests() async throws {
        let office = Office()
        let event = "sign_event?event=\(encoded(draft))&id=7"
        for text in [
            request(event), request(event + "&returnType=event"), request(event + "&compressionType=gzip"),
            request(event, callbacks: "x-success=myapp%3A%2F%2Fother"),
        ] {
            #expect(await office.desk.handle(text).error == nil)
            #expect(await office.desk.handle(text).error?.code == .invalidRequest)
        }
    }

    @Test("an event of 300 kB is signed by the pasteboard, and its result lies there")
    func largeByPasteboard() async throws {
        let office = Office()
        let content = String(repeating: "0123456789abcdef", count: 300_000 / 16)
        await office.pasteboard.set(#"{"kind":1,"content":"\#(content)","tags":[],"created_at":5}"#, under: "large")
        let answer = await office.opened(request("sign_event?pb=large&returnType=event&id=1"))
        #expect(answer == "myapp://ok?a=1&result_ref=pb%3Alarge&id=1#f")
        let left = try #require(await office.pasteboard.put["large"])
        #expect(try Event(verifying: UnverifiedEvent(json: Array(left.text.utf8))).content == content)
    }

    @Test("an event of 300 kB goes back to a site by a form, to its own origin, and to an app not at all")
    func largeByPost() async throws {
        let office = Office()
        let content = String(repeating: "0123456789abcdef", count: 300_000 / 16)
        let event = encoded(#"{"kind":1,"content":"\#(content)","tags":[],"created_at":5}"#)
        let text = request(
            "sign_event?event=\(event)&returnType=event&id=1", callbacks: "x-success=https%3A%2F%2Fe.com%2Fcb%3Fa%3D1")
        guard case .post(let posted) = await office.desk.handle(text).delivery else {
            Issue.record("not posted")
            return
        }
        #expect(posted.address == "https://e.com/cb?a=1" && posted.origin == "https://e.com")
        #expect(posted.fields.map(\.name) == ["result", "event", "id"])
        let signed = try #require(posted.fields.first { $0.name == "event" }?.value)
        #expect(try Event(verifying: UnverifiedEvent(json: Array(signed.utf8))).content == content)
        let app = request("sign_event?event=\(event)&returnType=event&x-error=myapp%3A%2F%2Ferr")
        #expect(await office.desk.handle(app).error?.code == .payloadTooLarge)
        #expect(PostedAnswer(to: "http://e.com/cb", []) == nil && PostedAnswer(to: "myapp://ok", []) == nil)
    }

    @Test("what holds line breaks, which forms change, goes by the address or not at all")
    func linesByPost() async throws {
        let office = Office()
        let success = "x-success=https%3A%2F%2Fe.com%2Fcb"
        let wish = "nip44_decrypt?encryptedText=a&pubkey=\(bob.publicKey.hex)"
        await office.signer?.answer(.done(String(repeating: "a\n", count: 5000), nil))
        guard case .open = await office.desk.handle(request(wish, callbacks: success)).delivery else {
            Issue.record("not opened")
            return
        }
        await office.signer?.answer(.done(String(repeating: "aa", count: 5000), nil))
        guard case .post = await office.desk.handle(request(wish, callbacks: success)).delivery else {
            Issue.record("not posted")
            return
        }
    }

    @Test("a result that fits into no URL is refused")
    func tooLong() async throws {
        let office = Office()
        await office.signer?.answer(.done(String(repeating: "ü", count: 40_000), nil))
        let text = request(
            "nip44_decrypt?encryptedText=a&pubkey=\(bob.publicKey.hex)&x-error=myapp%3A%2F%2Ferr")
        #expect(await office.desk.handle(text).error?.code == .payloadTooLarge)
    }

    @Test("what the signer itself fails at is told without its reasons")
    func failures() async throws {
        let office = Office()
        await office.signer?.fail(SigningServiceError(.locked))
        let text = request("sign_event?event=\(encoded(draft))&x-error=myapp%3A%2F%2Ferr")
        #expect(await office.desk.handle(text).error?.code == .notLoggedIn)
        await office.signer?.fail(SigningServiceError(.recordsUnusable))
        let outcome = await office.desk.handle(text)
        #expect(outcome.error?.code == .internalError)
        if case .open(let url) = outcome.delivery { #expect(!url.contains("secret")) }
    }

    @Test("warns where what is decrypted reaches a server")
    func leaks() throws {
        func leaks(_ text: String) -> Bool? {
            if case .request(let link) = SignerLink.read(text, pasted: "x") { link.leaksToServer } else { nil }
        }
        let decrypt = "nip44_decrypt?encryptedText=a&pubkey=\(bob.publicKey.hex)"
        let web = "x-success=https%3A%2F%2Fe.com%2Fcb"
        #expect(leaks(request(decrypt)) == false)
        #expect(leaks(request(decrypt, callbacks: web)) == true)
        #expect(leaks(request(decrypt + "&pb=t", callbacks: web)) == false)
        #expect(leaks(request("sign_event?event=\(encoded(draft))", callbacks: web)) == false)
    }
}
