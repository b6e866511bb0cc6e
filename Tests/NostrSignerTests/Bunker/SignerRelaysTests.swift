import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Testing

@Suite("The relays of a signer", .timeLimit(.minutes(10)))
struct SignerRelaysTests {
    @Test("listens on its own relays and on every app's, and says how each does")
    func listens() async throws {
        let rig = try await SignerRig { $0.pauses.handshakes = [] }.listening()
        let foreign = rigRelay("foreign")
        rig.network.set(rig.own[1], .dead)
        let app = try await rig.pairedApp()
        try await rig.running { rig in
            let changes = await rig.live.changes()
            _ = try await rig.live.accept(
                NostrConnectURI(client: TestPerson.carol.publicKey, relays: [foreign], secret: "s"), name: nil,
                trust: .medium, grants: [])
            try await rig.wait(on: changes) { rig.network.standing[foreign] != nil }
            app.send(try await app.event("ping"))
            var answer = try await app.next()
            while answer.result != "pong" { answer = try await app.next() }
            let filter = try #require(rig.network.standing[foreign]?.first)
            #expect(filter.kinds == [RemoteSigning.kind] && filter.tags == ["p": [rig.live.account.hex]])
            #expect(filter.since == Timestamp(seconds: SignerRig.start - 3600))
            let reports = try await rig.live.relays()
            #expect(reports.map(\.relay) == [foreign, rig.own[0], rig.own[1]])
            #expect(reports.map(\.isOwn) == [false, true, true])
            #expect(reports[1].state == .listening && reports[1].lastRequest == rig.moment.now)
            guard case .failing = reports[2].state else {
                Issue.record("a dead relay is \(reports[2].state)")
                return
            }
            #expect(reports[0].apps == [.remote(TestPerson.carol.publicKey)])
            _ = try await rig.live.revoke(.remote(TestPerson.carol.publicKey))
            try await rig.wait(on: changes) { rig.network.standing[foreign] == nil }
        }
    }

    @Test("of two relays one dies: the request comes by the other, and the answer goes by it")
    func oneDies() async throws {
        let clock = ManualClock(), transport = ScriptedTransport()
        let (good, bad) = (rigRelay("good"), rigRelay("bad"))
        transport.fail(bad, with: .refused)
        let now = Timestamp(seconds: SignerRig.start)
        let pool = RelayPool(
            transport: transport, clock: clock, wall: { now }, random: { 0.5 },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let records = MemorySignerRecords()
        var settings = SignerSettings()
        settings.relays = [good, bad]
        try await records.save(settings, of: TestPerson.alice.publicKey)
        try await records.save(
            SignerClient(app: .remote(TestPerson.bob.publicKey), account: TestPerson.alice.publicKey, connected: now))
        let live = LiveSigner(
            signer: LocalSigner(TestPerson.alice.secretKey), records: records, network: pool,
            time: Time(clock: clock, now: { now }), minute: { 0 },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let bob = LocalSigner(TestPerson.bob.secretKey)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await live.run() }
            defer { group.cancelAll() }
            let connection = await transport.connection(to: good)
            let (id, _) = try #require(await connection.request())
            let request = try await bob.encrypt(
                RemoteRequest(id: "1", .signEvent, [TestApp.note("by the good one")]).json,
                for: TestPerson.alice.publicKey, by: .nip44)
            let event = try await bob.sign(
                EventDraft(
                    kind: RemoteSigning.kind, tags: [["p", TestPerson.alice.publicKey.hex]], content: request,
                    createdAt: now))
            connection.deliver(.event(id, event.unverified))
            guard case .event(let answer)? = await connection.sent() else {
                Issue.record("no answer")
                return
            }
            connection.deliver(.ok(answer.id, accepted: true, Reason(nil, "")))
            let text = try await bob.decrypt(answer.content, from: TestPerson.alice.publicKey, by: .nip44)
            #expect(try RemoteResponse(json: Array(text.utf8)).result.contains("by the good one"))
        }
    }

    @Test("a crowd of requests, each by two relays at once, is signed and answered, each once")
    func flood() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        var events: [Event] = []
        for number in 0..<300 { events.append(try await app.event("sign_event", [TestApp.note("\(number)")])) }
        let crowd = events
        let before = app.answers.count
        try await rig.running { rig in
            rig.network.put(crowd, on: rig.own[1])
            for event in crowd { app.send(event) }
            while app.answers.count < before + 300 { _ = try await app.next() }
        }
        // Signed once each; one that the same relay brings twice counts as sent again, and gets its answer again.
        let lines = try await rig.records.activity(of: rig.live.account, ActivityQuery(limit: 1000))
        #expect(lines.count { $0.method == "sign_event" } == 300)
        #expect(Set(lines.compactMap(\.result)).count == 300)
    }
}
