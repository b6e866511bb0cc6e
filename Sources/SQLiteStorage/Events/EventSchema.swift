internal import GRDB

/// The tables of the event store, in the order they came.
///
/// Migrations are only ever added, and each does for ever what it did first: they make and change tables, and leave what
/// today's code reads and writes to what runs after them, such as ``fillProfileIndex(in:)``.
func eventMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("events") { db in
        try db.execute(sql: eventTables)
    }
    migrator.registerMigration("search") { db in
        try db.execute(sql: searchTable)
    }
    migrator.registerMigration("versions") { db in
        try db.execute(sql: versionTables)
    }
    migrator.registerMigration("authors by kind") { db in
        try db.execute(sql: authorsByKind)
    }
    migrator.registerMigration("search for people") { db in
        try db.execute(sql: profileSearchTable)
    }
    return migrator
}

/// `event.key` is an ``EventKey``; `author` and `relay` number keys and addresses, which are long and repeat.
///
/// The indexes on `event` end in `key`, so each is in time order. `tag` holds one-letter tags only (NIP-01); a value of
/// 64 hex digits is a blob of 32 bytes, any other text, cut to what ``TagIndexEntry`` allows. `address` points to the newest
/// version of what is replaceable; `deleted_*` remember deletion requests, also for what has not come yet.
private let eventTables = """
    CREATE TABLE author (number INTEGER PRIMARY KEY, pubkey BLOB NOT NULL UNIQUE);
    CREATE TABLE relay (number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE);

    CREATE TABLE event (
        key INTEGER PRIMARY KEY,
        id BLOB NOT NULL UNIQUE,
        author INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        tags BLOB NOT NULL,
        content TEXT NOT NULL,
        signature BLOB NOT NULL
    );
    CREATE INDEX event_by_author_and_kind ON event (author, kind);
    CREATE INDEX event_by_author ON event (author);
    CREATE INDEX event_by_kind ON event (kind);
    CREATE INDEX event_by_expiration ON event (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE tag (
        letter INTEGER NOT NULL,
        value NOT NULL,
        key INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        author INTEGER NOT NULL,
        PRIMARY KEY (letter, value, key)
    ) WITHOUT ROWID;

    CREATE TABLE address (
        author INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        identifier TEXT NOT NULL,
        key INTEGER NOT NULL,
        PRIMARY KEY (author, kind, identifier)
    ) WITHOUT ROWID;

    CREATE TABLE deleted_event (
        id BLOB NOT NULL,
        author INTEGER NOT NULL,
        PRIMARY KEY (id, author)
    ) WITHOUT ROWID;

    CREATE TABLE deleted_address (
        author INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        identifier TEXT NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (author, kind, identifier)
    ) WITHOUT ROWID;

    CREATE TABLE seen (
        key INTEGER NOT NULL,
        relay INTEGER NOT NULL,
        PRIMARY KEY (key, relay)
    ) WITHOUT ROWID;
    """

/// An index of words without the text: the words are folded by NostrStore, so the tokenizer only splits at spaces, and
/// rows are numbered by event key, so that a search streams newest first.
private let searchTable = """
    CREATE VIRTUAL TABLE search USING fts5(words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
    """

/// The words of profiles once more: few match among many, and finding them in ``searchTable`` would walk through every
/// note that holds one of the words.
///
/// ``fillProfileIndex(in:)`` puts in what is here already.
private let profileSearchTable = """
    CREATE VIRTUAL TABLE profile_search USING
        fts5(words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
    """

/// Every version of what the versioned authors replaced, also the one in force, apart from `event`, whose indexes are for
/// what is in force.
private let versionTables = """
    CREATE TABLE versioned_author (author INTEGER PRIMARY KEY);

    CREATE TABLE version (
        id BLOB NOT NULL PRIMARY KEY,
        author INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        identifier TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        tags BLOB NOT NULL,
        content TEXT NOT NULL,
        signature BLOB NOT NULL
    );
    CREATE INDEX version_by_address ON version (author, kind, identifier, created_at);
    CREATE INDEX version_by_expiration ON version (expires_at) WHERE expires_at IS NOT NULL;
    """

/// Names the author in the index of kinds, so that the notes of many people are found among those of strangers without
/// reading either.
private let authorsByKind = """
    DROP INDEX event_by_kind;
    CREATE INDEX event_by_kind ON event (kind, key, author);
    """
