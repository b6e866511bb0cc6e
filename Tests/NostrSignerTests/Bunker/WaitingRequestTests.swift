import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Testing

@Suite("Requests that wait", .timeLimit(.minutes(10)))
struct WaitingRequestTests {
    @Test("nothing is said until the person decides; then the answer goes out, once")
    func approve() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp(trust: .low)
        #expect(try await app.ask(.signEvent, [TestApp.note("please")]) == nil)
        let waiting = try #require(try await rig.live.waiting().first)
        #expect(waiting.rule == .trust && waiting.client.app == app.app && waiting.method == "sign_event")
        try await rig.running { rig in
            #expect(try await rig.live.decide([waiting.id], .once(allow: true), knowingLoss: false) == [waiting.id])
            var answer = try await app.next()
            while !answer.result.contains("please") { answer = try await app.next() }
        }
        #expect(try await rig.live.waiting() == [])
        #expect(try await rig.live.decide([waiting.id], .once(allow: true), knowingLoss: false) == [])
        let line = try #require(try await rig.live.activity(ActivityQuery()).first)
        #expect(
            line.outcome == .done && line.rule == .person && line.result != nil
                && line.fact == .signed(.event(1, .plain)))
    }

    @Test("a no is told in the words that apps know")
    func refuse() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp(trust: .low)
        _ = try await app.ask(.nip44Decrypt, [TestPerson.carol.publicKey.hex, "sealed"])
        let id = try #require(try await rig.live.waiting().first?.id)
        try await rig.running { rig in
            #expect(try await rig.live.decide([id], .once(allow: false), knowingLoss: false) == [id])
            var answer = try await app.next()
            while answer.error == nil { answer = try await app.next() }
            #expect(answer.error == "user rejected" && answer.result == "")
        }
    }

    @Test("what an app asks within half a second came together; what comes later, or from another app, did not")
    func bursts() async throws {
        let rig = try await SignerRig().listening()
        let (bob, carol) = (try await rig.pairedApp(trust: .low), try await rig.pairedApp(.carol, trust: .low))
        _ = try await bob.ask(.signEvent, [TestApp.note("one")])
        rig.clock.advance(by: .milliseconds(300))
        _ = try await bob.ask(.nip44Decrypt, [TestPerson.carol.publicKey.hex, "sealed"])
        _ = try await carol.ask(.signEvent, [TestApp.note("hers")])
        rig.clock.advance(by: .milliseconds(300))
        _ = try await bob.ask(.signEvent, [TestApp.note("later")])
        let waiting = try await rig.live.waiting()
        #expect(waiting.map(\.burst) == [waiting[0].id, waiting[0].id, waiting[2].id, waiting[3].id])
    }

    private static let sealedAmounts: [(Kind, String, Bool, String)] = [
        (7376, #"[["direction","out"],["amount","4"],["unit","sat"]]"#, true, "4000"),
        (7375, #"{"mint":"https://m","unit":"sat","proofs":[{"amount":1},{"amount":2}]}"#, true, "3000"),
        (23_194, #"{"method":"pay_invoice","params":{"invoice":"lnbc50n1data"}}"#, false, "5000"),
        (23_194, #"{"method":"get_balance","params":{}}"#, false, "none"), (7376, "no JSON", true, "none"),
    ]

    @Test("an amount that only its author can read is shown with the request", arguments: sealedAmounts)
    func amounts(kind: Kind, content: String, isOwn: Bool, amount: String) async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp(trust: .low)
        let wallet = TestPerson.carol.publicKey
        let sealed = try await rig.key.encrypt(content, for: isOwn ? rig.live.account : wallet, by: .nip44)
        _ = try await app.ask(
            .signEvent,
            [TestApp.note(sealed, kind: Int(kind.rawValue), tags: isOwn ? "[]" : "[[\"p\",\"\(wallet.hex)\"]]")])
        guard case .sign(_, let report)? = try await rig.live.waiting().first?.content else {
            Issue.record("it does not wait")
            return
        }
        #expect(report.amount.map { "\($0)" } ?? "none" == amount)
    }

    @Test("a choice stays as chosen, and decides what waits for the same")
    func always() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp(trust: .low)
        for number in 0..<40 {
            let sealed = try await LocalSigner(TestPerson.carol.secretKey).encrypt(
                "\(number)", for: TestPerson.alice.publicKey, by: .nip44)
            #expect(try await app.ask(.nip44Decrypt, [TestPerson.carol.publicKey.hex, sealed]) == nil)
        }
        _ = try await app.ask(.signEvent, [TestApp.note()])
        let waiting = try await rig.live.waiting()
        #expect(waiting.count == 41)
        let before = app.answers.count
        try await rig.running { rig in
            let changes = await rig.live.changes()
            _ = try await rig.live.decide([waiting[0].id], .always(allow: true, until: nil), knowingLoss: false)
            try await rig.wait(on: changes) { try await rig.live.waiting().count == 1 }
            while app.answers.count < before + 40 { _ = try await app.next() }
        }
        let grants = try #require(
            try await rig.records.client(SignerClient.ID(app: app.app, account: rig.live.account))
        ).grants
        #expect(grants.map(\.permission) == [RemotePermission(.nip44Decrypt)] && grants.map(\.verdict) == [.allow])
        #expect(try await app.ask(.nip44Decrypt, [TestPerson.carol.publicKey.hex, "garbage"])?.error != nil)
    }

    @Test("an app that has too much waiting is told so")
    func full() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp(trust: .low)
        for _ in 0..<SignerRecordsLimits.waitingPerApp {
            #expect(try await app.ask(.signEvent, [TestApp.note()]) == nil)
        }
        #expect(try await app.ask(.signEvent, [TestApp.note()])?.error == "Too many requests are waiting for the user")
        #expect(try await rig.live.waiting().count == SignerRecordsLimits.waitingPerApp)
    }

    @Test("what comes while the key is locked is read and done when it is there, also after a restart")
    func locked() async throws {
        let records = MemorySignerRecords()
        let first = try await SignerRig(records: records).listening()
        let app = try await first.pairedApp()
        first.key.lock()
        #expect(try await app.ask(.signEvent, [TestApp.note("late")]) == nil)
        #expect(try await app.ask(.ping) == nil)
        #expect(try await first.live.waiting().map(\.rule) == [.locked, .locked])
        let second = try SignerRig(records: records, network: first.network, isLocked: true)
        try await second.running { rig in
            let changes = await rig.live.changes()
            #expect(try await rig.live.waiting().count == 2)
            try rig.key.unlock(with: LocalSigner(TestPerson.alice.secretKey))
            rig.live.keyDidUnlock()
            // Each answer comes by both relays.
            var results: Set<String> = []
            while results.count < 2 {
                let answer = try await app.next()
                if answer.result == "pong" || answer.result.contains("late") { results.insert(answer.result) }
            }
            try await rig.wait(on: changes) { try await rig.live.waiting().isEmpty }
        }
        #expect(try await records.waiting(of: second.live.account) == [])
        #expect(try await records.unfinished(of: second.live.account) == [])
    }

    @Test("what waits for a locked key is counted before it is kept")
    func lockedAndFull() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        rig.key.lock()
        for _ in 0..<(SignerRecordsLimits.waitingPerApp + 40) { _ = try await app.ask(.signEvent, [TestApp.note()]) }
        #expect(try await rig.live.waiting().count == SignerRecordsLimits.waitingPerApp)
        #expect(try await rig.records.waiting(of: rig.live.account).count == SignerRecordsLimits.waitingPerApp)
        #expect(try await rig.records.unfinished(of: rig.live.account) == [])
    }

    @Test("what a crash left between taking in and answering is answered at the next start, once")
    func crash() async throws {
        let records = MemorySignerRecords()
        let first = try await SignerRig(records: records).listening()
        let app = try await first.pairedApp()
        let event = try await app.event("sign_event", [TestApp.note("saved")], id: "crashed")
        _ = try await records.admit(
            AdmittedRequest(
                event: event.id, account: first.live.account, app: app.app, id: "crashed", digest: "",
                permission: RemotePermission(.signEvent, kind: 1), raw: String(decoding: event.json, as: UTF8.self),
                relay: first.own[0], received: first.moment.now))
        // A copy of it lies on a relay.
        first.network.put([event], on: first.own[1])
        let second = try SignerRig(records: records, network: first.network)
        try await second.running { _ in
            var answer = try await app.next()
            while !answer.result.contains("saved") { answer = try await app.next() }
        }
        #expect(try await records.unfinished(of: first.live.account) == [])
        let lines = try await records.activity(of: first.live.account, ActivityQuery())
        #expect(lines.count { $0.method == "sign_event" } == 1)
    }

    @Test("a paused signer keeps requests until it goes on")
    func paused() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        var settings = try await rig.live.settings()
        settings.isPaused = true
        try await rig.live.setSettings(settings)
        #expect(try await app.ask(.signEvent, [TestApp.note("on")]) == nil)
        #expect(try await app.ask(.ping)?.result == "pong")
        settings.isPaused = false
        let changed = settings
        try await rig.running { rig in
            try await rig.live.setSettings(changed)
            var answer = try await app.next()
            while !answer.result.contains("on") || answer.result == "pong" { answer = try await app.next() }
        }
    }

    @Test("an app is told where its person can decide, where there is such a page")
    func challenge() async throws {
        let rig = try await SignerRig { $0.approvalPage = { "https://home.example/\($0.hex.prefix(4))" } }.listening()
        let app = try await rig.pairedApp(trust: .low)
        try await rig.running { rig in
            app.send(try await app.event("sign_event", [TestApp.note("asked")]))
            var answer = try await app.next()
            while answer.challengePage == nil { answer = try await app.next() }
            #expect(answer.challengePage?.hasPrefix("https://home.example/") == true)
            let id = try #require(try await rig.live.waiting().first?.id)
            _ = try await rig.live.decide([id], .once(allow: true), knowingLoss: false)
            let challenge = answer.id
            while !answer.result.contains("asked") { answer = try await app.next() }
            #expect(answer.id == challenge)
        }
    }

    @Test("what would drop more than a handful is asked about whatever the trust, and needs a second step")
    func loss() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp(trust: .full)
        let keys = (1...20).map { String(repeating: $0 < 10 ? "0\($0)" : "\($0)", count: 32) }
        let current = TestPerson.alice.event(kind: 3, tags: keys.map { ["p", $0] }, at: SignerRig.start - 50)
        rig.versions.put(current)
        let few = "[[\"p\",\"\(keys[0])\"]]"
        #expect(try await app.ask(.signEvent, [TestApp.note("", kind: 3, tags: few)]) == nil)
        let waiting = try #require(try await rig.live.waiting().first)
        #expect(waiting.rule == .losesEntries && waiting.needsSecondStep)
        guard case .sign(_, let report) = waiting.content else {
            Issue.record("no signing")
            return
        }
        var lost = ReplacementSummary(kind: 3)
        (lost.dropped, lost.droppedPeople) = (19, 19)
        #expect(report.summary == .replacement(lost))
        #expect(try await rig.live.decide([waiting.id], .once(allow: true), knowingLoss: false) == [])
        try await rig.live.restore(insteadOf: waiting.id)
        #expect(rig.versions.published.map(\.tags) == [current.tags])
        #expect(rig.versions.published.allSatisfy { $0.createdAt > current.createdAt })
        #expect(try await rig.live.waiting() == [])
        #expect(try await app.ask(.signEvent, [TestApp.note("", kind: 3, tags: few)]) == nil)
        let second = try #require(try await rig.live.waiting().first)
        #expect(try await rig.live.decide([second.id], .once(allow: true), knowingLoss: true) == [second.id])
    }
}
