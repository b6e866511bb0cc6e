internal import GRDB
internal import NostrCore

/// Which words the index of profiles holds; to be raised when ``PendingSearchRows`` writes others for the same profile.
///
/// The file keeps it as its `user_version`, which nothing else uses: 0 in files of before, filled or not.
private let profileIndexVersion = 1

/// Fills the index of profiles with those that are here, unless it holds the words of this version already.
///
/// No migration does this. It reads events and chooses words as the program does today, and must write what a later
/// removal will take out again; a migration that called the same code would change whenever that does.
func fillProfileIndex(in db: Database) throws {
    guard try !isProfileIndexFilled(in: db) else { return }
    try db.inTransaction(.immediate) {
        // Another program may have filled it while this one waited.
        guard try !isProfileIndexFilled(in: db) else { return .rollback }
        try db.execute(sql: "INSERT INTO profile_search (profile_search) VALUES ('delete-all')")
        for key in try profileKeys(in: db) {
            guard let profile = try storedEvent(at: key, in: db) else { continue }
            try PendingSearchRows.insertProfile(profile, at: key, in: db)
        }
        try db.execute(sql: "PRAGMA user_version = \(profileIndexVersion)")
        return .commit
    }
}

/// A file of a newer version counts as not filled, too: what it holds could not be taken out again by this one.
private func isProfileIndexFilled(in db: Database) throws -> Bool {
    try Int.fetchOne(db, sql: "PRAGMA user_version") == profileIndexVersion
}

private func profileKeys(in db: Database) throws -> [EventKey] {
    let select = try HotStatement(db, "SELECT key FROM event WHERE kind = ? ORDER BY key")
    defer { select.reset() }
    select.bind(Int64(profileKind.rawValue), at: 1)
    var keys: [EventKey] = []
    while try select.step() { keys.append(EventKey(rowID: select.int(0))) }
    return keys
}
