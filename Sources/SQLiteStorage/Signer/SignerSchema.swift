internal import GRDB
internal import NostrSigner

/// The tables of a signer's records, in the order they came.
///
/// Migrations are only ever added.
func signerMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("signer") { db in
        try db.execute(sql: signerTables)
    }
    migrator.registerMigration("what is asked, and links without an app of their own") { db in
        try db.execute(sql: signerRequestDigest)
        try db.execute(sql: signerLinksForgotten)
        try keepRefusalsOfSites(db)
    }
    migrator.registerMigration("what is protected since") { db in
        let rows = ClientRows(db: db)
        for account in try rows.accounts() {
            for var client in try rows.all(of: account) where client.forgetGrantsOfLaterProtection() {
                try rows.save(client)
            }
        }
    }
    return migrator
}

/// Apps, requests, what was done with the key, and the log.
///
/// `request.state` is a ``StoredRequestState``; `request.raw` is emptied when the request is settled, `request.answer` is encrypted;
/// `request.id` is empty until the request could be read. Statements repeat the conditions of partial indexes.
/// `use` counts what was done with the key per second, so that an hour of any traffic is summed from at most 3600 rows per
/// permission. `activity` is only ever added to and trimmed; `activity.words` is what a search looks in, in lower case.
/// `flush` was written by earlier versions, to have something to flush.
private let signerTables = """
    CREATE TABLE client (
        account BLOB NOT NULL,
        app TEXT NOT NULL,
        connected INTEGER NOT NULL,
        last_seen INTEGER,
        requests INTEGER NOT NULL,
        choices TEXT NOT NULL,
        PRIMARY KEY (account, app)
    ) WITHOUT ROWID;

    CREATE TABLE settings (
        account BLOB PRIMARY KEY NOT NULL,
        settings TEXT,
        secret TEXT
    ) WITHOUT ROWID;

    CREATE TABLE request (
        number INTEGER PRIMARY KEY,
        event BLOB NOT NULL UNIQUE,
        account BLOB NOT NULL,
        app TEXT NOT NULL,
        id TEXT NOT NULL,
        permission TEXT,
        relay TEXT,
        received INTEGER NOT NULL,
        state INTEGER NOT NULL,
        settled INTEGER,
        rule TEXT,
        raw TEXT NOT NULL,
        answer TEXT
    );
    CREATE INDEX request_by_id ON request (account, app, id) WHERE id <> '';
    CREATE INDEX request_open ON request (account, state) WHERE state <> 2;
    CREATE INDEX request_settled ON request (settled) WHERE state = 2;

    CREATE TABLE use (
        account BLOB NOT NULL,
        app TEXT NOT NULL,
        permission TEXT NOT NULL,
        at INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (account, app, permission, at)
    ) WITHOUT ROWID;

    CREATE TABLE activity (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        time INTEGER NOT NULL,
        account BLOB NOT NULL,
        app TEXT NOT NULL,
        title TEXT NOT NULL,
        method TEXT NOT NULL,
        kind INTEGER,
        peer BLOB,
        outcome TEXT NOT NULL,
        rule TEXT NOT NULL,
        result BLOB,
        summary TEXT NOT NULL,
        error TEXT,
        words TEXT NOT NULL
    );
    CREATE INDEX activity_by_account ON activity (account);
    CREATE INDEX activity_by_app ON activity (account, app);
    CREATE INDEX activity_by_time ON activity (time);
    CREATE TRIGGER activity_is_append_only BEFORE UPDATE ON activity
    BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;

    CREATE TABLE flush (count INTEGER NOT NULL);
    INSERT INTO flush VALUES (0);
    """

/// What a request asks, in short: an id alone names no request, since apps count theirs anew.
///
/// Requests of before have none, and are found by their events alone.
private let signerRequestDigest = """
    ALTER TABLE request ADD COLUMN digest TEXT NOT NULL DEFAULT '';
    DROP INDEX request_by_id;
    CREATE INDEX request_by_id ON request (account, app, id, digest) WHERE id <> '';
    """

/// Choices that were kept for links without a callback, which come from nobody in particular: each is asked about.
private let signerLinksForgotten = """
    DELETE FROM client WHERE app = 'link:clipboard:';
    DELETE FROM request WHERE app = 'link:clipboard:' AND state <> 2;
    DELETE FROM use WHERE app = 'link:clipboard:';
    """

/// Choices were kept for whole sites, where programs of several people may live; apps have a path behind the host by now.
///
/// Each is asked about again, except what was refused: that is refused to the whole site still, until the person unpairs it.
private func keepRefusalsOfSites(_ db: Database) throws {
    let rows = ClientRows(db: db)
    for account in try rows.accounts() {
        for var client in try rows.all(of: account) where client.app.isWholeSite {
            client.grants.removeAll { $0.verdict != .refuse }
            client.requested = []
            client.trust = .low
            if client.grants.isEmpty { try rows.remove(client.id) } else { try rows.save(client) }
        }
    }
}
