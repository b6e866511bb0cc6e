internal import GRDB

/// The tables of groups, in the order they came.
///
/// Names are blinded and values sealed, so a file without its key tells how many groups there are, how often they
/// changed, and how large they are. Migrations are only ever added.
func mlsMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("mls") { db in
        try db.execute(
            sql: """
                CREATE TABLE mls_group (
                    name TEXT NOT NULL PRIMARY KEY,
                    id BLOB NOT NULL,
                    revision INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE mls_part (
                    owner TEXT NOT NULL,
                    name TEXT NOT NULL,
                    value BLOB NOT NULL,
                    PRIMARY KEY (owner, name)
                );
                -- Key packages and pre-shared keys.
                CREATE TABLE mls_key (
                    kind INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    value BLOB NOT NULL,
                    PRIMARY KEY (kind, name)
                );
                """)
    }
    return migrator
}
