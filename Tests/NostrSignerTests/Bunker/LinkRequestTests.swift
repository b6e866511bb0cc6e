import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("Requests by links", .timeLimit(.minutes(10)))
struct LinkRequestTests {
    private let site = RequestingApp.link("https://site.example/cb")

    /// Asks by a link, and decides as soon as it waits.
    private func ask(
        _ rig: SignerRig, _ request: RemoteRequest, _ verdict: RequestVerdict?, from app: RequestingApp? = nil,
        deadline: Duration = .seconds(300)
    ) async throws -> DirectAnswer {
        let site = app ?? site
        let changes = await rig.live.changes()
        return try await withThrowingTaskGroup(of: DirectAnswer?.self) { group in
            group.addTask {
                try await rig.live.answer(
                    request, from: site, claims: ClientMetadata(name: "Site"), deadline: deadline)
            }
            if let verdict {
                for await _ in changes {
                    guard let first = try await rig.live.waiting().first else { continue }
                    #expect(first.client.title == "Site" && first.client.isTitleClaimed)
                    _ = try await rig.live.decide([first.id], verdict, knowingLoss: false)
                    break
                }
            }
            guard let answer = try await group.next() ?? nil else { throw RigError.noAnswer }
            return answer
        }
    }

    @Test("an unknown app is asked about, paired by a yes, and asked about again at low trust")
    func pairs() async throws {
        let rig = try SignerRig()
        let first = try await ask(rig, RemoteRequest(id: "1", .getPublicKey, ["sign_event:1"]), .once(allow: true))
        #expect(first == .done(TestPerson.alice.publicKey.hex, nil))
        let client = try #require(try await rig.live.client(site))
        #expect(client.trust == .low && client.requested == [RemotePermission(.signEvent, kind: 1)])
        let signed = try await ask(
            rig, RemoteRequest(id: "2", .signEvent, [TestApp.note("link")]), .always(allow: true, until: nil))
        guard case .done(_, let event?) = signed else {
            Issue.record("not signed: \(signed)")
            return
        }
        #expect(event.content == "link")
        guard case .done = try await ask(rig, RemoteRequest(id: "3", .signEvent, [TestApp.note()]), nil) else {
            Issue.record("asked again")
            return
        }
        #expect(try await ask(rig, RemoteRequest(id: "3", .signEvent, [TestApp.note()]), nil) == .refused(.repeated))
        #expect(try await rig.records.activity(of: rig.live.account, ActivityQuery()).count { $0.app == site } == 6)
    }

    @Test("a yes to what an app asks for is a choice for each; what it did not ask for is not given by the way")
    func grants() async throws {
        let rig = try SignerRig()
        let wishes = "sign_event:1,nip44_encrypt,sign_event:3"
        _ = try await ask(
            rig, RemoteRequest(id: "1", .getPublicKey, [wishes]),
            .pair(granting: [RemotePermission(.signEvent, kind: 1), RemotePermission(.nip44Decrypt)], trust: .low))
        let client = try #require(try await rig.live.client(site))
        #expect(client.grants.map(\.permission) == [RemotePermission(.signEvent, kind: 1)])
        guard case .done = try await ask(rig, RemoteRequest(id: "2", .signEvent, [TestApp.note()]), nil) else {
            Issue.record("it was asked about")
            return
        }
        // Paired already, it may say what more it would like; that is shown, not given.
        _ = try await ask(rig, RemoteRequest(id: "3", .getPublicKey, ["nip04_decrypt"]), nil)
        let again = try #require(try await rig.live.client(site))
        #expect(again.requested.map(\.text) == ["sign_event:1", "nip44_encrypt", "sign_event:3", "nip04_decrypt"])
        #expect(again.grants == client.grants)
    }

    @Test("an app that is paired by a link gets the trust the person gives it")
    func trust() async throws {
        let rig = try SignerRig()
        _ = try await ask(
            rig, RemoteRequest(id: "1", .getPublicKey), .pair(granting: [], trust: .medium))
        #expect(try await rig.live.client(site)?.trust == .medium)
        guard case .done = try await ask(rig, RemoteRequest(id: "2", .signEvent, [TestApp.note()]), nil) else {
            Issue.record("it was asked about")
            return
        }
    }

    @Test("a link of nobody in particular is asked about each time: no yes pairs it or gives it anything")
    func anonymous() async throws {
        let rig = try SignerRig()
        let nobody = RequestingApp.anonymousLink
        let wish = RemotePermission(.signEvent, kind: 1)
        let key = try await ask(
            rig, RemoteRequest(id: "1", .getPublicKey, [wish.text]), .pair(granting: [wish], trust: .low), from: nobody)
        #expect(key == .done(rig.live.account.hex, nil))
        for id in ["2", "3"] {
            guard
                case .done = try await ask(
                    rig, RemoteRequest(id: id, .signEvent, [TestApp.note(id)]), .once(allow: true), from: nobody)
            else {
                Issue.record("not signed")
                return
            }
        }
        #expect(try await rig.live.clients() == [])
        #expect(try await rig.records.clients(of: rig.live.account) == [])
    }

    @Test("a yes for good to a link of nobody in particular is none, and says so")
    func anonymousAlways() async throws {
        let rig = try SignerRig()
        async let answer = rig.live.answer(
            RemoteRequest(id: "1", .signEvent, [TestApp.note()]), from: .anonymousLink, claims: ClientMetadata(),
            deadline: .seconds(60))
        await rig.clock.waitForSleepers(1)
        let request = try #require(try await rig.live.waiting().first)
        for verdict in [RequestVerdict.always(allow: true, until: nil), .always(allow: false, until: nil)] {
            #expect(try await rig.live.decide([request.id], verdict, knowingLoss: false) == [])
        }
        _ = try await rig.live.decide([request.id], .once(allow: false), knowingLoss: false)
        #expect(try await answer == .refused(.person))
    }

    @Test("what is decrypted goes to a server by a person's yes only, however far the site is trusted")
    func revealing() async throws {
        let rig = try SignerRig()
        _ = try await ask(rig, RemoteRequest(id: "1", .getPublicKey, ["nip44_decrypt"]), .once(allow: true))
        var client = try #require(try await rig.live.client(site))
        client.trust = .full
        client.grants = [Grant(RemotePermission(.nip44Decrypt), .allow, made: rig.moment.now)]
        try await rig.live.update(client)
        let payload = try await LocalSigner(TestPerson.carol.secretKey)
            .encrypt("private", for: rig.live.account, by: .nip44)
        for id in ["2", "3"] {
            let read = try await ask(
                rig, RemoteRequest(id: id, .nip44Decrypt, [TestPerson.carol.publicKey.hex, payload]),
                .once(allow: true))
            #expect(read == .done("private", nil))
        }
        // What reveals nothing is done at once.
        guard case .done = try await ask(rig, RemoteRequest(id: "4", .signEvent, [TestApp.note()]), nil) else {
            Issue.record("asked again")
            return
        }
    }

    @Test("what was refused to a whole site is refused to each of its callbacks, until something else is said to one")
    func siteRefusals() async throws {
        let rig = try SignerRig()
        let whole = try #require(site.site)
        #expect(whole == .link("https://site.example") && whole.isWholeSite && whole.site == nil)
        var kept = SignerClient(app: whole, account: rig.live.account, connected: rig.moment.now)
        kept.grants = [Grant(RemotePermission(.signEvent, kind: 1), .refuse, made: rig.moment.now)]
        try await rig.records.save(kept)
        let note = RemoteRequest(id: "1", .signEvent, [TestApp.note()])
        #expect(try await ask(rig, note, nil) == .refused(.grant))
        let other = RequestingApp.link("https://other.example/cb")
        #expect(try await ask(rig, note, .once(allow: false), from: other) == .refused(.person))
        _ = try await ask(rig, RemoteRequest(id: "2", .getPublicKey), .once(allow: true))
        var client = try #require(try await rig.live.client(site))
        client.trust = .full
        try await rig.live.update(client)
        #expect(try await ask(rig, RemoteRequest(id: "3", .signEvent, [TestApp.note()]), nil) == .refused(.grant))
        client.choose(Grant(RemotePermission(.signEvent, kind: 1), .allow, made: rig.moment.now))
        try await rig.live.update(client)
        guard case .done = try await ask(rig, RemoteRequest(id: "4", .signEvent, [TestApp.note()]), nil) else {
            Issue.record("refused though it was allowed")
            return
        }
    }

    @Test("a no pairs nobody")
    func refuses() async throws {
        let rig = try SignerRig()
        let answer = try await ask(rig, RemoteRequest(id: "1", .signEvent, [TestApp.note()]), .once(allow: false))
        #expect(answer == .refused(.person))
        #expect(try await rig.live.client(site) == nil)
    }

    @Test("nobody who decides in time is a no")
    func late() async throws {
        let rig = try SignerRig()
        async let answer = rig.live.answer(
            RemoteRequest(id: "1", .signEvent, [TestApp.note()]), from: site, claims: ClientMetadata(),
            deadline: .seconds(60))
        await rig.clock.waitForSleepers(1)
        rig.clock.advance(by: .seconds(61))
        #expect(try await answer == .refused(.unanswered))
        #expect(try await rig.live.waiting() == [])
        #expect(try await rig.records.waiting(of: rig.live.account) == [])
    }

    @Test("what cannot be done is said at once")
    func impossible() async throws {
        let rig = try SignerRig()
        let answer = try await rig.live.answer(
            RemoteRequest(id: "1", .signEvent, ["{}"]), from: site, claims: ClientMetadata(), deadline: .seconds(60))
        #expect(answer == .failed("The event to sign cannot be read"))
    }
}
