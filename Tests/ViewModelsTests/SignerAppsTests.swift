import NostrCore
import NostrNIPs
import NostrSigner
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("one app of a signer")
struct SignerAppTests {
    private func opened(
        _ here: SignerWorld, _ change: (inout SignerClient) -> Void = { _ in }
    ) async throws -> ScreenModel<AppState> {
        var client = here.ana
        change(&client)
        await here.service.pair(client)
        let model = try #require(here.desk.app(client.app.text, now: here.now))
        await model.send(.opened)
        return model
    }

    @Test("is named, and trusted otherwise")
    func renames() async throws {
        let here = SignerWorld()
        let model = try await opened(here)
        let state = await model.send(.rename("  My\nmail ", trust: "low"))
        #expect(state.done == "Saved." && state.app?.title == "My mail" && state.app?.trust == "low")
        #expect(await here.service.apps.first?.name == "My mail")
        #expect(await model.send(.rename("", trust: "nonsense")).app?.title == "Ana's app")
        #expect(await here.service.apps.first?.trust == .low)
    }

    @Test("that asks for more than it was given is shown as such")
    func more() async throws {
        let here = SignerWorld()
        let model = try await opened(here) { client in
            client.trust = .medium
            client.requested = RemotePermission.list("sign_event:1,sign_event:3,nip44_decrypt,get_public_key")
            client.grants = [Grant(RemotePermission(.nip44Decrypt), .refuse, made: here.now)]
        }
        let items = await model.state.permissions
        #expect(items.map(\.word) == ["nip44_decrypt", "sign_event:1", "sign_event:3"])
        #expect(items.map(\.standing) == [.refused, .allowed, .asked])
        #expect(items.map(\.isMoreThanGranted) == [true, false, true])
    }

    @Test("has choices that end, count and go")
    func chooses() async throws {
        let here = SignerWorld()
        let model = try await opened(here) { $0.trust = .low }
        let choice = AppState.Choice(permission: "1", verdict: "allow", span: .seconds(3600), perHour: "20")
        let state = await model.send(.choose(choice))
        #expect(state.permissions.map(\.word) == ["sign_event:1"])
        #expect(state.permissions.first?.expires == here.now + .seconds(3600) && state.permissions.first?.perHour == 20)
        #expect(state.permissions.first?.standing == .allowed)
        let forgotten = await model.send(.choose(AppState.Choice(permission: "sign_event:1", verdict: "")))
        #expect(forgotten.permissions.isEmpty)
    }

    @Test(
        "refuses choices that are none",
        arguments: [("sing_event", ""), ("ping", ""), ("sign_event:70000", ""), ("1", "0"), ("1", "often")])
    func wrong(permission: String, perHour: String) async throws {
        let here = SignerWorld()
        let model = try await opened(here)
        let choice = AppState.Choice(permission: permission, verdict: "allow", perHour: perHour)
        #expect(await model.send(.choose(choice)).problem != nil)
        #expect(await here.service.apps.first?.grants == [])
    }

    @Test("has limits by the hour and by the time of day")
    func limits() async throws {
        let here = SignerWorld()
        let model = try await opened(here)
        let state = await model.send(.limit(perHour: "60", from: "22:30", until: "06:05"))
        #expect(state.perHour == 60 && state.shownHours?.from == "22:30" && state.shownHours?.until == "06:05")
        #expect(await model.send(.limit(perHour: "", from: "8", until: "25:00")).problem != nil)
        let none = await model.send(.limit(perHour: "", from: "", until: ""))
        #expect(none.perHour == nil && none.hours == nil)
    }

    @Test("is unpaired")
    func unpairs() async throws {
        let here = SignerWorld()
        let model = try await opened(here)
        #expect(await model.send(.unpair).isGone)
        #expect(await here.service.apps.isEmpty)
        #expect(here.desk.app("nonsense", now: here.now) == nil)
    }
}

@Suite("pairing with an app")
struct SignerConnectTests {
    private static let relay = "wss://relay.example"

    @Test("shows one's own token, and makes a new one")
    func invitation() async throws {
        let here = SignerWorld()
        let model = here.desk.connect(now: here.now)
        guard case .failed(let trouble) = await model.send(.opened).phase else {
            Issue.record("a signer without relays has no token")
            return
        }
        #expect(trouble.sentence.contains("relay"))
        var settings = SignerSettings()
        settings.relays = [try RelayURL(Self.relay)]
        try await here.service.setSettings(settings)
        let first = try #require(await model.send(.opened).invitation)
        #expect(first.hasPrefix("bunker://") && first.contains("secret-1"))
        #expect(await model.send(.renew).invitation?.contains("secret-2") == true)
    }

    @Test("shows what an app claims and asks before anything is allowed, then gives what was ticked")
    func pairs() async throws {
        let here = SignerWorld()
        let token = NostrConnectURI(
            client: FakeAuthor(60).key, relays: [try RelayURL(Self.relay)], secret: "s",
            permissions: RemotePermission.list("sign_event:1,sign_event:3,nip44_decrypt,ping"),
            metadata: ClientMetadata(name: "Chat", url: "https://chat.example"))
        let model = here.desk.connect(now: here.now)
        await model.send(.opened)
        let item = try #require(await model.send(.paste(" \(token.text)\n")).token)
        #expect(item.name == "Chat" && item.page == "https://chat.example" && item.suggestedTrust == "low")
        #expect(item.wishes.map(\.word) == ["sign_event:1", "sign_event:3", "nip44_decrypt"])
        #expect(item.wishes.map(\.isDelicate) == [false, true, true])
        #expect(await here.service.accepted.isEmpty)
        let terms = ConnectState.Terms(name: "Mine", trust: "medium", granted: ["sign_event:1", "sign_event"])
        let state = await model.send(.pair(terms))
        #expect(state.paired?.title == "Mine" && state.isHeardOf && state.told == 1)
        let accepted = try #require(await here.service.accepted.first)
        #expect(accepted.trust == .medium && accepted.grants.map(\.permission.text) == ["sign_event:1"])
    }

    @Test(
        "says what is wrong with what was pasted",
        arguments: [
            ("hello", "begins with nostrconnect://"), ("bunker://abc", "token of a signer"),
            ("nostrconnect://abc?relay=wss://r.example&secret=s", "no key"),
            ("nostrconnect://\(FakeAuthor(60).key.hex)?secret=s", "no relay"),
            ("nostrconnect://\(FakeAuthor(60).key.hex)?relay=wss://r.example", "no secret"),
        ])
    func wrong(text: String, words: String) async {
        let here = SignerWorld()
        let state = await here.desk.connect(now: here.now).send(.paste(text))
        #expect(state.problem?.contains(words) == true && state.token == nil && state.pasted == text)
    }

    @Test("never shows a secret key again")
    func secretKey() async {
        let here = SignerWorld()
        let secret = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
        let state = await here.desk.connect(now: here.now).send(.paste(secret))
        #expect(state.pasted.isEmpty && state.problem?.contains("secret key") == true)
    }
}

@Suite("the log, the relays and the settings of a signer")
struct SignerLogTests {
    private func line(_ id: Int64, _ here: SignerWorld, _ summary: String = "") -> ActivityEntry {
        ActivityEntry(
            id: id, time: here.now, account: here.world.own.key, app: here.ana.app, title: "Ana's app",
            method: "sign_event", kind: 1, outcome: .done, rule: .trust, result: here.note(1).id,
            fact: summary.isEmpty ? nil : .words(summary))
    }

    @Test("pages go on to older lines, and a search narrows them")
    func pages() async {
        let here = SignerWorld()
        await here.service.write((1...120).reversed().map { line($0, here, $0 == 7 ? "said Hello" : "") })
        let first = await here.desk.activity(ActivityState.Search()).send(.opened)
        #expect(first.lines.count == 50 && first.lines.first?.id == 120 && first.next == 71)
        let last = await here.desk.activity(ActivityState.Search(before: 21)).send(.opened)
        #expect(last.lines.count == 20 && last.next == nil)
        let found = await here.desk.activity(ActivityState.Search(text: "hello")).send(.opened)
        #expect(found.lines.map(\.id) == [7] && found.lines.first?.what == "sign a note (kind 1)")
    }

    @Test("is exported line by line as JSON, whole")
    func exports() async throws {
        let here = SignerWorld()
        await here.service.write((1...501).reversed().map { line($0, here, "a \"word\"\n") })
        let part = try await here.desk.activityLines(ActivityState.Search())
        #expect(part.text.split(separator: "\n").count == 500 && part.next == 2)
        let rest = try await here.desk.activityLines(ActivityState.Search(before: part.next))
        #expect(rest.next == nil && rest.text.split(separator: "\n").count == 1)
        let id = here.note(1).id.hex
        #expect(
            rest.text == """
                {"id":1,"time":1700000000,"account":"\(here.world.own.key.hex)","app":"\(here.ana.app.text)",\
                "title":"Ana's app","method":"sign_event","kind":1,"outcome":"done","rule":"trust","result":"\(id)",\
                "summary":"a \\"word\\"\\n"}

                """)
    }

    @Test("a method nobody knows is told as it was sent")
    func unknownMethod() {
        let here = SignerWorld()
        var entry = line(1, here)
        entry.method = "steal\u{202E}_key"
        #expect(ActivityItem(entry).what == "“steal_key”, which no signer knows")
    }

    @Test("relays stand with the signer's own first, and apps by their names")
    func relays() async throws {
        let here = SignerWorld()
        await here.service.pair(here.ana)
        let report = { (name: String, isOwn: Bool, state: SignerRelayReport.State) in
            SignerRelayReport(
                relay: try RelayURL("wss://\(name).example"), state: state, isOwn: isOwn, apps: [here.ana.app],
                lastRequest: isOwn ? here.now : nil, requests: 3, answersTaken: 2, answersRefused: 1)
        }
        await here.service.set(reports: [
            try report("a", false, .failing(.unreachable("Connection\nrefused"))), try report("z", true, .listening),
        ])
        let state = await here.desk.relays().send(.opened)
        #expect(state.rows.map(\.isOwn) == [true, false] && state.listening == 1 && state.lastRequest == here.now)
        #expect(state.rows.map(\.apps) == [["Ana's app"], ["Ana's app"]])
        #expect(state.rows.map(\.problem) == [nil, "Connection refused"])
    }

    @Test("settings keep protected kinds and relays")
    func settings() async {
        let here = SignerWorld()
        let model = here.desk.settings()
        #expect(await model.send(.opened).kinds.first?.title == "your profile")
        _ = await model.send(.protect(["0", "3"], more: "30023, 7"))
        #expect(await here.service.all.protectedKinds == [0, 3, 7, 30_023])
        #expect(await model.state.kinds.contains { $0.number == 10_000 && !$0.isProtected })
        #expect(await model.send(.protect([], more: "x")).problem != nil)
        _ = await model.send(.reset)
        #expect(await here.service.all.protectedKinds == SignerSettings.defaultProtectedKinds)
        let state = await model.send(.listen("wss://a.example\n wss://a.example wss://b.example"))
        #expect(state.relays == "wss://a.example\nwss://b.example")
        #expect(await model.send(.listen("http://x")).problem?.contains("http://x") == true)
    }

    @Test("a page hears of each change once")
    func feed() async {
        let here = SignerWorld()
        let feed = await here.desk.feed()
        await here.service.arrive(here.note(1))
        await here.service.arrive(here.note(2))
        await here.service.pair(here.ana)
        await here.service.finish()
        await feed.run()
        #expect(feed.takeChanges() == ["apps", "waiting"] && feed.takeChanges().isEmpty)
        let backlog = await here.desk.backlog()
        #expect(backlog.count == 2 && backlog.titles == ["Ana's app"])
    }
}
