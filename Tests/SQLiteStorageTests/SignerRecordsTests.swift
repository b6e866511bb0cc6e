import Foundation
import GRDB
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite("A signer's records in SQLite", .timeLimit(.minutes(10)))
struct SignerRecordsTests {
    private let account = TestPerson.alice.publicKey
    private let app = RequestingApp.remote(TestPerson.bob.publicKey)

    private func request(_ number: Int, permission: RemotePermission? = RemotePermission(.signEvent, kind: 1))
        -> AdmittedRequest
    {
        AdmittedRequest(
            event: TestPerson.bob.event("request \(number)").id, account: account, app: app, id: "\(number)",
            digest: "asked", permission: permission, raw: "sealed \(number)",
            relay: try? RelayURL("wss://relay.example.com"),
            received: Timestamp(seconds: 1000 + Int64(number)))
    }

    private func line(
        _ request: AdmittedRequest, _ outcome: ActivityEntry.Outcome = .done, title: String = "Ána's App",
        at moment: Int64? = nil
    ) -> ActivityEntry {
        ActivityEntry(
            time: moment.map(Timestamp.init(seconds:)) ?? request.received, account: account, app: app, title: title,
            method: "sign_event", kind: 1, peer: TestPerson.carol.publicKey, outcome: outcome, rule: .trust,
            result: request.event, fact: .signed(.event(1, .plain)), error: nil)
    }

    @Test("SQLite records", arguments: SignerRecordsContract.rules)
    func keeps(rule: SignerRecordsContract.Rule) async throws {
        let folder = try TemporaryFolder()
        try await rule.check { _ in try SQLiteSignerRecords(path: folder.file("signer.sqlite")) }
    }

    @Test("everything is there after the file was closed and opened again")
    func reopens() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("signer.sqlite")
        let first = try SQLiteSignerRecords(path: path)
        var client = SignerClient(app: app, account: account, connected: Timestamp(seconds: 5))
        client.claims = ClientMetadata(name: "Bob's \"app\"", url: "https://app.example.com")
        client.name = "Bob"
        client.trust = .low
        client.grants = [
            Grant(
                RemotePermission(.signEvent, kind: 7), .refuse, expires: Timestamp(seconds: 9), made: client.connected),
            Grant(RemotePermission(.nip44Decrypt), .ask, perHour: 3, made: client.connected),
        ]
        client.requested = [RemotePermission(.ping), RemotePermission(.signEvent)]
        client.relays = [try RelayURL("wss://relay.example.com")]
        client.perHour = 60
        client.hours = DayHours(from: 60, until: 30)
        client.answersAck = true
        try await first.save(client)
        var settings = SignerSettings()
        settings.isPaused = true
        settings.relays = client.relays
        try await first.save(settings, of: account)
        try await first.setSecret("let me in", of: account)
        let requests = (0..<3).map { request($0) }
        for request in requests { #expect(try await first.admit(request) == .new) }
        try await first.settle(requests[0], answer: "sealed answer", activity: line(requests[0]))
        try await first.wait(requests[1], why: .protectedKind, activity: line(requests[1], .waiting))
        try first.close()

        let second = try SQLiteSignerRecords(path: path)
        client.lastSeen = requests[0].received
        client.requests = 1
        #expect(try await second.clients(of: account) == [client])
        #expect(try await second.settings(of: account) == settings)
        #expect(try await second.settings(of: TestPerson.carol.publicKey) == SignerSettings())
        #expect(try await second.secret(of: account) == "let me in")
        #expect(try await second.admit(requests[0]) == .answered("sealed answer"))
        #expect(try await second.waiting(of: account) == [KeptRequest(requests[1], rule: .protectedKind)])
        #expect(try await second.unfinished(of: account) == [KeptRequest(requests[2], rule: nil)])
        #expect(try await second.activity(of: account, ActivityQuery()).map(\.outcome) == [.waiting, .done])
        #expect(try await second.integrityProblems() == [])
    }

    @Test("what an older version kept of links that are nobody's, and of whole sites, is forgotten but for refusals")
    func forgetsOldLinks() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("signer.sqlite")
        let first = try SQLiteSignerRecords(path: path)
        let origins = [
            "clipboard:", "https://site.example", "https://site.example:8443", "https://site.example/cb", "app:",
        ]
        for origin in origins {
            let link = try #require(RequestingApp("link:" + origin))
            var client = SignerClient(app: link, account: account, connected: Timestamp(seconds: 5))
            client.trust = .full
            client.grants = [Grant(RemotePermission(.signEvent, kind: 1), .allow, made: Timestamp(seconds: 5))]
            if origin.hasSuffix(":8443") {
                client.grants.append(Grant(RemotePermission(.nip44Decrypt), .refuse, made: Timestamp(seconds: 5)))
            }
            try await first.save(client)
        }
        // A seal was given with its pairing, and so was a note; settings were saved before seals were protected.
        var paired = SignerClient(app: app, account: account, connected: Timestamp(seconds: 6))
        paired.requested = [RemotePermission(.signEvent, kind: 13), RemotePermission(.signEvent, kind: 1)]
        paired.grants = paired.requested.map { Grant($0, .allow, made: paired.connected) }
        try await first.save(paired)
        try await first.save(SignerSettings(), of: account)
        _ = try await first.admit(request(1))
        try await first.settle(request(1), answer: "sealed", activity: line(request(1)))
        try first.close()
        try await DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    DROP INDEX request_by_id;
                    ALTER TABLE request DROP COLUMN digest;
                    CREATE INDEX request_by_id ON request (account, app, id) WHERE id <> '';
                    UPDATE settings SET settings = '{"paused":false,"protected":[3],"relays":[]}';
                    DELETE FROM grdb_migrations WHERE identifier <> 'signer';
                    """)
        }
        let second = try SQLiteSignerRecords(path: path)
        let site = RequestingApp.link("https://site.example:8443")
        let kept = try await second.clients(of: account).map(\.app)
        #expect(Set(kept) == [app, .link("https://site.example/cb"), .link("app:"), site])
        let refusals = try #require(try await second.client(SignerClient.ID(app: site, account: account)))
        #expect(refusals.trust == .low && refusals.grants.map(\.permission) == [RemotePermission(.nip44Decrypt)])
        #expect(
            try await second.client(SignerClient.ID(app: app, account: account))?.grants.map(\.permission.kind) == [1])
        var settings = try await second.settings(of: account)
        #expect(settings.protectedKinds == [3, 13, 62, 443, 30_443, 10_050, 10_051, 22_242, 27_235])
        // What its owner then says stays.
        settings.protectedKinds = [3]
        try await second.save(settings, of: account)
        #expect(try await second.settings(of: account).protectedKinds == [3])
        // The same event is the same request still; its id alone names none.
        #expect(try await second.admit(request(1)) == .answered("sealed"))
    }

    @Test("settling leaves the index of what is asked alone, unless the request is here otherwise than it was admitted")
    func settlesInPlace() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("signer.sqlite")
        let records = try SQLiteSignerRecords(path: path)
        let (same, read) = (request(1), request(2))
        var unread = read
        (unread.id, unread.digest, unread.permission) = ("", "", nil)
        for request in [same, unread] { #expect(try await records.admit(request) == .new) }
        try await DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER asked BEFORE UPDATE OF account, app, id, digest, event ON request
                    BEGIN SELECT raise(ABORT, 'what is asked is written'); END
                    """)
        }
        try await records.settle(same, answer: "sealed", activity: line(same))
        #expect(try await records.admit(same) == .answered("sealed"))
        // One that was taken in before it could be read has its id only now. SQLITE_CONSTRAINT_TRIGGER is 1811.
        await #expect(throws: StoreError(.io, file: path, detail: "1811")) {
            try await records.settle(read, answer: "sealed", activity: line(read))
        }
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "DROP TRIGGER asked") }
        try await records.settle(read, answer: "sealed too", activity: line(read))
        #expect(try await records.admit(read) == .answered("sealed too"))
        try records.close()
    }

    @Test("what was done is counted to the second and by what a permission covers")
    func uses() async throws {
        let folder = try TemporaryFolder()
        let records = try SQLiteSignerRecords(path: folder.file("signer.sqlite"))
        let permissions: [RemotePermission?] = [
            RemotePermission(.signEvent, kind: 1), RemotePermission(.signEvent, kind: 7), RemotePermission(.ping), nil,
            RemotePermission(.signEvent, kind: 1),
        ]
        for (number, permission) in permissions.enumerated() {
            let request = request(number, permission: permission)
            _ = try await records.admit(request)
            try await records.settle(request, answer: nil, activity: line(request))
        }
        let refused = request(9)
        _ = try await records.admit(refused)
        try await records.settle(refused, answer: nil, activity: line(refused, .refused))
        let id = SignerClient.ID(app: app, account: account)
        let table: [(RemotePermission?, Int64, Int)] = [
            (nil, 0, 3), (RemotePermission(.signEvent), 0, 3), (RemotePermission(.signEvent, kind: 1), 0, 2),
            (RemotePermission(.signEvent, kind: 1), 1004, 1), (nil, 1005, 0), (RemotePermission(.nip04Decrypt), 0, 0),
        ]
        for (permission, since, count) in table {
            let found = try await records.uses(of: id, permission: permission, since: Timestamp(seconds: since))
            #expect(found == count, "\(permission?.text ?? "all") since \(since)")
        }
    }

    @Test("the log is searched in letters of either case, of any alphabet, and is never rewritten")
    func log() async throws {
        let folder = try TemporaryFolder()
        let records = try SQLiteSignerRecords(path: folder.file("signer.sqlite"))
        for number in 0..<20 {
            let title = number % 5 == 0 ? "ÄPFEL & co" : "other"
            try await records.note(line(request(number), number % 2 == 0 ? .done : .refused, title: title))
        }
        var query = ActivityQuery(limit: 3)
        query.text = "äpfel"
        let found = try await records.activity(of: account, query)
        #expect(found.map(\.id) == [16, 11, 6])
        query.before = found.last?.id
        query.outcome = .done
        query.app = app
        query.method = "sign_event"
        query.kind = 1
        #expect(try await records.activity(of: account, query).map(\.id) == [1])
        query.app = .link("example:")
        #expect(try await records.activity(of: account, query) == [])

        try await records.trimActivity(of: account, before: Timestamp(seconds: 1002), keeping: 5)
        #expect(try await records.activity(of: account, ActivityQuery()).map(\.id) == [20, 19, 18, 17, 16])
        try await records.note(line(request(30)))
        #expect(try await records.activity(of: account, ActivityQuery(limit: 1)).map(\.id) == [21])
    }

    @Test("no more wait than may, of one app and of all")
    func bounds() async throws {
        let folder = try TemporaryFolder()
        let records = try SQLiteSignerRecords(path: folder.file("signer.sqlite"), waitingPerApp: 2, waiting: 3)
        for number in 0..<2 {
            try await records.wait(request(number), why: .trust, activity: line(request(number), .waiting))
        }
        // The same again is not one more.
        try await records.wait(request(1), why: .paused, activity: line(request(1), .waiting))
        await #expect(throws: SignerRecordsError.tooManyWaiting) {
            try await records.wait(request(2), why: .trust, activity: line(request(2), .waiting))
        }
        var others = (3..<5).map { request($0) }
        for index in others.indices { others[index].app = .link("app\(index):") }
        try await records.wait(others[0], why: .trust, activity: line(others[0], .waiting))
        await #expect(throws: SignerRecordsError.tooManyWaiting) {
            try await records.wait(others[1], why: .trust, activity: line(others[1], .waiting))
        }
        #expect(try await records.waiting(of: account).map(\.request.id) == ["0", "1", "3"])
    }

    @Test("a file that is no database of ours is left as it is", arguments: ["no database", ""])
    func strange(content: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("signer.sqlite")
        try Data(content.utf8).write(to: URL(filePath: path))
        let expected = StoreError(content.isEmpty ? .empty : .corrupt, file: path)
        #expect(throws: expected) { _ = try SQLiteSignerRecords(path: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(content.utf8))
    }

    @Test(
        "a signer killed at any moment has what it acknowledged, and leaves a sound file",
        arguments: [1, 2] as [UInt64])
    func survives(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("signer.sqlite")
        var random = SeededRandom(seed: seed)
        var latest: [String: String] = [:]
        for round in 0..<8 as Range<UInt64> {
            let lines = round == 0 ? 0 : Int.random(in: 0...400, using: &random)
            let output = try await WriterProcess.lines(
                of: ["--signer", path, "\(seed * 100 + round)"], killedAfter: lines)
            for line in output {
                let words = line.split(separator: " ").map(String.init)
                if words.count == 2 { latest[words[1]] = words[0] }
            }
            let records = try SQLiteSignerRecords(path: path)
            let waiting = Set(try await records.waiting(of: account).map(\.request.event.hex))
            var (wrong, settled) = (0, 0)
            for (id, step) in latest {
                var request = request(0)
                request.event = try EventID(hex: id)
                request.id = "unlike any other"
                switch step {
                case "settled":
                    settled += 1
                    if try await records.admit(request) != .answered("answer \(id)") { wrong += 1 }
                case "waiting": if !waiting.contains(id) { wrong += 1 }
                // A step may have been made and not been told of.
                default: if try await records.admit(request) == .new { wrong += 1 }
                }
            }
            #expect(wrong == 0, "seed \(seed), killed in round \(round) after \(lines) lines")
            let log = try await records.activity(of: account, ActivityQuery(limit: .max))
            #expect(log.count { $0.outcome == .done } >= settled)
            #expect(try await records.integrityProblems() == [])
            try records.close()
        }
        #expect(latest.count > 50)
    }
}
