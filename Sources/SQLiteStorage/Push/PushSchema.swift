internal import GRDB

/// The tables of a push registry, in the order they came.
///
/// Migrations are only ever added.
func pushMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("push registry") { try $0.execute(sql: devicesAndPairings) }
    migrator.registerMigration("networks and deliveries") { try $0.execute(sql: networksAndDeliveries) }
    return migrator
}

private let devicesAndPairings = """
    CREATE TABLE device (
        signer BLOB NOT NULL,
        identity TEXT NOT NULL,
        -- Empty for Apple's devices, whose token is in the identity.
        key BLOB NOT NULL,
        secret BLOB NOT NULL,
        seen INTEGER NOT NULL,
        PRIMARY KEY (signer, identity)
    ) WITHOUT ROWID;
    CREATE INDEX device_identity ON device (identity);
    CREATE INDEX device_seen ON device (seen);
    CREATE TABLE pairing (
        signer BLOB NOT NULL,
        client BLOB NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (signer, client)
    ) WITHOUT ROWID;
    CREATE TABLE pairing_relay (
        signer BLOB NOT NULL,
        client BLOB NOT NULL,
        relay TEXT NOT NULL,
        PRIMARY KEY (signer, client, relay)
    ) WITHOUT ROWID;
    CREATE INDEX pairing_relay_relay ON pairing_relay (relay, signer);
    CREATE TABLE claim (
        purpose INTEGER NOT NULL,
        id BLOB NOT NULL,
        expiry INTEGER NOT NULL,
        PRIMARY KEY (purpose, id)
    ) WITHOUT ROWID;
    CREATE INDEX claim_expiry ON claim (expiry);
    CREATE TABLE revision (number INTEGER NOT NULL);
    INSERT INTO revision VALUES (0);
    """

private let networksAndDeliveries = """
    -- A PushNetworkID; none for pairings of before.
    ALTER TABLE pairing ADD COLUMN network INTEGER;
    CREATE TABLE delivery (
        relay TEXT NOT NULL PRIMARY KEY,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL
    ) WITHOUT ROWID;
    """
