import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("Signer links of strangers", .timeLimit(.minutes(5)))
struct SignerLinksTests {
    @Test("a link without a callback is asked about each time, whatever was said to one before")
    func noCallback() async throws {
        let signer = try SignerUnderAttack()
        for verdict in [RequestVerdict.always(allow: true, until: nil), .once(allow: true), .once(allow: false)] {
            let answered = try await signer.answer(
                SignerUnderAttack.note("id=1", saying: "\(verdict)"), saying: verdict)
            #expect(answered.asked?.client.app == .anonymousLink)
            #expect((answered.given != nil) == verdict.allows)
        }
        let wishes = PercentEncoding.encode(#"[{"type":"sign_event"},{"type":"nip44_decrypt"}]"#)
        let key = try await signer.answer(
            "nostrsigner:?type=get_public_key&permissions=\(wishes)",
            saying: .pair(granting: [RemotePermission(.signEvent)], trust: .full))
        #expect(key.asked != nil && key.given == signer.live.account.hex)
        #expect(try await signer.live.clients() == [])
        let again = try await signer.answer(
            SignerUnderAttack.note("id=2", saying: "again"), saying: .once(allow: false))
        #expect(again.asked != nil && again.given == nil)
    }

    @Test(
        "what one callback may is no right of another",
        arguments: [
            "https://site.example/other", "https://site.example/cb/", "https://site.example:8443/cb",
            "https://site.example.evil.example/cb", "https://evil.example/cb?https://site.example/cb", "site:go",
            "https://site.example/CB", "https://site.example",
        ])
    func foreignCallback(callback: String) async throws {
        let signer = try SignerUnderAttack()
        try await signer.pair("https://site.example/cb", trust: .full)
        let rest = "callbackUrl=\(PercentEncoding.encode(callback))"
        let answered = try await signer.answer(SignerUnderAttack.note(rest), saying: .once(allow: false))
        #expect(answered.asked != nil && answered.asked?.client.app != .link("https://site.example/cb"))
        #expect(answered.outcome.error != nil)
        // The one that has the right, with a query of its own, is not asked about.
        let own = "callbackUrl=\(PercentEncoding.encode("https://site.example/cb?state=1"))"
        let mine = try await signer.answer(SignerUnderAttack.note(own), saying: .once(allow: false))
        #expect(mine.asked == nil && mine.given?.hasPrefix("https://site.example/cb?state=1") == true)
    }

    @Test("what is decrypted goes to no server by a right alone")
    func revealing() async throws {
        let signer = try SignerUnderAttack()
        try await signer.pair("https://site.example/cb", trust: .full)
        let sealed = try await LocalSigner(TestPerson.bob.secretKey)
            .encrypt("private", for: signer.live.account, by: .nip44)
        let link =
            "nostrsigner:\(PercentEncoding.encode(sealed))?type=nip44_decrypt&pubkey=\(TestPerson.bob.publicKey.hex)"
            + "&callbackUrl=\(PercentEncoding.encode("https://site.example/cb"))"
        let answered = try await signer.answer(link, saying: .once(allow: false))
        #expect(answered.asked?.rule == .reachesServer && answered.given?.contains("private") != true)
    }

    @Test(
        "schemes that do something are no callbacks, and nothing is opened for them",
        arguments: [
            "javascript:alert(1)", "JavaScript://x/%0aalert(1)", "data:text/html,x", "file:///etc/passwd",
            "intent://x#Intent;end", "ms-settings:x", "vbscript:x", "mailto:a@b.example", "ssh://host", "smb://host/x",
            "nostrsigner:x", "https://bank.example@evil.example/", "tel:112", "view-source:https://a.example",
        ])
    func openerSchemes(callback: String) async throws {
        let signer = try SignerUnderAttack()
        for name in ["callbackUrl", "x-success"] {
            let rest = "\(name)=\(PercentEncoding.encode(callback))"
            let answered = try await signer.answer(SignerUnderAttack.note(rest), saying: .once(allow: true))
            #expect(answered.given == nil && answered.outcome.error?.code == .invalidRequest)
            #expect(answered.asked == nil, "it never gets as far as the person")
        }
    }

    @Test("a place for errors that nobody approved is opened by a click alone")
    func errorOpeners() async throws {
        let signer = try SignerUnderAttack()
        let event = PercentEncoding.encode(#"{"kind":1,"content":"x","tags":[]}"#)
        for rest in ["", "&x-success=app%3A%2F%2Fok&v=9", "&x-success=javascript%3A1", "&x-success=app%3A%2F%2Fok"] {
            let link = "nostrsigner://sign_event?event=\(event)\(rest)&x-error=vnd.opener%3A%2F%2Frun"
            let answered = try await signer.answer(link, saying: .once(allow: false))
            #expect(answered.given == nil)
            guard case .offer(let url) = answered.outcome.delivery else {
                Issue.record("\(rest): \(answered.outcome.delivery)")
                continue
            }
            #expect(url.hasPrefix("vnd.opener://run?code="))
        }
    }
}
