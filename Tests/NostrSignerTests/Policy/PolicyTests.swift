import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

private let note = RemotePermission(.signEvent, kind: 1)
private let follows = RemotePermission(.signEvent, kind: 3)
private let login = RemotePermission(.signEvent, kind: 22_242)
private let decrypting = RemotePermission(.nip44Decrypt)
private let encrypting = RemotePermission(.nip04Encrypt)

private func moment(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }

private func grant(
    _ permission: RemotePermission, _ verdict: Grant.Verdict, expires: Int64? = nil, perHour: Int? = nil,
    made: Int64 = 0
) -> Grant {
    Grant(permission, verdict, expires: expires.map(moment), perHour: perHour, made: moment(made))
}

@Suite("The policy of a signer")
struct PolicyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var permission: RemotePermission
        var expected: Decision
        var trust: TrustLevel = .medium
        var grants: [Grant] = []
        var uses = 0
        var minute = 600
        var isPaused = false
        var change: @Sendable (inout SignerClient) -> Void = { _ in }
    }

    static let cases: [Case] = [
        Case(testDescription: "full trust signs", permission: note, expected: .allow(.trust), trust: .full),
        Case(
            testDescription: "full trust signs protected kinds", permission: follows, expected: .allow(.trust),
            trust: .full),
        Case(testDescription: "full trust decrypts", permission: decrypting, expected: .allow(.trust), trust: .full),
        Case(testDescription: "medium trust signs", permission: note, expected: .allow(.trust)),
        Case(
            testDescription: "medium trust asks about protected kinds", permission: follows,
            expected: .ask(.protectedKind)),
        Case(
            testDescription: "medium trust asks about every kind at once", permission: RemotePermission(.signEvent),
            expected: .ask(.protectedKind)),
        Case(
            testDescription: "medium trust asks about wallets", permission: RemotePermission(.signEvent, kind: 17_375),
            expected: .ask(.protectedKind)),
        Case(
            testDescription: "medium trust asks about logins", permission: login, expected: .ask(.protectedKind)),
        Case(
            testDescription: "a yes without a place is none for a login", permission: login,
            expected: .ask(.protectedKind), grants: [grant(login, .allow)]),
        Case(
            testDescription: "a no without a place is one for every login", permission: login,
            expected: .refuse(.grant), grants: [grant(login, .refuse)]),
        Case(testDescription: "medium trust decrypts", permission: decrypting, expected: .allow(.trust)),
        Case(testDescription: "low trust asks about notes", permission: note, expected: .ask(.trust), trust: .low),
        Case(
            testDescription: "low trust asks about decrypting", permission: decrypting, expected: .ask(.trust),
            trust: .low),
        Case(
            testDescription: "low trust asks about encrypting", permission: encrypting, expected: .ask(.trust),
            trust: .low),
        Case(
            testDescription: "low trust tells the key", permission: RemotePermission(.getPublicKey),
            expected: .allow(.harmless), trust: .low),
        Case(
            testDescription: "a choice beats low trust", permission: note, expected: .allow(.grant), trust: .low,
            grants: [grant(note, .allow)]),
        Case(
            testDescription: "a choice beats full trust", permission: note, expected: .refuse(.grant), trust: .full,
            grants: [grant(note, .refuse)]),
        Case(
            testDescription: "a choice to be asked beats full trust", permission: note, expected: .ask(.grant),
            trust: .full,
            grants: [grant(note, .ask)]),
        Case(
            testDescription: "a choice for the kind beats one for all kinds", permission: note,
            expected: .refuse(.grant),
            grants: [grant(RemotePermission(.signEvent), .allow, made: 9), grant(note, .refuse)]),
        Case(
            testDescription: "a choice for all kinds covers protected ones", permission: follows,
            expected: .allow(.grant), grants: [grant(RemotePermission(.signEvent), .allow)]),
        Case(
            testDescription: "a choice for another method says nothing", permission: decrypting,
            expected: .ask(.trust), trust: .low, grants: [grant(RemotePermission(.nip44Encrypt), .allow)]),
        Case(
            testDescription: "a choice holds until its last second", permission: follows, expected: .allow(.grant),
            grants: [grant(follows, .allow, expires: 1)]),
        Case(
            testDescription: "one that has run out says so", permission: follows, expected: .ask(.grantExpired),
            grants: [grant(follows, .allow, expires: 0)]),
        Case(
            testDescription: "one that has run out leaves the trust", permission: note, expected: .allow(.trust),
            grants: [grant(note, .refuse, expires: 0)]),
        Case(
            testDescription: "a choice for the kind that has run out leaves the one for all", permission: note,
            expected: .allow(.grant), trust: .low,
            grants: [grant(note, .refuse, expires: 0), grant(RemotePermission(.signEvent), .allow)]),
        Case(
            testDescription: "a choice is given as often as it says", permission: note, expected: .allow(.grant),
            trust: .low, grants: [grant(note, .allow, perHour: 3)], uses: 2),
        Case(
            testDescription: "above that it is asked about", permission: note, expected: .ask(.tooOften), trust: .full,
            grants: [grant(note, .allow, perHour: 3)], uses: 3),
        Case(
            testDescription: "above the app's limit all is asked about", permission: note, expected: .ask(.tooOften),
            trust: .full, uses: 5, change: { $0.perHour = 5 }),
        Case(
            testDescription: "the app's limit holds for choices too", permission: note, expected: .ask(.tooOften),
            grants: [grant(note, .allow)], uses: 5, change: { $0.perHour = 5 }),
        Case(
            testDescription: "outside its hours it is asked about", permission: note, expected: .ask(.outsideHours),
            trust: .full, minute: 599, change: { $0.hours = DayHours(from: 600, until: 700) }),
        Case(
            testDescription: "hours may go past midnight", permission: note, expected: .allow(.trust), minute: 10,
            change: { $0.hours = DayHours(from: 1400, until: 60) }),
        Case(
            testDescription: "a refusal needs no hours", permission: note, expected: .refuse(.grant),
            grants: [grant(note, .refuse)], minute: 5, change: { $0.hours = DayHours(from: 600, until: 700) }),
        Case(
            testDescription: "a paused signer asks, whatever was chosen", permission: note, expected: .ask(.paused),
            trust: .full, grants: [grant(note, .allow)], isPaused: true),
        Case(
            testDescription: "a paused signer is still there", permission: RemotePermission(.ping),
            expected: .allow(.harmless), isPaused: true),
    ]

    @Test("decides by trust, choices, limits and hours", arguments: cases)
    func decides(one: Case) {
        var client = SignerClient(
            app: .remote(TestPerson.bob.publicKey), account: TestPerson.alice.publicKey, connected: moment(-9))
        client.trust = one.trust
        client.grants = one.grants
        one.change(&client)
        var settings = SignerSettings()
        settings.isPaused = one.isPaused
        var uses = HourUses()
        uses.note(one.permission, at: moment(-1), count: one.uses)
        let policy = Policy(settings: settings, client: client, uses: uses, now: moment(0), minute: one.minute)
        #expect(policy.decide(one.permission) == one.expected)
    }

    @Test(
        "refuses an app that is not paired whatever it asks",
        arguments: [note, RemotePermission(.signEvent, kind: 22_242), decrypting, RemotePermission(.ping)])
    func unpaired(permission: RemotePermission) {
        let policy = Policy(settings: SignerSettings(), client: nil, now: moment(0), minute: 0)
        #expect(policy.decide(permission) == .refuse(.notPaired))
    }

    @Test("names what an app asked for beyond what it gets at once")
    func beyond() {
        var client = SignerClient(
            app: .remote(TestPerson.bob.publicKey), account: TestPerson.alice.publicKey, connected: moment(0))
        client.requested = [note, follows, decrypting, RemotePermission(.ping), RemotePermission(.signEvent)]
        let policy = Policy(settings: SignerSettings(), client: client, now: moment(0), minute: 0)
        #expect(policy.requestedBeyond == [follows, RemotePermission(.signEvent)])
    }

    @Test("counts what was used within the hour, and forgets what is older")
    func hour() {
        var uses = HourUses()
        for second in 0..<5000 as Range<Int64> { uses.note(second % 2 == 0 ? note : decrypting, at: moment(second)) }
        uses.note(RemotePermission(.ping), at: moment(5000))
        uses.forget(before: moment(5000 - 3600))
        #expect(uses.count() == 3599)
        #expect(uses.count(of: note) == 1799)
        #expect(uses.count(of: RemotePermission(.signEvent)) == 1799)
        uses.forget(before: moment(9000))
        #expect(uses.count() == 0)
    }

    @Test(
        "what speaks for a person elsewhere is protected from the start",
        arguments: [
            13, 62, 443, 30_443, 10_050, 10_051, 13_194, 23_194, 7374, 7375, 7376, 17_375, 22_242, 27_235, 0, 3, 5,
            10_002,
        ] as [Kind])
    func protected(kind: Kind) {
        let client = SignerClient(
            app: .remote(TestPerson.bob.publicKey), account: TestPerson.alice.publicKey, connected: moment(0))
        let policy = Policy(settings: SignerSettings(), client: client, now: moment(0), minute: 0)
        #expect(policy.decide(RemotePermission(.signEvent, kind: kind)) == .ask(.protectedKind))
    }

    @Test("a login is allowed for its relay or site alone")
    func places() throws {
        func draft(_ kind: Kind, _ tags: [NostrCore.Tag]) -> EventDraft {
            EventDraft(kind: kind, tags: tags, content: "", createdAt: moment(0))
        }
        let here = try #require(Audience(of: draft(22_242, [["relay", "wss://Relay.example/"], ["challenge", "x"]])))
        let there = try #require(Audience(of: draft(22_242, [["relay", "wss://other.example"]])))
        let site = try #require(Audience(of: draft(27_235, [["u", "https://Site.example:443/api?x=1"]])))
        #expect(site.text == "https://site.example" && here != there)
        #expect(Audience(of: draft(22_242, [["relay", "wss://a.example"], ["relay", "wss://b.example"]])) == nil)
        #expect(Audience(of: draft(27_235, [["u", "https://site.example@other.example/"]])) == nil)
        #expect(Audience(of: draft(1, [["relay", "wss://a.example"]])) == nil)
        var client = SignerClient(
            app: .remote(TestPerson.bob.publicKey), account: TestPerson.alice.publicKey, connected: moment(0))
        client.choose(Grant(login, .allow, for: here, made: moment(0)))
        let policy = Policy(settings: SignerSettings(), client: client, now: moment(0), minute: 0)
        #expect(policy.decide(login, for: here) == .allow(.grant))
        #expect(policy.decide(login, for: there) == .ask(.protectedKind))
        #expect(policy.decide(login) == .ask(.protectedKind))
        #expect(policy.decide(RemotePermission(.signEvent, kind: 27_235), for: site) == .ask(.protectedKind))
        let subject = try #require(Grant.subject(client.grants[0].text))
        #expect(subject.permission == login && subject.audience == here)
    }

    @Test("what carries an amount says it")
    func amounts() {
        func amount(_ kind: Kind, _ tags: [NostrCore.Tag]) -> Int64? {
            EventDraft(kind: kind, tags: tags, content: "", createdAt: moment(0)).amount
        }
        #expect(amount(9734, [["amount", "21000"]]) == 21_000)
        #expect(amount(9734, [["amount", "-1"]]) == nil && amount(9734, []) == nil)
        let proof = #"{"amount":2,"id":"00","secret":"s","C":"c"}"#
        #expect(amount(9321, [["proof", proof], ["proof", proof], ["unit", "sat"]]) == 4000)
        #expect(amount(9321, [["proof", #"{"amount":9223372036854775807}"#]]) == nil)
        #expect(amount(1, [["amount", "5"]]) == nil)
    }
}
