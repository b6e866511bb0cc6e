import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import ScreenTesting
import Testing

@testable import ViewModels

/// An account with a signer in memory, and an app that says it is Ana's.
struct SignerWorld {
    let world = FakeWorld()
    let account: FakeAccount
    let service: ScriptedSigningService
    let ana: SignerClient
    let now = Timestamp(seconds: 1_700_000_000)
    var ben: PublicKey { world.authors[1].key }

    init() {
        account = FakeAccount(world)
        service = ScriptedSigningService(of: world.own.key)
        ana = .scripted(50, claiming: "Ana's app", of: world.own.key)
    }

    /// The screen of what waits.
    func requests() -> ScreenModel<RequestsState> { ScreenModel(requestsOf: service, account, now: now) }
    /// The screen of one request.
    func request(_ id: EventID) -> ScreenModel<RequestReview> {
        ScreenModel(request: id, of: service, account, now: now)
    }
    /// The screen that pairs apps.
    func connect() -> ScreenModel<ConnectState> { ScreenModel(connect: service, now: now) }

    /// A request to read something of Ben's.
    func reading(_ number: UInt8) -> WaitingRequest {
        .scripted(number, from: ana, .decrypt(from: ben, .nip44), method: .nip44Decrypt, at: now)
    }

    /// A request to sign a follow list without everybody but a few.
    func losing(_ number: UInt8, lost: Int = 12) -> WaitingRequest {
        var change = VersionChange()
        change.dropped = (0..<lost).map {
            .person(ProfilePointer(key: $0 == 0 ? ben : FakeAuthor(UInt8(100 + $0)).key), petname: nil)
        }
        change.added = [.person(ProfilePointer(key: FakeAuthor(99).key), petname: nil)]
        let current = world.own.event("", kind: 3, at: now - .seconds(3600))
        let report = ChangeReport(
            .stopsFollowing(lost, following: 1), change: change, current: current,
            losesMuch: lost > ChangeReport.handful)
        let draft = EventDraft(kind: 3, tags: [["p", FakeAuthor(99).key.hex]], createdAt: now)
        return .scripted(number, from: ana, .sign(draft, report), rule: .losesEntries, at: now)
    }

    /// A request to sign a note.
    func note(_ number: UInt8, _ text: String = "Good morning") -> WaitingRequest {
        let draft = EventDraft(kind: 1, content: text, createdAt: now)
        return .scripted(number, from: ana, .sign(draft, ChangeReport(.event(1, .plain))), at: now)
    }
}

@Suite("requests that wait")
struct SignerRequestsTests {
    @Test("are put together where they are alike, and stay alone where they lose much")
    func groups() async {
        let here = SignerWorld()
        for request in [here.reading(1), here.losing(2), here.reading(3), here.note(4), here.losing(5)] {
            await here.service.arrive(request)
        }
        let state = await here.requests().send(.opened)
        #expect(state.groups.map(\.items.count) == [2, 1, 1, 1] && state.count == 5)
        #expect(state.groups[0].permission == "read what is encrypted to you (NIP-44)")
        #expect(state.groups.map(\.isBatch) == [true, false, false, false])
        #expect(state.people[here.ben]?.name == "Ben")
    }

    @Test("that came within half a second are one card where they ask for several things, and one decision")
    func bursts() async {
        let here = SignerWorld()
        var (first, second, later) = (here.reading(1), here.note(2), here.note(6))
        (first.burst, second.burst) = (first.id, first.id)
        later.burst = later.id
        for request in [first, second, here.losing(3), later] { await here.service.arrive(request) }
        let model = here.requests()
        let state = await model.send(.opened)
        #expect(state.groups.map(\.items.count) == [2, 1, 1])
        #expect(state.groups[0].isMixed && state.groups[0].permission == nil && !state.groups[1].isMixed)
        let ids = state.groups[0].items.map(\.id)
        _ = await model.send(.decide(ids, .once))
        #expect(await here.service.decisions.map(\.ids) == [ids])
    }

    @Test("say who asks, what it does and why it waits")
    func words() async throws {
        let here = SignerWorld()
        await here.service.arrive(here.losing(1))
        let item = try #require(await here.requests().send(.opened).groups.first?.items.first)
        #expect(item.app.title == "Ana's app" && item.app.isTitleClaimed)
        #expect(item.headline == "Follows 1 more person, stops following 12 people.")
        #expect(item.permission == "sign your follow list (kind 3)" && item.permissionWord == "sign_event:3")
        #expect(item.reason == "It would drop many entries." && item.needsSecondStep)
        #expect(
            item.change.lostCount == 12 && item.change.wonCount == 1
                && item.change.currentFrom == here.now - .seconds(3600))
    }

    @Test("a name that its owner gave is no claim, and the claim is still told")
    func claims() {
        let here = SignerWorld()
        var client = here.ana
        client.name = "Mail"
        let item = AppItem(client)
        #expect(item.title == "Mail" && !item.isTitleClaimed && item.claimedName == "Ana's app")
        client.name = nil
        client.claims = ClientMetadata(name: "\u{202E}evil\u{200F}")
        #expect(AppItem(client).title == "evil")
        client.claims = ClientMetadata()
        #expect(AppItem(client).title.hasPrefix("app ") && !AppItem(client).isTitleClaimed)
    }

    @Test("of an unknown kind show the event itself, with nothing hidden in it")
    func raw() {
        let here = SignerWorld()
        let draft = EventDraft(
            kind: 8421, tags: [["x", "a\u{202E}b", "\"c\""], []], content: "1\n2", createdAt: here.now)
        let report = ChangeReport(.event(8421, .plain), isUnknownKind: true)
        let item = RequestItem(.scripted(1, from: here.ana, .sign(draft, report), at: here.now))
        #expect(
            item.raw == """
                {
                  "kind": 8421,
                  "created_at": 1700000000,
                  "tags": [
                    ["x", "a\\u202eb", "\\"c\\""],
                    []
                  ],
                  "content": "1\\n2"
                }
                """)
        #expect(item.isUnknownKind && item.text.isEmpty)
    }

    @Test("are decided together, once", arguments: RequestChoice.allCases)
    func decides(answer: RequestChoice) async throws {
        let here = SignerWorld()
        for number in 1...3 { await here.service.arrive(here.reading(UInt8(number))) }
        let model = here.requests()
        let ids = await model.send(.opened).groups[0].items.map(\.id)
        let state = await model.send(.decide(ids, answer))
        #expect(state.count == 0 && state.left == nil && state.problem == nil)
        #expect(state.done?.hasPrefix("3 requests of “Ana's app” are") == true)
        let decision = try #require(await here.service.decisions.first)
        #expect(decision.ids == ids && !decision.knowingLoss && decision.verdict.allows == answer.allows)
        if case .always(_, let until) = decision.verdict {
            let spans: [RequestChoice: Int64] = [.hour: 3600, .day: 86_400, .week: 604_800]
            #expect(until == spans[answer].map { here.now + .seconds($0) })
        } else {
            #expect(answer == .once || answer == .refuse)
        }
    }

    @Test("a yes to one that loses much leaves it alone and leads to it")
    func left() async {
        let here = SignerWorld()
        let losing = here.losing(1)
        await here.service.arrive(losing)
        let model = here.requests()
        await model.send(.opened)
        let state = await model.send(.decide([losing.id], .once))
        #expect(state.left == losing.id && state.count == 1 && state.done == nil)
        let refused = await model.send(.decide([losing.id], .refuse))
        #expect(refused.count == 0 && refused.left == nil)
    }

    @Test("what was decided elsewhere is said")
    func gone() async {
        let here = SignerWorld()
        let model = here.requests()
        await model.send(.opened)
        let state = await model.send(.decide([here.note(9).id], .once))
        #expect(state.problem?.contains("no longer pending") == true)
        #expect(await model.send(.decide([], .once)).problem == "Choose what to decide.")
    }

    @Test("wait while the signer is paused")
    func paused() async {
        let here = SignerWorld()
        let model = here.requests()
        await model.send(.opened)
        #expect(await model.send(.pause(true)).isPaused)
        #expect(await here.service.all.isPaused)
        #expect(await model.send(.pause(false)).done == "The signer is running again.")
    }

    @Test("that cannot be read say so")
    func locked() async {
        let here = SignerWorld()
        await here.service.arrive(.scripted(1, from: here.ana, .locked, rule: .locked, at: here.now))
        await here.service.arrive(.scripted(2, from: here.ana, .locked, rule: .locked, at: here.now))
        let state = await here.requests().send(.opened)
        #expect(state.locked == 2 && state.groups.count == 1)
    }
}

@Suite("one request")
struct SignerRequestTests {
    @Test("names what goes and what comes")
    func detail() async throws {
        let here = SignerWorld()
        let request = here.losing(1)
        await here.service.arrive(request)
        let state = await here.request(request.id).send(.opened)
        let detail = try #require(state.detail)
        #expect(detail.lost.count == 12 && detail.won.count == 1 && detail.moreLost == 0)
        #expect(detail.lost.first?.text == "Ben" && detail.lost.first?.person?.key == here.ben)
    }

    @Test("that loses much needs a second, explicit step")
    func secondStep() async {
        let here = SignerWorld()
        let request = here.losing(1)
        await here.service.arrive(request)
        let model = here.request(request.id)
        await model.send(.opened)
        let asked = await model.send(.decide(.once, knowingLoss: false))
        #expect(asked.isConfirming && asked.done == nil)
        #expect(await here.service.decisions.isEmpty)
        let done = await model.send(.decide(.once, knowingLoss: true))
        #expect(done.done == "The request of “Ana's app” is approved.")
        #expect(await here.service.decisions.map(\.knowingLoss) == [true])
    }

    @Test("is refused without a second step")
    func refused() async {
        let here = SignerWorld()
        let request = here.losing(1)
        await here.service.arrive(request)
        let model = here.request(request.id)
        await model.send(.opened)
        #expect(await model.send(.decide(.refuse, knowingLoss: false)).done?.contains("refused") == true)
    }

    @Test("gives way to the version in force")
    func restores() async {
        let here = SignerWorld()
        let request = here.losing(1)
        await here.service.arrive(request)
        let model = here.request(request.id)
        await model.send(.opened)
        #expect(await model.send(.restore).done?.hasPrefix("Refused.") == true)
        #expect(await here.service.restored == [request.id])
    }

    @Test("that waits no longer is gone, and a failure is said in words")
    func gone() async {
        let here = SignerWorld()
        let model = here.request(here.note(1).id)
        #expect(await model.send(.opened).detail == nil)
        await here.service.refuse(with: SigningServiceError(.recordsUnusable))
        let state = await here.request(here.note(1).id).send(.opened)
        #expect(state.phase == .failed(Trouble("The signer's records cannot be changed now.")))
    }
}
