import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("one app of a signer")
struct SignerAppTests {
    private func paired(
        _ here: SignerWorld, _ change: (inout SignerClient) -> Void = { _ in }
    ) async -> String {
        var client = here.ana
        change(&client)
        await here.service.pair(client)
        return client.app.text
    }

    private func shown(_ here: SignerWorld, _ word: String) async throws -> AppView {
        try #require(try await AppView.load(word, of: here.service, now: here.now))
    }

    private func apply(_ change: AppChange, _ here: SignerWorld, _ word: String) async throws -> AppChange.Outcome {
        try await change.apply(to: word, of: here.service, now: here.now)
    }

    @Test("is named, and trusted otherwise")
    func renames() async throws {
        let here = SignerWorld()
        let word = await paired(here)
        #expect(try await apply(.rename("  My\nmail ", trust: "low"), here, word) == .saved("Saved."))
        let view = try await shown(here, word)
        #expect(view.app.title == "My mail" && view.app.trust == "low")
        #expect(await here.service.apps.first?.name == "My mail")
        _ = try await apply(.rename("", trust: "nonsense"), here, word)
        #expect(try await shown(here, word).app.title == "Ana's app")
        #expect(await here.service.apps.first?.trust == .low)
    }

    @Test("that asks for more than it was given is shown as such")
    func more() async throws {
        let here = SignerWorld()
        let word = await paired(here) { client in
            client.trust = .medium
            client.requested = RemotePermission.list("sign_event:1,sign_event:3,nip44_decrypt,get_public_key")
            client.grants = [Grant(RemotePermission(.nip44Decrypt), .refuse, made: here.now)]
        }
        let items = try await shown(here, word).permissions
        #expect(items.map(\.word) == ["nip44_decrypt", "sign_event:1", "sign_event:3"])
        #expect(items.map(\.standing) == [.refused, .allowed, .asked])
        #expect(items.map(\.isMoreThanGranted) == [true, false, true])
    }

    @Test("has choices that end, count and go")
    func chooses() async throws {
        let here = SignerWorld()
        let word = await paired(here) { $0.trust = .low }
        let choice = AppChange.Choice(permission: "1", verdict: "allow", span: .seconds(3600), perHour: "20")
        #expect(try await apply(.choose(choice), here, word) == .saved("Saved."))
        let item = try #require(try await shown(here, word).permissions.first)
        #expect(item.word == "sign_event:1" && item.standing == .allowed)
        #expect(item.expires == here.now + .seconds(3600) && item.perHour == 20)
        let forgotten = AppChange.Choice(permission: "sign_event:1", verdict: "")
        #expect(try await apply(.choose(forgotten), here, word) == .saved("Decided by the app's trust level."))
        #expect(try await shown(here, word).permissions.isEmpty)
    }

    @Test(
        "refuses choices that are none",
        arguments: [("sing_event", ""), ("ping", ""), ("sign_event:70000", ""), ("1", "0"), ("1", "often")])
    func wrong(permission: String, perHour: String) async throws {
        let here = SignerWorld()
        let word = await paired(here)
        let choice = AppChange.Choice(permission: permission, verdict: "allow", perHour: perHour)
        guard case .refused = try await apply(.choose(choice), here, word) else {
            Issue.record("it was kept")
            return
        }
        #expect(await here.service.apps.first?.grants == [])
    }

    @Test("has limits by the hour and by the time of day")
    func limits() async throws {
        let here = SignerWorld()
        let word = await paired(here)
        _ = try await apply(.limit(perHour: "60", from: "22:30", until: "06:05"), here, word)
        let view = try await shown(here, word)
        #expect(view.perHour == 60 && view.hours == AppView.Hours(from: "22:30", until: "06:05"))
        guard case .refused = try await apply(.limit(perHour: "", from: "8", until: "25:00"), here, word) else {
            Issue.record("it was kept")
            return
        }
        _ = try await apply(.limit(perHour: "", from: "", until: ""), here, word)
        let none = try await shown(here, word)
        #expect(none.perHour == nil && none.hours == nil)
    }

    @Test("is unpaired, and says when it cannot be kept")
    func unpairs() async throws {
        let here = SignerWorld()
        let word = await paired(here)
        let outcome = try await apply(.unpair, here, word)
        #expect(outcome == .unpaired("“Ana's app” is unpaired: it can no longer do anything."))
        #expect(await here.service.apps.isEmpty)
        #expect(try await apply(.unpair, here, word) == .noApp)
        #expect(try await AppView.load("nonsense", of: here.service, now: here.now) == nil)
        await here.service.refuse(with: SigningServiceError(.recordsUnusable))
        await #expect(throws: Trouble("The signer's records cannot be changed now.")) { try await shown(here, word) }
    }
}

@Suite("pairing with an app")
struct SignerConnectTests {
    private static let relay = "wss://relay.example"

    @Test("shows one's own token, and makes a new one")
    func invitation() async throws {
        let here = SignerWorld()
        let model = here.connect()
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
        let renewed = await model.send(.renew(trust: "low"))
        #expect(renewed.invitation?.contains("secret-2") == true)
        #expect(renewed.invitationTrust == "low" && renewed.invitationGives.hasPrefix("It gives low trust."))
        #expect(renewed.trustChoices.first { $0.isChosen }?.word == "low")
    }

    @Test("shows what an app claims and asks before anything is allowed, then gives what was ticked")
    func pairs() async throws {
        let here = SignerWorld()
        let token = NostrConnectURI(
            client: FakeAuthor(60).key, relays: [try RelayURL(Self.relay)], secret: "s",
            permissions: RemotePermission.list("sign_event:1,sign_event:3,nip44_decrypt,ping"),
            metadata: ClientMetadata(name: "Chat", url: "https://chat.example"))
        let model = here.connect()
        await model.send(.opened)
        let item = try #require(await model.send(.paste(" \(token.text)\n")).token)
        #expect(item.name == "Chat" && item.page == "https://chat.example" && item.suggestedTrust == "low")
        #expect(item.wishes.map(\.word) == ["sign_event:1", "sign_event:3", "nip44_decrypt"])
        #expect(item.wishes.map(\.isDelicate) == [false, true, true])
        #expect(item.wishes.allSatisfy { !$0.isTicked })
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
        let state = await here.connect().send(.paste(text))
        #expect(state.problem?.contains(words) == true && state.token == nil && state.pasted == text)
    }

    @Test("never shows a secret key again")
    func secretKey() async {
        let here = SignerWorld()
        let secret = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
        let state = await here.connect().send(.paste(secret))
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
    func pages() async throws {
        let here = SignerWorld()
        await here.service.write((1...120).reversed().map { line($0, here, $0 == 7 ? "said Hello" : "") })
        let first = try await ActivityView.load(ActivitySearch(), of: here.service)
        #expect(first.lines.count == 50 && first.lines.first?.id == 120 && first.next == 71)
        let last = try await ActivityView.load(ActivitySearch(before: 21), of: here.service)
        #expect(last.lines.count == 20 && last.next == nil)
        let found = try await ActivityView.load(ActivitySearch(text: "hello"), of: here.service)
        #expect(found.lines.map(\.id) == [7] && found.lines.first?.what == "sign a note (kind 1)")
    }

    @Test("is exported line by line as JSON, whole")
    func exports() async throws {
        let here = SignerWorld()
        await here.service.write((1...501).reversed().map { line($0, here, "a \"word\"\n") })
        let part = try await ActivityView.export(ActivitySearch(), of: here.service)
        #expect(part.text.split(separator: "\n").count == 500 && part.next == 2)
        let rest = try await ActivityView.export(ActivitySearch(before: part.next), of: here.service)
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
            try report("a", false, .failing(.unreachable(.notice("we are\nmoving")))),
            try report("z", true, .listening),
        ])
        let state = try await SignerRelaysView.load(of: here.service)
        #expect(state.rows.map(\.isOwn) == [true, false] && state.listening == 1 && state.lastRequest == here.now)
        #expect(state.rows.map(\.apps) == [["Ana's app"], ["Ana's app"]])
        #expect(state.rows.map(\.problem) == [nil, "It says: we are moving"])
    }

    @Test("settings keep protected kinds and relays")
    func settings() async throws {
        let here = SignerWorld()
        let apply = { try await SignerSettingsView.apply($0, of: here.service) }
        #expect(try await SignerSettingsView.load(of: here.service).kinds.first?.title == "your profile")
        let view = try await apply(.protect(["0", "3"], more: "30023, 7"))
        #expect(view.done == "Saved." && view.kinds.contains { $0.number == 10_000 && !$0.isProtected })
        #expect(await here.service.all.protectedKinds == [0, 3, 7, 30_023])
        #expect(try await apply(.protect([], more: "x")).problem != nil)
        _ = try await apply(.reset)
        #expect(await here.service.all.protectedKinds == SignerSettings.defaultProtectedKinds)
        let listening = try await apply(.listen("wss://a.example\n wss://a.example wss://b.example"))
        #expect(listening.relays == "wss://a.example\nwss://b.example")
        let wrong = try await apply(.listen("http://x"))
        #expect(wrong.problem?.contains("http://x") == true && wrong.relays == "http://x" && wrong.done == nil)
    }

    @Test("a page hears of each change once")
    func feed() async {
        let here = SignerWorld()
        let feed = await SignerFeed(of: here.service, bell: Doorbell())
        await here.service.arrive(here.note(1))
        await here.service.arrive(here.note(2))
        await here.service.pair(here.ana)
        await here.service.finish()
        await feed.run()
        #expect(feed.takeChanges() == ["apps", "waiting"] && feed.takeChanges().isEmpty)
        let backlog = await BacklogItem.load(of: here.service)
        #expect(backlog.count == 2 && backlog.titles == ["Ana's app"])
    }
}
