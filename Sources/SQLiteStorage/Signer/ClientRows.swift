internal import GRDB
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// The rows of apps, and of what holds for all of them.
struct ClientRows {
    let db: Database

    private static let columns = "app, connected, last_seen, requests, choices"

    // MARK: - Apps

    /// All apps of an account, the one seen last first.
    func all(of account: PublicKey) throws -> [SignerClient] {
        let select = try HotStatement(
            db,
            """
            SELECT \(Self.columns) FROM client WHERE account = ? \
            ORDER BY coalesce(last_seen, connected) DESC, app
            """)
        defer { select.reset() }
        select.bind(blob: account.bytes, at: 1)
        var clients: [SignerClient] = []
        while try select.step() { clients.append(try Self.client(select, of: account)) }
        return clients
    }

    /// One app.
    func client(_ id: SignerClient.ID) throws -> SignerClient? {
        let select = try HotStatement(db, "SELECT \(Self.columns) FROM client WHERE account = ? AND app = ?")
        defer { select.reset() }
        select.bind(blob: id.account.bytes, at: 1)
        select.bind(text: id.app.text, at: 2)
        return try select.step() ? try Self.client(select, of: id.account) : nil
    }

    /// Keeps an app as it is now.
    func save(_ client: SignerClient) throws {
        let row = try HotStatement(db, "INSERT OR REPLACE INTO client VALUES (?, ?, ?, ?, ?, ?)")
        row.bind(blob: client.account.bytes, at: 1)
        row.bind(text: client.app.text, at: 2)
        row.bind(client.connected.seconds, at: 3)
        row.bind(client.lastSeen?.seconds, at: 4)
        row.bind(Int64(client.requests), at: 5)
        row.bind(text: client.choices.text, at: 6)
        try row.run()
    }

    /// Notes that an app asked; an app that is not paired is not noted.
    func saw(_ id: SignerClient.ID, at moment: Timestamp) throws {
        let row = try HotStatement(
            db, "UPDATE client SET last_seen = ?, requests = requests + 1 WHERE account = ? AND app = ?")
        row.bind(moment.seconds, at: 1)
        row.bind(blob: id.account.bytes, at: 2)
        row.bind(text: id.app.text, at: 3)
        try row.run()
    }

    /// Forgets an app.
    func remove(_ id: SignerClient.ID) throws {
        let row = try HotStatement(db, "DELETE FROM client WHERE account = ? AND app = ?")
        row.bind(blob: id.account.bytes, at: 1)
        row.bind(text: id.app.text, at: 2)
        try row.run()
    }

    private static func client(_ row: HotStatement, of account: PublicKey) throws -> SignerClient {
        guard let app = RequestingApp(row.string(0)) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        var client = SignerClient(app: app, account: account, connected: Timestamp(seconds: row.int(1)))
        client.lastSeen = row.isNull(2) ? nil : Timestamp(seconds: row.int(2))
        client.requests = Int(row.int(3))
        guard client.read(choices: row.blob(4)) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return client
    }

    // MARK: - All apps

    /// What holds for all apps; `nil` where nothing was set.
    func settings(of account: PublicKey) throws -> SignerSettings? {
        let select = try HotStatement(db, "SELECT settings FROM settings WHERE account = ?")
        defer { select.reset() }
        select.bind(blob: account.bytes, at: 1)
        guard try select.step(), !select.isNull(0) else { return nil }
        guard let settings = SignerSettings(kept: select.blob(0)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return settings
    }

    /// Keeps settings.
    func save(_ settings: SignerSettings, of account: PublicKey) throws {
        let row = try HotStatement(
            db, "INSERT INTO settings (account, settings) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET settings = ?2")
        row.bind(blob: account.bytes, at: 1)
        row.bind(text: settings.kept.text, at: 2)
        try row.run()
    }

    /// The secret that lets the next app in.
    func secret(of account: PublicKey) throws -> String? {
        let select = try HotStatement(db, "SELECT secret FROM settings WHERE account = ?")
        defer { select.reset() }
        select.bind(blob: account.bytes, at: 1)
        return try select.step() ? select.text(0) : nil
    }

    /// Sets it.
    func setSecret(_ secret: String?, of account: PublicKey) throws {
        let row = try HotStatement(
            db, "INSERT INTO settings (account, secret) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET secret = ?2")
        row.bind(blob: account.bytes, at: 1)
        row.bind(text: secret, at: 2)
        try row.run()
    }

    /// The accounts of which anything is kept.
    func accounts() throws -> [PublicKey] {
        let select = try HotStatement(
            db,
            """
            SELECT account FROM client UNION SELECT account FROM settings UNION SELECT account FROM request \
            UNION SELECT account FROM activity ORDER BY account
            """)
        defer { select.reset() }
        var accounts: [PublicKey] = []
        while try select.step() { accounts.append(PublicKey(try select.bytes32(0))) }
        return accounts
    }

    /// Forgets everything of an account.
    func removeAll(of account: PublicKey) throws {
        for table in ["client", "settings", "request", "use", "activity"] {
            let row = try HotStatement(db, "DELETE FROM \(table) WHERE account = ?")
            row.bind(blob: account.bytes, at: 1)
            try row.run()
        }
    }
}
