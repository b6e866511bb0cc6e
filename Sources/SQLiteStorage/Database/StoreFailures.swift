internal import GRDB
internal import NostrStore

/// The plain meaning of a failure of SQLite.
func storeError(_ error: any Error, file: String) -> any Error {
    if error is CancellationError || error is StoreError { return error }
    guard let error = error as? DatabaseError else {
        return StoreError(.io, "The database \(file) could not be used.")
    }
    switch error.resultCode {
    case .SQLITE_FULL:
        return StoreError(
            .diskFull, "There is no room left for the database \(file). What it holds is safe; make room and try again."
        )
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
        return StoreError(.locked, "Another program keeps the database \(file) locked. Close it and try again.")
    case .SQLITE_INTERRUPT:
        // Only a cancelled task interrupts what it asked.
        return CancellationError()
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
        return readOnly(file)
    case .SQLITE_CANTOPEN:
        return StoreError(
            .io, "The database \(file) cannot be opened. Check that its folder exists and that you may write there.")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
        return corrupt(file)
    default:
        return StoreError(
            .io, "Reading or writing the database \(file) failed (SQLite code \(error.extendedResultCode.rawValue)).")
    }
}

func readOnly(_ file: String) -> StoreError {
    StoreError(
        .readOnly, "The database \(file) can only be read. Check who owns it and that its disk is not read-only.")
}

func corrupt(_ file: String) -> StoreError {
    StoreError(
        .corrupt,
        "The database \(file) is damaged or no database of Linnet. It was left as it is; move it away to start anew.")
}

func tooNew(_ file: String) -> StoreError {
    StoreError(.tooNew, "The database \(file) was written by a newer Linnet. Use that version, or a newer one.")
}
