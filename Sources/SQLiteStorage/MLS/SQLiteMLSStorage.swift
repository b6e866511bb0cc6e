internal import GRDB
public import MLS
public import NostrSigner
internal import NostrStore

/// The groups of one account in one SQLite file, encrypted with the account's own key.
///
/// A step is on the disk when a call returns. What it replaced is overwritten in the file, and the log that held it is
/// cut to nothing; what the disk itself keeps of old blocks is encrypted like everything else.
public final class SQLiteMLSStorage: MLSStorage {
    private enum Outcome: Sendable {
        case done
        case conflict
    }

    private let pool: DatabasePool
    private let writer: GroupCommit<Database, Outcome>
    private let key: SealingKey

    /// Opens the storage, or makes it when there is no file.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - key: what seals every value; another key than before finds nothing.
    ///   - options: how much memory and room it may take.
    /// - Throws: ``/NostrStore/StoreError``; a damaged or newer file is left untouched.
    public init(path: String, key: SealingKey, options: DatabaseOptions = DatabaseOptions()) throws {
        var options = options
        options.overwritesDeleted = true
        options.writerCache = min(options.writerCache, 1 << 20)
        self.key = key
        pool = try openDatabase(at: path, options: options, migrator: mlsMigrator())
        writer = GroupCommit(pool, begin: { $0 }, onDisk: emptyLog)
        // A program that was killed may have left a log with pages of the past.
        pool.writeWithoutTransaction(emptyLog)
    }

    /// Writes everything into the one file and lets go of it.
    ///
    /// - Throws: ``/NostrStore/StoreError``; nothing is lost even then.
    public func close() throws {
        do { try pool.close() } catch { throw storeError(error, file: pool.path) }
    }

    /// The ids of all groups.
    public func groups() async throws -> [[UInt8]] { try await read { try $0.groups() } }

    /// A group and the number of its last change.
    public func group(_ id: [UInt8]) async throws -> (saved: SavedGroup, revision: UInt64)? {
        try await read { rows in
            guard let revision = try rows.revision(of: id) else { return nil }
            return (SavedGroup(try rows.parts(of: id)), revision)
        }
    }

    /// The key packages of our own.
    public func keyPackages() async throws -> [KeyPackageRef] {
        try await read { try $0.keys(.keyPackage).map { KeyPackageRef($0.identity) } }
    }

    /// A key package with its private keys.
    public func keyPackage(_ reference: KeyPackageRef) async throws -> [UInt8]? {
        try await read { try $0.key(.keyPackage, reference.bytes) }
    }

    /// All external pre-shared keys, by id.
    public func preSharedKeys() async throws -> [[UInt8]: [UInt8]] {
        try await read { rows in
            Dictionary(try rows.keys(.preSharedKey).map { ($0.identity, $0.value) }) { first, _ in first }
        }
    }

    /// Makes all changes or none.
    ///
    /// - Throws: ``/MLS/MLSError`` with the code `conflict`, or ``/NostrStore/StoreError``.
    public func apply(_ changes: [StorageChange]) async throws {
        let key = key
        let outcome = try await writer.perform { db in
            let rows = MLSRows(db: db, key: key)
            // Before anything is written: others share the transaction, and this one must not leave a half.
            for (group, revision) in changes.compactMap(\.expectation) {
                guard try rows.revision(of: group) ?? 0 == revision else { return .conflict }
            }
            for change in changes { try rows.make(change) }
            return .done
        }
        guard outcome == .done else { throw MLSError.conflict }
    }

    /// Reads on the connection that writes: a reader beside it would keep the log from being emptied.
    private func read<T: Sendable>(_ body: @escaping @Sendable (MLSRows) throws -> T) async throws -> T {
        let key = key
        do {
            return try await pool.writeWithoutTransaction { db in try body(MLSRows(db: db, key: key)) }
        } catch {
            throw storeError(error, file: pool.path)
        }
    }
}

/// Moves the log into the file and cuts it to nothing.
///
/// Another program that reads just now may forbid it; then the next step does it.
private func emptyLog(_ db: Database) { _ = try? db.checkpoint(.truncate) }

extension MLSRows {
    fileprivate func make(_ change: StorageChange) throws {
        switch change {
        case .createGroup(let id, let saved):
            try setRevision(1, of: id)
            for (part, value) in saved.parts { try put(part, value, of: id) }
        case .updateGroup(let id, let revision, let put, let removed):
            try setRevision(revision + 1, of: id)
            for part in removed { try remove(part, of: id) }
            for (part, value) in put { try self.put(part, value, of: id) }
        case .removeGroup(let id): try remove(id)
        case .putKeyPackage(let reference, let bytes): try put(.keyPackage, reference.bytes, bytes)
        case .removeKeyPackage(let reference): try remove(.keyPackage, reference.bytes)
        case .putPreSharedKey(let id, let value): try put(.preSharedKey, id, value)
        case .removePreSharedKey(let id): try remove(.preSharedKey, id)
        }
    }
}
