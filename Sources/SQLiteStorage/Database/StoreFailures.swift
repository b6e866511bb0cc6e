internal import GRDB
internal import NostrStore

/// What a failure of SQLite means.
func storeError(_ error: any Error, file: String) -> any Error {
    if error is CancellationError || error is StoreError { return error }
    guard let error = error as? DatabaseError else { return StoreError(.io, file: file) }
    switch error.resultCode {
    case .SQLITE_FULL: return StoreError(.diskFull, file: file)
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: return StoreError(.locked, file: file)
    case .SQLITE_INTERRUPT:
        // Only a cancelled task, or the limit of a reading, interrupts what was asked.
        return CancellationError()
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: return StoreError(.readOnly, file: file)
    case .SQLITE_CANTOPEN: return StoreError(.cannotOpen, file: file)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return StoreError(.corrupt, file: file)
    default: return StoreError(.io, file: file, detail: "\(error.extendedResultCode.rawValue)")
    }
}
