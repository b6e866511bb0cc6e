internal import NostrCore
internal import NostrNIPs
public import NostrSigner

/// What every ``/NostrSigner/SignerRecords`` promises.
public enum SignerRecordsContract {
    /// One promise.
    public typealias Rule = ContractRule<any SignerRecords>

    /// All promises.
    public static let rules: [Rule] = apps + settings + requests + waiting + log
}

private let alice = TestPerson.alice.publicKey
private let bob = TestPerson.bob.publicKey
private let carolsApp = RequestingApp.remote(TestPerson.carol.publicKey)
private let davesApp = RequestingApp.remote(TestPerson.dave.publicKey)

private func moment(_ seconds: Int64) -> Timestamp { Timestamp(seconds: start + seconds) }

private func client(_ app: RequestingApp = carolsApp, of account: PublicKey = alice) -> SignerClient {
    SignerClient(app: app, account: account, connected: moment(0))
}

private func eventID(_ number: UInt64) -> EventID {
    TestPerson.carol.event("\(number)", kind: RemoteSigning.kind).id
}

private func request(
    _ number: UInt64, id: String? = nil, digest: String = "asked", app: RequestingApp = carolsApp,
    of account: PublicKey = alice, _ permission: RemotePermission? = RemotePermission(.signEvent, kind: 1)
) -> AdmittedRequest {
    AdmittedRequest(
        event: eventID(number), account: account, app: app, id: id ?? "request \(number)",
        digest: id == "" ? "" : digest, permission: permission, raw: "{\"number\":\(number)}",
        relay: try? RelayURL("wss://relay.example/\(number)"),
        received: moment(Int64(number)))
}

private func line(
    _ outcome: ActivityEntry.Outcome = .done, at seconds: Int64 = 1, app: RequestingApp = carolsApp,
    of account: PublicKey = alice, method: String = "sign_event", kind: Kind? = 1, summary: String = "Wrote a note",
    error: String? = nil
) -> ActivityEntry {
    ActivityEntry(
        time: moment(seconds), account: account, app: app, title: "Carol's app", method: method, kind: kind, peer: bob,
        outcome: outcome, rule: .trust, result: eventID(77), fact: summary.isEmpty ? nil : .words(summary), error: error
    )
}

extension SignerRecordsContract {
    private static var apps: [Rule] {
        [
            Rule("gives an app back as it was kept, with all its choices") { records, _ in
                var kept = client()
                kept.claims = ClientMetadata(name: "Notes \u{1F58B} 'quoted'", url: "https://n.example", image: nil)
                kept.name = "Carol's"
                kept.trust = .low
                kept.grants = [
                    Grant(
                        RemotePermission(.signEvent, kind: 1), .allow, expires: moment(60), perHour: 5, made: moment(1)),
                    Grant(RemotePermission(.nip44Decrypt), .refuse, made: moment(2)),
                    Grant(RemotePermission(.signEvent), .ask, made: moment(3)),
                    Grant(
                        RemotePermission(.signEvent, kind: 22_242), .allow, for: Audience("wss://relay.example"),
                        made: moment(4)),
                ]
                kept.requested = [RemotePermission(.signEvent, kind: 30_023), RemotePermission(.nip04Encrypt)]
                kept.relays = [try RelayURL("wss://one.example"), try RelayURL("wss://two.example/path")]
                kept.perHour = 30
                kept.hours = DayHours(from: 1380, until: 60)
                kept.answersAck = true
                kept.lastSeen = moment(9)
                kept.requests = 12
                try await records.save(kept)
                try demand(try await records.client(kept.id), kept)
                kept.grants = []
                kept.hours = nil
                kept.perHour = nil
                kept.name = nil
                try await records.save(kept)
                try demand(try await records.clients(of: alice), [kept])
            },
            Rule("lists the apps of one account, the one seen last first") { records, _ in
                var first = client()
                var second = client(davesApp)
                let link = client(.link("https://site.example"))
                second.lastSeen = moment(5)
                for one in [first, second, link, client(carolsApp, of: bob)] { try await records.save(one) }
                try demand(try await records.clients(of: alice).first, second)
                try demand(try await records.clients(of: alice).count, 3)
                first.lastSeen = moment(6)
                try await records.save(first)
                try demand(try await records.clients(of: alice).prefix(2).map(\.app), [carolsApp, davesApp])
                try demand(try await records.clients(of: bob).map(\.account), [bob])
                try demand(try await records.client(SignerClient.ID(app: davesApp, account: bob)), nil)
            },
            Rule("forgets an app with what waits for it, and keeps its lines in the log") { records, _ in
                try await records.save(client())
                try await records.save(client(davesApp))
                _ = try await records.admit(request(1))
                try await records.wait(request(1), why: .trust, activity: line(.waiting))
                _ = try await records.admit(request(2, app: davesApp))
                try await records.wait(request(2, app: davesApp), why: .trust, activity: line(.waiting, app: davesApp))
                try await records.remove(client().id)
                try demand(try await records.clients(of: alice).map(\.app), [davesApp])
                try demand(try await records.waiting(of: alice).map(\.request.event), [eventID(2)])
                try demand(try await records.activity(of: alice, ActivityQuery()).count, 2)
                try await records.remove(client().id)
            },
        ]
    }

    private static var settings: [Rule] {
        [
            Rule("has the defaults until settings are kept, one set per account") { records, _ in
                try demand(try await records.settings(of: alice), SignerSettings())
                var changed = SignerSettings()
                changed.isPaused = true
                changed.protectedKinds = [0, 3]
                changed.relays = [try RelayURL("wss://b.example"), try RelayURL("wss://a.example")]
                try await records.save(changed, of: alice)
                try demand(try await records.settings(of: alice), changed)
                try demand(try await records.settings(of: bob), SignerSettings())
                changed.protectedKinds = []
                changed.relays = []
                try await records.save(changed, of: alice)
                try demand(try await records.settings(of: alice), changed)
            },
            Rule("keeps one secret per account") { records, _ in
                try demand(try await records.secret(of: alice), nil)
                try await records.setSecret("first", of: alice)
                try await records.setSecret("second", of: alice)
                try await records.setSecret("bob's", of: bob)
                try demand(try await records.secret(of: alice), "second")
                try await records.setSecret(nil, of: alice)
                try demand(try await records.secret(of: alice), nil)
                try demand(try await records.secret(of: bob), "bob's")
            },
            Rule("forgets everything of one account, and nothing of another") { records, _ in
                for account in [alice, bob] {
                    try await records.save(client(of: account))
                    try await records.setSecret("secret", of: account)
                    var changed = SignerSettings()
                    changed.isPaused = true
                    try await records.save(changed, of: account)
                    try await records.note(line(of: account))
                }
                _ = try await records.admit(request(1))
                _ = try await records.admit(request(2, of: bob))
                try await records.removeAll(of: alice)
                try demand(try await records.clients(of: alice), [])
                try demand(try await records.secret(of: alice), nil)
                try demand(try await records.settings(of: alice), SignerSettings())
                try demand(try await records.activity(of: alice, ActivityQuery()), [])
                try demand(try await records.admit(request(1)), .new)
                try demand(try await records.clients(of: bob).count, 1)
                try demand(try await records.secret(of: bob), "secret")
                try demand(try await records.settings(of: bob).isPaused, true)
                try demand(try await records.activity(of: bob, ActivityQuery()).count, 1)
                try demand(try await records.unfinished(of: bob).count, 1)
            },
        ]
    }
}

extension SignerRecordsContract {
    private static var requests: [Rule] {
        [
            Rule("an id that is used again for another question is another request") { records, _ in
                try demand(try await records.admit(request(1, id: "1", digest: "first")), .new)
                try await records.settle(request(1, id: "1", digest: "first"), answer: "one", activity: line())
                try demand(try await records.admit(request(2, id: "1", digest: "second")), .new)
                try await records.settle(request(2, id: "1", digest: "second"), answer: "two", activity: line())
                try demand(try await records.admit(request(3, id: "1", digest: "first")), .answered("one"))
                try demand(try await records.admit(request(4, id: "1", digest: "second")), .answered("two"))
            },
            Rule("takes one request in once, by its event, and by its app's id with what it asks") { records, _ in
                try demand(try await records.admit(request(1, id: "a")), .new)
                try demand(try await records.admit(request(1, id: "a")), .underWay)
                try demand(try await records.admit(request(2, id: "a")), .underWay)
                try demand(try await records.admit(request(3, id: "a", app: davesApp)), .new)
                try demand(try await records.admit(request(4, id: "a", of: bob)), .new)
                try demand(try await records.admit(request(5, id: "A")), .new)
                try await records.settle(request(1, id: "a"), answer: "sealed", activity: line())
                try demand(try await records.admit(request(1, id: "a")), .answered("sealed"))
                try demand(try await records.admit(request(6, id: "a")), .answered("sealed"))
                try demand(try await records.admit(request(1, id: "another")), .answered("sealed"))
                try await records.settle(request(5, id: "A"), answer: nil, activity: line(.refused))
                try demand(try await records.admit(request(5, id: "A")), .answered(nil))
            },
            Rule("a request taken in unread is new once more when it can be read") { records, _ in
                let unread = request(1, id: "", nil)
                try demand(try await records.admit(unread), .new)
                try await records.wait(unread, why: .locked, activity: line(.waiting))
                try demand(try await records.admit(unread), .waiting)
                try demand(try await records.admit(request(2, id: "", nil)), .new)
                try demand(try await records.admit(request(1, id: "a")), .new)
                try demand(try await records.waiting(of: alice), [])
                try demand(try await records.admit(request(1, id: "a")), .underWay)
                try await records.settle(request(1, id: "a"), answer: "sealed", activity: line())
                let copy = request(3, id: "", nil)
                _ = try await records.admit(copy)
                try await records.wait(copy, why: .locked, activity: line(.waiting))
                try demand(try await records.admit(request(3, id: "a")), .answered("sealed"))
            },
            Rule("names what a crash left, as it came, oldest first") { records, _ in
                for number in [3, 1, 2] as [UInt64] { _ = try await records.admit(request(number)) }
                _ = try await records.admit(request(9, of: bob))
                try await records.settle(request(1), answer: "sealed", activity: line())
                try demand(
                    try await records.unfinished(of: alice),
                    [KeptRequest(request(3), rule: nil), KeptRequest(request(2), rule: nil)])
                var bare = request(4, nil)
                bare.relay = nil
                _ = try await records.admit(bare)
                try demand(try await records.unfinished(of: alice).last?.request, bare)
            },
            Rule("settling counts the request, notes the line and that the app was seen") { records, _ in
                try await records.save(client())
                _ = try await records.admit(request(1))
                try await records.settle(request(1), answer: "sealed", activity: line(at: 7))
                try demand(try await records.client(client().id)?.requests, 1)
                try demand(try await records.client(client().id)?.lastSeen, moment(7))
                try demand(try await records.activity(of: alice, ActivityQuery()).map(\.outcome), [.done])
                _ = try await records.admit(request(2, app: davesApp))
                try await records.settle(
                    request(2, app: davesApp), answer: nil, activity: line(.refused, app: davesApp))
                try demand(try await records.client(SignerClient.ID(app: davesApp, account: alice)), nil)
            },
            Rule("counts how often an app used the key since a moment") { records, _ in
                let asked: [(RemotePermission?, ActivityEntry.Outcome, Int64)] = [
                    (RemotePermission(.signEvent, kind: 1), .done, 10),
                    (RemotePermission(.signEvent, kind: 7), .done, 20),
                    (RemotePermission(.nip44Decrypt), .done, 30), (RemotePermission(.signEvent, kind: 1), .refused, 40),
                    (RemotePermission(.connect), .done, 50), (nil, .failed, 60),
                    (RemotePermission(.signEvent, kind: 1), .done, 70),
                ]
                for (number, (permission, outcome, time)) in asked.enumerated() {
                    let one = request(UInt64(number), permission)
                    _ = try await records.admit(one)
                    try await records.settle(one, answer: nil, activity: line(outcome, at: time))
                }
                let id = client().id
                func uses(_ permission: RemotePermission?, _ since: Int64) async throws -> Int {
                    try await records.uses(of: id, permission: permission, since: moment(since))
                }
                try demand(try await uses(nil, 0), 4)
                try demand(try await uses(nil, 20), 3)
                try demand(try await uses(RemotePermission(.signEvent, kind: 1), 0), 2)
                try demand(try await uses(RemotePermission(.signEvent), 0), 3)
                try demand(try await uses(RemotePermission(.signEvent, kind: 1), 71), 0)
                try demand(
                    try await records.uses(
                        of: SignerClient.ID(app: davesApp, account: alice), permission: nil, since: moment(0)), 0)
            },
            Rule("forgets settled requests, never those that wait or are under way") { records, _ in
                for number in 1...4 as ClosedRange<UInt64> { _ = try await records.admit(request(number)) }
                try await records.settle(request(1), answer: "one", activity: line(at: 10))
                try await records.settle(request(2), answer: "two", activity: line(at: 20))
                try await records.wait(request(3), why: .trust, activity: line(.waiting, at: 5))
                try await records.forgetRequests(before: moment(20))
                try demand(try await records.admit(request(2)), .answered("two"))
                try demand(try await records.admit(request(3)), .waiting)
                try demand(try await records.admit(request(4)), .underWay)
                try demand(try await records.admit(request(1)), .new)
            },
        ]
    }
}

extension SignerRecordsContract {
    private static var waiting: [Rule] {
        [
            Rule("lists what waits, as it came and why, oldest first, until it is settled") { records, _ in
                for number in [2, 1] as [UInt64] {
                    _ = try await records.admit(request(number))
                    try await records.wait(
                        request(number), why: number == 1 ? .protectedKind : .tooOften, activity: line(.waiting))
                }
                try demand(
                    try await records.waiting(of: alice),
                    [KeptRequest(request(2), rule: .tooOften), KeptRequest(request(1), rule: .protectedKind)])
                try demand(try await records.unfinished(of: alice), [])
                try demand(try await records.waiting(of: bob), [])
                try await records.settle(request(2), answer: nil, activity: line(.refused))
                try demand(try await records.waiting(of: alice).map(\.request.event), [eventID(1)])
            },
            Rule("keeps no more of what cannot be read than may wait") { records, _ in
                for number in 0..<UInt64(SignerRecordsLimits.waitingPerApp) {
                    try demand(try await records.admit(request(number, id: "", nil)), .new)
                }
                do {
                    _ = try await records.admit(request(500, id: "", nil))
                    try demand(true, false)
                } catch SignerRecordsError.tooManyWaiting {}
                try demand(try await records.admit(request(0, id: "", nil)), .underWay)
                try demand(try await records.admit(request(501)), .new)
                try demand(
                    try await records.unfinished(of: alice).count, SignerRecordsLimits.waitingPerApp + 1)
            },
            Rule("lets no app and no crowd of apps fill the queue") { records, _ in
                var number: UInt64 = 0
                func add(_ app: RequestingApp, of account: PublicKey = alice) async throws -> Bool {
                    number += 1
                    let one = request(number, app: app, of: account)
                    _ = try await records.admit(one)
                    do {
                        try await records.wait(one, why: .trust, activity: line(.waiting, app: app, of: account))
                        return true
                    } catch SignerRecordsError.tooManyWaiting {
                        return false
                    }
                }
                for _ in 0..<SignerRecordsLimits.waitingPerApp { try demand(try await add(carolsApp), true) }
                try demand(try await add(carolsApp), false)
                try demand(try await add(davesApp), true)
                try demand(try await add(carolsApp, of: bob), true)
                let again = request(1)
                try await records.wait(again, why: .paused, activity: line(.waiting))
                for other in (SignerRecordsLimits.waitingPerApp + 1)..<SignerRecordsLimits.waiting {
                    try demand(try await add(.link("app\(other):")), true)
                }
                try demand(try await add(.link("late:")), false)
                try demand(try await records.waiting(of: alice).count, SignerRecordsLimits.waiting)
            },
        ]
    }

    private static var log: [Rule] {
        [
            Rule("gives the log back newest first, page by page, with what was noted") { records, _ in
                for number in 0..<5 as Range<Int64> {
                    try await records.note(line(at: 100 - number, summary: "line \(number)"))
                }
                try await records.note(line(of: bob))
                let all = try await records.activity(of: alice, ActivityQuery())
                try demand(all.map { $0.fact?.text ?? "" }, (0..<5).reversed().map { "line \($0)" })
                var last = line(at: 96, summary: "line 4")
                last.id = all[0].id
                try demand(all[0], last)
                var page = ActivityQuery(limit: 2)
                page.before = all[1].id
                try demand(
                    try await records.activity(of: alice, page).map { $0.fact?.text ?? "" }, ["line 2", "line 1"])
            },
            Rule("finds lines by app, outcome, method, kind and words, letters of either case") { records, _ in
                try await records.note(line(summary: "Wrote a NOTE", error: nil))
                try await records.note(line(.refused, app: davesApp, summary: "", error: "user rejected 100%_"))
                try await records.note(line(.failed, method: "nip44_decrypt", kind: nil, summary: ""))
                func count(_ change: (inout ActivityQuery) -> Void) async throws -> Int {
                    var query = ActivityQuery()
                    change(&query)
                    return try await records.activity(of: alice, query).count
                }
                try demand(try await count { $0.app = davesApp }, 1)
                try demand(try await count { $0.outcome = .failed }, 1)
                try demand(try await count { $0.method = "sign_event" }, 2)
                try demand(try await count { $0.kind = 1 }, 2)
                try demand(try await count { $0.text = "a note" }, 1)
                try demand(try await count { $0.text = "REJECTED" }, 1)
                try demand(try await count { $0.text = "0%_" }, 1)
                try demand(try await count { $0.text = "%" }, 1)
                try demand(try await count { $0.text = "carol's APP" }, 3)
                try demand(try await count { $0.text = "decrypt" }, 1)
                try demand(
                    try await count {
                        $0.app = davesApp; $0.kind = 3
                    }, 0)
            },
            Rule("trims the log by age and by number, and leaves the others' alone") { records, _ in
                var others = line(at: 0, summary: "bob's")
                others.account = bob
                try await records.note(others)
                for number in 0..<10 as Range<Int64> { try await records.note(line(at: number, summary: "\(number)")) }
                try await records.trimActivity(of: alice, before: moment(4), keeping: 100)
                try demand(try await records.activity(of: alice, ActivityQuery()).map { $0.fact?.text ?? "" }.last, "4")
                try await records.trimActivity(of: alice, before: moment(0), keeping: 2)
                try demand(
                    try await records.activity(of: alice, ActivityQuery()).map { $0.fact?.text ?? "" }, ["9", "8"])
                try await records.note(line(summary: "new"))
                try demand(
                    try await records.activity(of: alice, ActivityQuery()).map { $0.fact?.text ?? "" },
                    ["new", "9", "8"])
                try demand(try await records.activity(of: bob, ActivityQuery()).map { $0.fact?.text ?? "" }, ["bob's"])
            },
        ]
    }
}
