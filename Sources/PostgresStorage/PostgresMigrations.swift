internal import NostrStore

/// The tables of a push registry, in the order they came; only ever added to.
let pushMigrations = [
    [
        """
        CREATE TABLE push_device (
            signer bytea NOT NULL,
            identity text NOT NULL,
            key bytea NOT NULL,
            secret bytea NOT NULL,
            seen bigint NOT NULL,
            PRIMARY KEY (signer, identity))
        """,
        "CREATE INDEX push_device_identity ON push_device (identity)",
        "CREATE INDEX push_device_seen ON push_device (seen)",
        """
        CREATE TABLE push_pairing (
            signer bytea NOT NULL,
            client bytea NOT NULL,
            since bigint NOT NULL,
            PRIMARY KEY (signer, client))
        """,
        """
        CREATE TABLE push_pairing_relay (
            signer bytea NOT NULL,
            client bytea NOT NULL,
            relay text NOT NULL,
            PRIMARY KEY (signer, client, relay),
            FOREIGN KEY (signer, client) REFERENCES push_pairing ON DELETE CASCADE)
        """,
        "CREATE INDEX push_pairing_relay_relay ON push_pairing_relay (relay, signer)",
        """
        CREATE TABLE push_claim (
            purpose smallint NOT NULL,
            id bytea NOT NULL,
            expiry bigint NOT NULL,
            claimant bigint NOT NULL,
            PRIMARY KEY (purpose, id))
        """,
        "CREATE INDEX push_claim_expiry ON push_claim (expiry)",
        "CREATE TABLE push_revision (number bigint NOT NULL)",
        "INSERT INTO push_revision VALUES (0)",
    ],
    [
        // A PushNetworkID; none for pairings of before.
        "ALTER TABLE push_pairing ADD COLUMN network integer",
        """
        CREATE TABLE push_delivery (
            relay text NOT NULL PRIMARY KEY,
            first bigint NOT NULL,
            last bigint NOT NULL)
        """,
    ],
]

extension PostgresSession {
    /// Brings the database to this version's tables; programs that start together take turns.
    ///
    /// - Throws: ``/NostrStore/StoreError`` when a newer version was here.
    func migrate() throws {
        try transaction {
            // Our own number; everybody who locks it is a Linnet.
            try run("SELECT pg_advisory_xact_lock(7809634519)")
            try run("CREATE TABLE IF NOT EXISTS push_schema (version integer NOT NULL)")
            let found = try run("SELECT version FROM push_schema")
            let version = found.count == 0 ? 0 : Int(found.int(0, 0))
            guard version <= pushMigrations.count else {
                throw StoreError(.tooNew)
            }
            guard version < pushMigrations.count else { return }
            for statement in pushMigrations[version...].joined() { try run(statement) }
            try run("DELETE FROM push_schema")
            try run("INSERT INTO push_schema VALUES ($1)", .int(Int64(pushMigrations.count)))
        }
    }
}
