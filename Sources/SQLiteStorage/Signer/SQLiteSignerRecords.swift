internal import GRDB
public import NostrCore
public import NostrNIPs
public import NostrSigner
internal import NostrStore

/// A signer's records in one SQLite file, for all accounts of a data directory.
///
/// What a person chose is on the disk when a call returns. Requests and the log outlive the program from the moment a call
/// returns, however it ends, and are on the disk within a second after; see `docs/decisions/0010-signer-records.md`.
public final class SQLiteSignerRecords: SignerRecords {
    private enum Outcome: Sendable {
        case done, tooManyWaiting
        case admitted(Admission)
    }

    private let database: OpenDatabase
    private let writer: GroupCommit<Database, Outcome>
    private let flush: DelayedFlush
    private let bounds: WaitingBounds
    private let defaults: SignerSettings

    /// Opens the records, or makes them when there is no file.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - defaults: what holds for accounts whose owner has said nothing.
    ///   - waitingPerApp: how many requests of one app may wait.
    ///   - waiting: how many requests of one account may wait.
    /// - Throws: ``/NostrStore/StoreError``; a damaged or newer file is left untouched.
    public init(
        path: String, defaults: SignerSettings = SignerSettings(),
        waitingPerApp: Int = SignerRecordsLimits.waitingPerApp,
        waiting: Int = SignerRecordsLimits.waiting
    ) throws {
        self.defaults = defaults
        // A woken signer is small, and so are these tables: the system's own cache is enough.
        var options = DatabaseOptions()
        options.writerCache = 1 << 20
        options.readerCache = 512 << 10
        options.readers = 2
        // A secret that was used, an app that was unpaired: gone is gone.
        options.overwritesDeleted = true
        do {
            let database = try openDatabase(at: path, options: options, migrator: signerMigrator())
            try database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
            let flush = DelayedFlush(database)
            self.database = database
            self.flush = flush
            writer = GroupCommit(database, begin: { $0 }, committed: { _ in flush.isDue() })
            bounds = WaitingBounds(perApp: waitingPerApp, together: waiting)
        } catch {
            throw storeError(error, file: path)
        }
    }

    // MARK: - Apps

    /// All apps of an account, the one seen last first.
    public func clients(of account: PublicKey) async throws -> [SignerClient] {
        try await read { try ClientRows(db: $0).all(of: account) }
    }

    /// One app.
    public func client(_ id: SignerClient.ID) async throws -> SignerClient? {
        try await read { try ClientRows(db: $0).client(id) }
    }

    /// Keeps an app as it is now.
    public func save(_ client: SignerClient) async throws {
        try await choose { try ClientRows(db: $0).save(client) }
    }

    /// Forgets an app with its choices and its waiting requests; its lines in the log stay.
    public func remove(_ id: SignerClient.ID) async throws {
        try await choose { db in
            try ClientRows(db: db).remove(id)
            try RequestRows(db: db).forget(id)
        }
    }

    // MARK: - Settings

    /// What holds for all apps of an account; the defaults where nothing was set.
    public func settings(of account: PublicKey) async throws -> SignerSettings {
        try await read { try ClientRows(db: $0).settings(of: account) } ?? defaults
    }

    /// Keeps settings.
    public func save(_ settings: SignerSettings, of account: PublicKey) async throws {
        try await choose { try ClientRows(db: $0).save(settings, of: account) }
    }

    /// The secret that lets the next app in, sealed by the account's own key; `nil` when there is none.
    public func secret(of account: PublicKey) async throws -> String? {
        try await read { try ClientRows(db: $0).secret(of: account) }
    }

    /// Sets it.
    public func setSecret(_ secret: String?, of account: PublicKey) async throws {
        try await choose { try ClientRows(db: $0).setSecret(secret, of: account) }
    }

    // MARK: - Requests

    /// Takes in one request, once: tells whether it is new or what became of it before.
    ///
    /// - Throws: ``/NostrSigner/SignerRecordsError``.
    public func admit(_ request: AdmittedRequest) async throws -> Admission {
        let outcome = try await perform { [bounds] db in
            try RequestRows(db: db).admit(request, bounds: bounds).map(Outcome.admitted) ?? .tooManyWaiting
        }
        guard case .admitted(let admission) = outcome else { throw SignerRecordsError.tooManyWaiting }
        return admission
    }

    /// Notes the answer of an admitted request, its line in the log and that the app was seen, in one step.
    public func settle(_ request: AdmittedRequest, answer: String?, activity: ActivityEntry) async throws {
        _ = try await perform { db in
            let (requests, id) = (RequestRows(db: db), SignerClient.ID(app: request.app, account: request.account))
            try requests.settle(request, answer: answer, at: activity.time)
            if activity.outcome == .done, let permission = request.permission, permission.method.usesKey {
                try requests.count(permission, by: id, at: activity.time)
            }
            try ActivityRows(db: db).append(activity)
            try ClientRows(db: db).saw(id, at: activity.time)
            return .done
        }
    }

    /// Notes that an admitted request waits for the person, and its line in the log.
    ///
    /// - Throws: ``/NostrSigner/SignerRecordsError``.
    public func wait(_ request: AdmittedRequest, why rule: Rule, activity: ActivityEntry) async throws {
        let outcome = try await perform { [bounds] db in
            guard try RequestRows(db: db).wait(request, why: rule, bounds: bounds) else { return .tooManyWaiting }
            try ActivityRows(db: db).append(activity)
            return .done
        }
        if case .tooManyWaiting = outcome { throw SignerRecordsError.tooManyWaiting }
    }

    /// Requests that wait, oldest first, as they came.
    public func waiting(of account: PublicKey) async throws -> [KeptRequest] {
        try await read { try RequestRows(db: $0).kept(of: account, .waiting) }
    }

    /// Requests that were admitted but neither settled nor waiting; oldest first.
    public func unfinished(of account: PublicKey) async throws -> [KeptRequest] {
        try await read { try RequestRows(db: $0).kept(of: account, .underWay) }
    }

    /// How often an app used the key since a moment: requests that were done, of one permission or of all.
    public func uses(of id: SignerClient.ID, permission: RemotePermission?, since: Timestamp) async throws -> Int {
        try await read { try RequestRows(db: $0).uses(of: id, permission: permission, since: since) }
    }

    /// Forgets requests that were settled before a moment; those that wait stay.
    public func forgetRequests(before: Timestamp) async throws {
        _ = try await perform { db in
            try RequestRows(db: db).forget(before: before)
            return .done
        }
    }

    // MARK: - Log

    /// Adds a line that belongs to no request.
    public func note(_ entry: ActivityEntry) async throws {
        _ = try await perform { db in
            try ActivityRows(db: db).append(entry)
            return .done
        }
    }

    /// Lines of the log, newest first.
    public func activity(of account: PublicKey, _ query: ActivityQuery) async throws -> [ActivityEntry] {
        try await read { try ActivityRows(db: $0).lines(of: account, query) }
    }

    /// Keeps an account's log within bounds.
    public func trimActivity(of account: PublicKey, before: Timestamp, keeping: Int) async throws {
        _ = try await perform { db in
            try ActivityRows(db: db).trim(of: account, before: before, keeping: keeping)
            return .done
        }
    }

    /// Forgets everything of an account, its log too.
    public func removeAll(of account: PublicKey) async throws {
        try await choose { try ClientRows(db: $0).removeAll(of: account) }
    }

    // MARK: - The file

    /// The accounts of which anything is kept, in the order of their keys.
    public func accounts() async throws -> [PublicKey] {
        try await read { try ClientRows(db: $0).accounts() }
    }

    /// What SQLite finds wrong in the file; empty when it is sound.
    ///
    /// Reads all of it.
    ///
    /// - Throws: ``/NostrStore/StoreError`` when it cannot be read at all.
    public func integrityProblems() async throws -> [String] {
        try await SQLiteStorage.integrityProblems(database)
    }

    /// Writes everything into the one file and lets go of it.
    ///
    /// - Throws: ``/NostrStore/StoreError``; nothing is lost even then.
    public func close() throws {
        flush.close()
        try database.close()
    }

    private func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await database.read(body)
    }

    /// Writes with others that write at the same time.
    private func perform(_ work: @escaping @Sendable (Database) throws -> Outcome) async throws -> Outcome {
        try await writer.perform { try work($0) }
    }

    /// Writes what a person chose, and returns when it is on the disk; goes on when the caller is cancelled meanwhile.
    private func choose(_ work: @escaping @Sendable (Database) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { caller in
            database.pool.asyncWriteWithoutTransaction { [database] db in
                caller.resume(with: Result { try database.committing(in: db) { try onDisk(db, work) } })
            }
        }
    }
}
