internal import GRDB

/// What SQLite finds wrong in a whole file; empty when it is sound.
///
/// Reads everything: for tests and repairs.
func integrityProblems(_ pool: DatabasePool) async throws -> [String] {
    do {
        let lines = try await pool.read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check")
        }
        return lines == ["ok"] ? [] : lines
    } catch {
        throw storeError(error, file: pool.path)
    }
}
