internal import GRDB

/// What SQLite finds wrong in a whole file; empty when it is sound.
///
/// Reads everything: for tests and repairs.
func integrityProblems(_ database: OpenDatabase) async throws -> [String] {
    let lines = try await database.read { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
    }
    return lines == ["ok"] ? [] : lines
}
