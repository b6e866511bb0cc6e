import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

/// What other programs are known to do or to need, a test each.
@Suite("Apps as they are", .timeLimit(.minutes(10)))
struct CompatibilityTests {
    @Test("NDK leaves the signer's key out of connect, and knows no answer but ack")
    func ndk() async throws {
        let rig = try await SignerRig().listening()
        let app = await TestApp(.bob, on: rig)
        let secret = try await rig.live.invitation().uri.secret ?? ""
        #expect(try await app.ask(.connect, ["", secret])?.result == "ack")
        #expect(try await rig.live.client(app.app)?.answersAck == true)
    }

    @Test("rust-nostr up to 0.44.2 and stacker.news know no answer but ack: their owner says so")
    func rustNostr() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp { $0.answersAck = true }
        #expect(try await app.ask(.connect, [rig.live.account.hex, "old secret"])?.result == "ack")
    }

    @Test("every other app is told its secret again")
    func echo() async throws {
        let rig = try await SignerRig().listening()
        let app = await TestApp(.bob, on: rig)
        let secret = try await rig.live.invitation().uri.secret ?? ""
        #expect(try await app.ask(.connect, [rig.live.account.hex, secret])?.result == secret)
    }

    @Test("welshman and Coracle stall when told to switch relays: null for an app that is on one of ours")
    func coracle() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        #expect(try await app.ask(.switchRelays)?.result == "null")
    }

    @Test("nostr-tools asks for our relays right after nostrconnect: an app on others is told ours")
    func nostrTools() async throws {
        let rig = try await SignerRig { $0.pauses.handshakes = [] }.listening()
        let foreign = rigRelay("foreign")
        let app = await TestApp(.bob, on: rig, at: [foreign])
        _ = try await rig.live.accept(
            NostrConnectURI(client: app.person.publicKey, relays: [foreign], secret: "s"), name: nil, trust: .medium,
            grants: [])
        let event = try await app.event("switch_relays")
        let answer = try await app.hand(event, by: foreign)
        #expect(answer?.result == "[\"wss://one.example\",\"wss://two.example\"]")
    }

    @Test("nostr-tools of 2.17 and zap.cooking never switch: they are listened to and answered where they are")
    func staysOnURIRelays() async throws {
        let rig = try await SignerRig { $0.pauses.handshakes = [] }.listening()
        let foreign = rigRelay("foreign")
        let app = await TestApp(.bob, on: rig, at: [foreign])
        try await rig.running { rig in
            _ = try await rig.live.accept(
                NostrConnectURI(client: app.person.publicKey, relays: [foreign], secret: "s"), name: nil,
                trust: .medium, grants: [])
            await rig.network.wait { rig.network.standing[foreign]?.count == 2 }
            app.send(try await app.event("ping"), by: foreign)
            var answer = try await app.next()
            while answer.result != "pong" { answer = try await app.next() }
        }
    }

    @Test("nostr-tools listens for live events only: the handshake is sent again in fresh events until it is heard of")
    func handshake() async throws {
        let rig = try await SignerRig { $0.pauses.handshakes = [.seconds(2), .seconds(2), .seconds(2)] }.listening()
        let relay = rigRelay("foreign")
        let app = await TestApp(.bob, on: rig, at: [relay])
        let token = NostrConnectURI(
            client: app.person.publicKey, relays: [relay], secret: "shake",
            permissions: [RemotePermission(.signEvent, kind: 3)], metadata: ClientMetadata(name: "Notes"))
        async let accepting = rig.live.accept(token, name: "Mine", trust: .low, grants: [])
        #expect(try await app.next().result == "shake")
        await rig.clock.waitForSleepers(1)
        rig.clock.advance(by: .seconds(2))
        #expect(try await app.next().result == "shake")
        #expect(try await app.hand(app.event("ping"), by: relay)?.result == "pong")
        // It may have heard of the app before it would sleep again.
        async let _: Void = {
            while !Task.isCancelled {
                await rig.clock.waitForSleepers()
                rig.clock.advance(by: .seconds(2))
            }
        }()
        let outcome: AppPairing? = try await accepting
        #expect(outcome?.isHeardOf == true && outcome?.told == [relay])
        #expect(outcome?.client.trust == .low && outcome?.client.title == "Mine")
        #expect(outcome?.client.requested == token.permissions && outcome?.client.claims.name == "Notes")
        #expect(app.answers.count == 3)
    }

    @Test("YakiHonne and apps on lossy relays miss answers: one that no relay took is sent again, in a fresh event")
    func resends() async throws {
        let rig = try await SignerRig { $0.pauses.resend = [.seconds(1), .seconds(2)] }.listening()
        let app = try await rig.pairedApp()
        for relay in rig.own { rig.network.set(relay, .dead) }
        let before = app.answers.count
        let event = try await app.event("ping")
        let taken = Task { await rig.live.process(event.unverified, receivedFrom: rig.own[0]) }
        // It sleeps once every relay has refused.
        await rig.clock.waitForSleepers()
        for relay in rig.own { rig.network.set(relay, .answers) }
        rig.clock.advance(by: .seconds(1))
        #expect(await taken.value == .answered(delivered: true))
        let sent = app.answers.dropFirst(before)
        #expect(Set(sent.map(\.id)).count == 2)
    }

    @Test("an app that repeats its request gets the answer again, in a fresh event")
    func repeats() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        let first = try await app.ask(.signEvent, [TestApp.note()], id: "r")
        let before = app.answers.count
        rig.moment.move(to: rig.moment.now + .seconds(5))
        #expect(try await app.ask(.signEvent, [TestApp.note()], id: "r") == first)
        #expect(app.answers.count == before + 1)
    }

    @Test("an app that sends the identical event again hears the same answer again")
    func sameEvent() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        let event = try await app.event("sign_event", [TestApp.note("once")])
        let first = try #require(try await app.hand(event))
        #expect(try await app.hand(event) == first)
        #expect(try await rig.live.activity(ActivityQuery()).count { $0.method == "sign_event" } == 1)
        let ping = try await app.event("ping")
        #expect(try await app.hand(ping)?.result == "pong")
        #expect(try await app.hand(ping)?.result == "pong")
    }

    @Test("an answer above 65 535 bytes is an error to an app of whom nothing is known, and long to one that writes so")
    func longAnswers() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        // Base64 makes more of it than fits the answer.
        let asked = [TestPerson.carol.publicKey.hex, String(repeating: "x", count: 60_000)]
        let short = try #require(try await app.ask(.nip44Encrypt, asked))
        #expect(short.result == "" && short.error?.contains("longer") == true)
        #expect(try await rig.records.unfinished(of: rig.live.account) == [])
        let long = RemoteRequest(
            id: "long", .signEvent, [TestApp.note(String(repeating: "x", count: 70_000))])
        let event = try await app.key.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", rig.live.account.hex]],
                content: try await app.key.encryptLong(long.json, for: rig.live.account),
                createdAt: rig.moment.now))
        #expect(try await app.hand(event)?.result.contains("xxx") == true)
        let later = try #require(try await app.ask(.nip44Encrypt, asked))
        #expect(later.error == nil && later.result.utf8.count > 65_535)
    }

    @Test("that an app reads long answers is still known after another start")
    func longAnswersLater() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        let long = RemoteRequest(id: "long", .signEvent, [TestApp.note(String(repeating: "x", count: 70_000))])
        let event = try await app.key.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", rig.live.account.hex]],
                content: try await app.key.encryptLong(long.json, for: rig.live.account),
                createdAt: rig.moment.now))
        let changes = await rig.live.changes()
        try await rig.running { rig in
            app.send(event)
            try await rig.wait(on: changes) {
                try await rig.records.client(SignerClient.ID(app: app.app, account: rig.live.account))?.readsLongForm
                    == true
            }
        }
        let later = try SignerRig(records: rig.records, network: rig.network)
        let again = await TestApp(.bob, on: later)
        let asked = [TestPerson.carol.publicKey.hex, String(repeating: "x", count: 60_000)]
        let answer = try #require(try await again.ask(.nip44Encrypt, asked, id: "later"))
        #expect(answer.error == nil && answer.result.utf8.count > 65_535)
    }

    @Test("applesauce and noStrudel, Amber: answers go to the relay a request came by, and to the app's others")
    func everywhere() async throws {
        let rig = try await SignerRig { $0.pauses.handshakes = [] }.listening()
        let (near, far, by) = (rigRelay("near"), rigRelay("far"), rigRelay("by"))
        let app = await TestApp(.bob, on: rig, at: [near])
        _ = try await rig.live.accept(
            NostrConnectURI(client: app.person.publicKey, relays: [near, far], secret: "s"), name: nil, trust: .medium,
            grants: [])
        let before = rig.network.offers.count
        _ = try await app.hand(try await app.event("ping"), by: by)
        #expect(Set(rig.network.offers.dropFirst(before).map(\.relay)) == Set([near, far, by] + rig.own))
    }

    @Test(
        "Primal never sends NIP-04, Nostur, fevela and Spectr nothing odd: all of NIP-46 in NIP-44 works without metadata"
    )
    func plain() async throws {
        let rig = try await SignerRig().listening()
        let app = await TestApp(.bob, on: rig)
        let secret = try await rig.live.invitation().uri.secret ?? ""
        #expect(try await app.ask(.connect, [rig.live.account.hex, secret, ""])?.result == secret)
        #expect(try await app.ask(.signEvent, [TestApp.note()])?.error == nil)
    }

    @Test("some apps send the event as an object, numbers as numbers, and a number for an id")
    func looseJSON() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        let text = #"{"id":7,"method":"sign_event","params":[{"kind":1,"content":"loose","tags":[]}]}"#
        let answer = try #require(try await app.hand(try await app.event(text: text)))
        #expect(answer.id == "7" && answer.result.contains("loose"))
    }
}
