internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

// What waits and what is logged, and whom the promises are tried with.
extension SignerRecordsContract {
    static var waiting: [Rule] {
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

    static var log: [Rule] {
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

extension SignerRecordsContract {
    static let alice = TestPerson.alice.publicKey
    static let bob = TestPerson.bob.publicKey
    static let carolsApp = RequestingApp.remote(TestPerson.carol.publicKey)
    static let davesApp = RequestingApp.remote(TestPerson.dave.publicKey)

    static func moment(_ seconds: Int64) -> Timestamp { Timestamp(seconds: start + seconds) }

    static func client(_ app: RequestingApp = carolsApp, of account: PublicKey = alice) -> SignerClient {
        SignerClient(app: app, account: account, connected: moment(0))
    }

    static func eventID(_ number: UInt64) -> EventID {
        TestPerson.carol.event("\(number)", kind: RemoteSigning.kind).id
    }

    static func request(
        _ number: UInt64, id: String? = nil, digest: String = "asked", app: RequestingApp = carolsApp,
        of account: PublicKey = alice, _ permission: RemotePermission? = RemotePermission(.signEvent, kind: 1)
    ) -> AdmittedRequest {
        AdmittedRequest(
            event: eventID(number), account: account, app: app, id: id ?? "request \(number)",
            digest: id == "" ? "" : digest, permission: permission, raw: "{\"number\":\(number)}",
            relay: try? RelayURL("wss://relay.example/\(number)"),
            received: moment(Int64(number)))
    }

    static func line(
        _ outcome: ActivityEntry.Outcome = .done, at seconds: Int64 = 1, app: RequestingApp = carolsApp,
        of account: PublicKey = alice, method: String = "sign_event", kind: Kind? = 1, summary: String = "Wrote a note",
        error: String? = nil
    ) -> ActivityEntry {
        ActivityEntry(
            time: moment(seconds), account: account, app: app, title: "Carol's app", method: method, kind: kind,
            peer: bob,
            outcome: outcome, rule: .trust, result: eventID(77), fact: summary.isEmpty ? nil : .words(summary),
            error: error
        )
    }
}
