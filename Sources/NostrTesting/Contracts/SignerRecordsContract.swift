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
                kept.readsLongForm = true
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
                changed.asksForPassphrase = true
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
