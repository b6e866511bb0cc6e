import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("Requests that are refused", .timeLimit(.minutes(10)))
struct RefusedRequestTests {
    @Test("forged, misaddressed, old, oversized and unreadable events are dropped without a word")
    func dropped() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        let good = try await app.event("sign_event", [TestApp.note()])
        var forged = good.unverified
        forged.content = try await app.key.encrypt("{}", for: TestPerson.alice.publicKey, by: .nip44)
        var impostor = good.unverified
        impostor.pubkey = TestPerson.carol.publicKey
        let foreign = try await app.event("ping", to: TestPerson.carol.publicKey)
        let relabelled = try await app.key.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", TestPerson.alice.publicKey.hex]], content: foreign.content,
                createdAt: rig.moment.now))
        let long = try await app.key.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", TestPerson.alice.publicKey.hex]],
                content: String(repeating: "A", count: 2_000_001), createdAt: rig.moment.now))
        let old = try await app.event("ping", after: -24 * 3600 - 1)
        let early = try await app.event("ping", after: 3601)
        let own = TestPerson.alice.event(
            "x", kind: RemoteSigning.kind, tags: [["p", TestPerson.alice.publicKey.hex]], at: SignerRig.start)
        let before = app.answers.count
        func become(_ event: UnverifiedEvent) async -> RequestRejection? {
            if case .dropped(let why) = await rig.live.process(event, receivedFrom: rig.own[0]) { why } else { nil }
        }
        guard case .forged? = await become(forged), case .forged? = await become(impostor) else {
            Issue.record("a forged event was taken")
            return
        }
        #expect(await become(foreign.unverified) == .notForUs)
        #expect(await become(relabelled.unverified) == .unreadable)
        #expect(await become(long.unverified) == .tooLong(limit: 2_000_000))
        #expect(await become(old.unverified) == .outOfTime)
        #expect(await become(early.unverified) == .outOfTime)
        #expect(await become(own.unverified) == .fromOurselves)
        let noJSON = try await app.event(text: "not json")
        #expect(await become(noJSON.unverified) == .unreadable)
        #expect(await become(TestPerson.bob.event("x").unverified) == .wrongKind)
        #expect(app.answers.count == before)
        #expect(try await app.hand(good)?.error == nil)
    }

    @Test("a request is signed once, however often and by however many relays it comes")
    func repeats() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        let first = try await app.event("sign_event", [TestApp.note("once")], id: "same")
        let answer = try #require(try await app.hand(first))
        #expect(try await app.hand(first, by: rig.own[1]) == nil)
        let asked = try await app.event("sign_event", [TestApp.note("once")], id: "same", after: 1)
        #expect(try await app.hand(asked) == answer)
        #expect(Set(app.answers.map(\.id)).count == app.answers.count)
        #expect(try await rig.live.activity(ActivityQuery()).count { $0.method == "sign_event" } == 1)
    }

    @Test("an app that counts its ids anew gets the answer to what it asks, not to what it asked before")
    func idsAnew() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        for session in 0..<3 {
            let answer = try #require(
                try await app.ask(.signEvent, [TestApp.note("session \(session)")], id: "1"))
            #expect(try UnverifiedEvent(json: Array(answer.result.utf8)).content == "session \(session)")
        }
        // Another method under the same id is another request, too.
        let text = try #require(try await app.ask(.nip44Encrypt, [TestPerson.carol.publicKey.hex, "x"], id: "1"))
        #expect(text.error == nil && !text.result.contains("session"))
    }

    private static let senseless: [(method: String, parameters: [String], error: String)] = [
        ("no_such_method", [], "Unsupported method: no_such_method"),
        ("sign_event", [], "sign_event needs an event"),
        ("sign_event", ["{\"kind\":\"1\",\"content\":\"\"}"], "The event to sign cannot be read"),
        ("nip44_encrypt", ["npub1x", "text"], "The first parameter is no public key"),
        ("nip44_decrypt", [TestPerson.carol.publicKey.hex], "There is nothing to decrypt"),
        ("nip44_decrypt", [TestPerson.carol.publicKey.hex, "garbage"], ""),
        ("decrypt_zap_event", ["{}"], "The first parameter is no signed event"),
    ]

    @Test("a success has the error null, so that hand-written clients read it as libraries do")
    func nullError() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp(trust: .low)
        _ = try await app.ask(.ping)
        let text = try await app.key.decrypt(try #require(app.answers.last).content, from: rig.live.account, by: .nip44)
        #expect(text.hasSuffix("\"result\":\"pong\",\"error\":null}"))
        _ = try await app.ask(.signEvent, [TestApp.note()])
        let waiting = try #require(try await rig.live.waiting().first)
        let before = app.answers.count
        try await rig.running { rig in
            _ = try await rig.live.decide([waiting.id], .once(allow: false), knowingLoss: false)
            await rig.network.wait { app.answers.count > before }
        }
        let refusal = try await app.key.decrypt(
            try #require(app.answers.last).content, from: rig.live.account, by: .nip44)
        #expect(refusal.hasSuffix("\"result\":null,\"error\":\"user rejected\"}"))
    }

    @Test("connect with another signer's key is refused, and leaves the secret as it is")
    func wrongSigner() async throws {
        let rig = try await SignerRig().listening()
        let app = await TestApp(.bob, on: rig)
        let secret = try #require(try await rig.live.invitation().uri.secret)
        for wrong in [TestPerson.carol.publicKey.hex, "not a key"] {
            let answer = try #require(try await app.ask(.connect, [wrong, secret]))
            #expect(answer.result == "" && answer.error?.contains("another signer") == true)
        }
        #expect(try await rig.live.clients() == [])
        #expect(try await app.ask(.connect, [rig.live.account.npub, secret])?.result == secret)
        #expect(try await app.ask(.connect, [TestPerson.carol.publicKey.hex])?.error != nil)
    }

    @Test("what makes no sense is answered with an error, and a result that is null", arguments: senseless)
    func nonsense(method: String, parameters: [String], error: String) async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        let event = try await app.event(method, parameters)
        let answer = try #require(try await app.hand(event))
        #expect(answer.result == "")
        #expect(answer.error?.hasPrefix(error) == true)
        let text = try await app.key.decrypt(try #require(app.answers.last).content, from: rig.live.account, by: .nip44)
        #expect(text.contains("\"result\":null"))
    }

    @Test("an app that is not paired may only connect, and a crowd of them is not answered for ever")
    func strangers() async throws {
        let rig = try await SignerRig().listening()
        let eve = await TestApp(.eve, on: rig)
        #expect(try await eve.ask(.logout) == nil)
        #expect(try await eve.ask(.signEvent, [TestApp.note("", kind: 22_242)])?.error?.contains("not paired") == true)
        #expect(
            try await eve.ask(.connect, [TestPerson.alice.publicKey.hex, "guess"])?.error?.contains("secret") == true)
        #expect(try await eve.ask(.connect, [TestPerson.alice.publicKey.hex])?.error?.contains("secret") == true)
        for _ in 0..<100 { _ = try await eve.ask(.ping) }
        #expect(eve.answers.count == 30)
        #expect(try await rig.live.clients() == [])
        #expect(try await rig.records.unfinished(of: rig.live.account) == [])
    }

    @Test("a secret lets one app in, once; an old invitation lets nobody in")
    func secrets() async throws {
        let rig = try await SignerRig().listening()
        let old = try await rig.live.invitation().uri.secret ?? ""
        let current = try await rig.live.renewInvitation(trust: .medium).uri.secret ?? ""
        let (bob, carol) = (await TestApp(.bob, on: rig), await TestApp(.carol, on: rig))
        #expect(try await bob.ask(.connect, [rig.live.account.hex, old])?.error != nil)
        #expect(try await bob.ask(.connect, [rig.live.account.hex, current])?.result == current)
        #expect(try await carol.ask(.connect, [rig.live.account.hex, current])?.error != nil)
        #expect(try await rig.live.invitation().uri.secret != current)
        // Whoever is paired may connect again without one; what it claims then changes nothing.
        let again = try await bob.ask(.connect, [rig.live.account.hex, "", "sign_event:3", "{\"name\":\"Other\"}"])
        #expect(again?.result == "ack")
        let client = try #require(try await rig.live.client(bob.app))
        #expect(client.claims.isEmpty && client.requested == [RemotePermission(.signEvent, kind: 3)])
    }

    @Test("the secret rests sealed, outlives the program, and needs the key to be shown")
    func sealedSecret() async throws {
        let rig = try await SignerRig().listening()
        let secret = try #require(try await rig.live.invitation().uri.secret)
        let kept = try #require(try await rig.records.secret(of: rig.live.account))
        #expect(!kept.contains(secret))
        let later = try SignerRig(records: rig.records, isLocked: true)
        await #expect(throws: SigningServiceError.self) { _ = try await later.live.invitation().uri }
        try later.key.unlock(with: LocalSigner(TestPerson.alice.secretKey))
        let bob = await TestApp(.bob, on: later)
        #expect(try await bob.ask(.connect, [rig.live.account.hex, secret])?.result == secret)
        #expect(try await rig.records.secret(of: rig.live.account) != kept)
    }

    @Test("a secret that this key did not seal lets nobody in", arguments: ["let me in", "AgAA"])
    func foreignSecret(text: String) async throws {
        let rig = try await SignerRig().listening()
        try await rig.records.setSecret(text, of: rig.live.account)
        let later = try SignerRig(records: rig.records)
        let bob = await TestApp(.bob, on: later)
        #expect(try await bob.ask(.connect, [rig.live.account.hex, text])?.error != nil)
        #expect(try await later.live.invitation().uri.secret != text)
    }

    @Test("a replayed logout from before the pairing is passed over")
    func logout() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        #expect(try await app.hand(app.event("logout", after: -301)) == nil)
        #expect(try await rig.live.client(app.app) != nil)
        #expect(try await app.hand(app.event("logout", after: -299))?.result == "ack")
        #expect(try await rig.live.client(app.app) == nil)
    }

    @Test("a request in NIP-04 is answered in NIP-04")
    func legacy() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        #expect(try await app.ask(.ping, cipher: .nip04)?.result == "pong")
        #expect(app.answers.last.map { LegacyEncryption.isPayload($0.content) } == true)
        #expect(try await app.ask(.ping)?.result == "pong")
        #expect(app.answers.last.map { LegacyEncryption.isPayload($0.content) } == false)
    }
}
