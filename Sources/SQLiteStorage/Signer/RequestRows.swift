internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// Where a request stands.
enum StoredRequestState: Int64 {
    case underWay = 0, waiting = 1, settled = 2
}

/// The rows of requests, and of what was done with the key.
struct RequestRows {
    let db: Database

    // MARK: - Taking in

    /// Takes a request in, unless it, or one of the same app with the same id, is here.
    ///
    /// One that was taken in unread is new once more when it can be read.
    ///
    /// - Returns: `nil`, and nothing is noted, for one that cannot be read when too many are open.
    func admit(_ request: AdmittedRequest, bounds: WaitingBounds) throws -> Admission? {
        if !request.id.isEmpty, let known = try known(as: request) { return known.admission }
        if let known = try known(event: request.event) {
            guard known.isUnread, !request.id.isEmpty, known.state != .settled else { return known.admission }
        }
        if request.id.isEmpty, try !hasRoom(for: request, beside: "state <> 2", bounds) { return nil }
        try put(request, .underWay)
        return .new
    }

    /// What is here of a request.
    private struct Known {
        let state: StoredRequestState
        let answer: String?
        let isUnread: Bool

        var admission: Admission {
            switch state {
            case .underWay: .underWay
            case .waiting: .waiting
            case .settled: .answered(answer)
            }
        }
    }

    private func known(event: EventID) throws -> Known? {
        let select = try HotStatement(db, "SELECT state, answer, id = '' FROM request WHERE event = ?")
        select.bind(blob: event.bytes, at: 1)
        return try known(select)
    }

    private func known(as request: AdmittedRequest) throws -> Known? {
        let select = try HotStatement(
            db,
            """
            SELECT state, answer, 0 FROM request WHERE account = ? AND app = ? AND id = ? AND id <> '' AND digest = ? \
            ORDER BY number DESC LIMIT 1
            """)
        select.bind(blob: request.account.bytes, at: 1)
        select.bind(text: request.app.text, at: 2)
        select.bind(text: request.id, at: 3)
        select.bind(text: request.digest, at: 4)
        return try known(select)
    }

    private func known(_ select: HotStatement) throws -> Known? {
        defer { select.reset() }
        guard try select.step() else { return nil }
        guard let state = StoredRequestState(rawValue: select.int(0)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return Known(state: state, answer: select.text(1), isUnread: select.int(2) != 0)
    }

    /// Keeps a request as it is now; one that is here keeps its place.
    private func put(
        _ request: AdmittedRequest, _ state: StoredRequestState, rule: Rule? = nil, settled: Timestamp? = nil,
        answer: String? = nil
    ) throws {
        let row = try HotStatement(
            db,
            """
            INSERT INTO request \
            (event, account, app, id, permission, relay, received, state, settled, rule, raw, answer, digest) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT (event) DO UPDATE \
            SET id = ?4, permission = ?5, state = ?8, settled = ?9, rule = ?10, raw = ?11, answer = ?12, digest = ?13
            """)
        row.bind(blob: request.event.bytes, at: 1)
        row.bind(blob: request.account.bytes, at: 2)
        row.bind(text: request.app.text, at: 3)
        row.bind(text: request.id, at: 4)
        row.bind(text: request.permission?.text, at: 5)
        row.bind(text: request.relay?.text, at: 6)
        row.bind(request.received.seconds, at: 7)
        row.bind(state.rawValue, at: 8)
        row.bind(settled?.seconds, at: 9)
        row.bind(text: rule?.rawValue, at: 10)
        row.bind(text: state == .settled ? "" : request.raw, at: 11)
        row.bind(text: answer, at: 12)
        row.bind(text: request.digest, at: 13)
        try row.run()
    }

    // MARK: - Going on

    /// Notes the answer.
    func settle(_ request: AdmittedRequest, answer: String?, at moment: Timestamp) throws {
        // What it asks is in an index, which is left alone where the request is here as it was admitted.
        let row = try HotStatement(
            db,
            """
            UPDATE request SET state = 2, settled = ?, rule = NULL, raw = '', answer = ? \
            WHERE event = ? AND id = ? AND digest = ? AND permission IS ?
            """)
        row.bind(moment.seconds, at: 1)
        row.bind(text: answer, at: 2)
        row.bind(blob: request.event.bytes, at: 3)
        row.bind(text: request.id, at: 4)
        row.bind(text: request.digest, at: 5)
        row.bind(text: request.permission?.text, at: 6)
        try row.run()
        if db.changesCount == 0 { try put(request, .settled, settled: moment, answer: answer) }
    }

    /// Notes that a request waits; `false`, and nothing noted, when too many do.
    func wait(_ request: AdmittedRequest, why rule: Rule, bounds: WaitingBounds) throws -> Bool {
        guard try hasRoom(for: request, beside: "state = 1 AND state <> 2", bounds) else { return false }
        try put(request, .waiting, rule: rule)
        return true
    }

    /// Whether one more may wait beside others that meet a condition.
    private func hasRoom(
        for request: AdmittedRequest, beside condition: String, _ bounds: WaitingBounds
    ) throws -> Bool {
        let count = try HotStatement(
            db,
            """
            SELECT count(*), coalesce(sum(app = ?), 0) FROM request WHERE account = ? AND \(condition) AND event <> ?
            """)
        count.bind(text: request.app.text, at: 1)
        count.bind(blob: request.account.bytes, at: 2)
        count.bind(blob: request.event.bytes, at: 3)
        _ = try count.step()
        let (all, ofApp) = (Int(count.int(0)), Int(count.int(1)))
        count.reset()
        return all < bounds.together && ofApp < bounds.perApp
    }

    /// Requests in a state, oldest first.
    func kept(of account: PublicKey, _ state: StoredRequestState) throws -> [KeptRequest] {
        let select = try HotStatement(
            db,
            """
            SELECT event, app, id, permission, relay, received, rule, raw, digest FROM request \
            WHERE account = ? AND state = ? AND state <> 2 ORDER BY number
            """)
        defer { select.reset() }
        select.bind(blob: account.bytes, at: 1)
        select.bind(state.rawValue, at: 2)
        var kept: [KeptRequest] = []
        while try select.step() { kept.append(try Self.kept(select, account: account)) }
        return kept
    }

    private static func kept(_ row: HotStatement, account: PublicKey) throws -> KeptRequest {
        guard let app = RequestingApp(row.string(1)) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let request = AdmittedRequest(
            event: EventID(try row.bytes32(0)), account: account, app: app, id: row.string(2), digest: row.string(8),
            permission: row.text(3).flatMap { RemotePermission($0) },
            raw: row.string(7),
            // What is here was an address when it came.
            relay: row.text(4).flatMap { try? RelayURL($0) }, received: Timestamp(seconds: row.int(5)))
        return KeptRequest(request, rule: row.text(6).flatMap(Rule.init(rawValue:)))
    }

    // MARK: - Forgetting

    /// Forgets what was settled before a moment, and what was done an hour before it.
    func forget(before moment: Timestamp) throws {
        let requests = try HotStatement(db, "DELETE FROM request WHERE state = 2 AND settled < ?")
        requests.bind(moment.seconds, at: 1)
        try requests.run()
        let uses = try HotStatement(db, "DELETE FROM use WHERE at < ?")
        uses.bind((moment - .seconds(3600)).seconds, at: 1)
        try uses.run()
    }

    /// Forgets an app's open requests and what it did.
    func forget(_ id: SignerClient.ID) throws {
        for sql in [
            "DELETE FROM request WHERE account = ? AND state <> 2 AND app = ?",
            "DELETE FROM use WHERE account = ? AND app = ?",
        ] {
            let row = try HotStatement(db, sql)
            row.bind(blob: id.account.bytes, at: 1)
            row.bind(text: id.app.text, at: 2)
            try row.run()
        }
    }

    // MARK: - Counting

    /// Counts that the key was used.
    func count(_ permission: RemotePermission, by id: SignerClient.ID, at moment: Timestamp) throws {
        let row = try HotStatement(
            db, "INSERT INTO use VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1")
        row.bind(blob: id.account.bytes, at: 1)
        row.bind(text: id.app.text, at: 2)
        row.bind(text: permission.text, at: 3)
        row.bind(moment.seconds, at: 4)
        try row.run()
    }

    /// How often the key was used since a moment.
    func uses(of id: SignerClient.ID, permission: RemotePermission?, since moment: Timestamp) throws -> Int {
        let select = try HotStatement(
            db, "SELECT permission, sum(count) FROM use WHERE account = ? AND app = ? AND at >= ? GROUP BY permission")
        defer { select.reset() }
        select.bind(blob: id.account.bytes, at: 1)
        select.bind(text: id.app.text, at: 2)
        select.bind(moment.seconds, at: 3)
        var sum = 0
        while try select.step() {
            let used = RemotePermission(select.string(0))
            let counts = permission.map { wanted in used.map(wanted.covers) ?? false } ?? true
            if counts { sum += Int(select.int(1)) }
        }
        return sum
    }
}

/// How many requests may wait.
struct WaitingBounds: Sendable {
    /// Of one app.
    var perApp: Int
    /// Of all apps of an account.
    var together: Int
}
