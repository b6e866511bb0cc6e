internal import GRDB
internal import Synchronization

/// The one way to write to a database file: requests that come while another commits share the next transaction, and
/// each is answered after its commit.
///
/// Runs on the writer connection's own queue, never on the cooperative pool. A request that was begun is finished even
/// when its caller is cancelled meanwhile.
final class GroupCommit<Session, Answer: Sendable>: Sendable {
    typealias Work = @Sendable (inout Session) throws -> Answer

    private struct Request: Sendable {
        let work: Work
        let caller: CheckedContinuation<Answer, any Error>
    }

    private struct Pending {
        var requests: [Request] = []
        var isDraining = false
    }

    private let database: OpenDatabase
    private let pending = Mutex(Pending())
    private let begin: @Sendable (Database) -> Session
    private let finish: @Sendable (inout Session) throws -> Void
    private let committed: @Sendable (Answer) -> Void
    private let rolledBack: @Sendable () -> Void
    private let onDisk: @Sendable (Database) -> Void

    /// Joins requests that come at once into one transaction of a database.
    ///
    /// - Parameters:
    ///   - begin: makes what the requests of one transaction share.
    ///   - finish: writes what they left for the end, before the commit.
    ///   - committed: called in commit order, before the caller is answered.
    ///   - rolledBack: called after a transaction failed, so that what was remembered of it is forgotten.
    ///   - onDisk: called once a transaction is on the disk, before its callers are answered.
    init(
        _ database: OpenDatabase, begin: @escaping @Sendable (Database) -> Session,
        finish: @escaping @Sendable (inout Session) throws -> Void = { _ in },
        committed: @escaping @Sendable (Answer) -> Void = { _ in },
        rolledBack: @escaping @Sendable () -> Void = {},
        onDisk: @escaping @Sendable (Database) -> Void = { _ in }
    ) {
        self.database = database
        self.begin = begin
        self.finish = finish
        self.committed = committed
        self.rolledBack = rolledBack
        self.onDisk = onDisk
    }

    /// Runs work in a transaction with others; returns after the commit.
    func perform(_ work: @escaping Work) async throws -> Answer {
        try await withCheckedThrowingContinuation { caller in
            let mustStart = pending.withLock { pending in
                pending.requests.append(Request(work: work, caller: caller))
                defer { pending.isDraining = true }
                return !pending.isDraining
            }
            if mustStart { takeTurn() }
        }
    }

    /// Waits for the writer anew for each group, so that whoever else writes gets a turn however much is asked here.
    private func takeTurn() {
        database.pool.asyncWriteWithoutTransaction { db in
            self.commitGroup(in: db)
            if self.isMoreAsked() { self.takeTurn() }
        }
    }

    private func commitGroup(in db: Database) {
        let group = pending.withLock { pending in
            defer { pending.requests = [] }
            return pending.requests
        }
        // One request that cannot be kept must not take the others with it: then each goes alone.
        if group.count > 1, commit(group, in: db) { return }
        for request in group { commitAlone(request, in: db) }
    }

    private func isMoreAsked() -> Bool {
        pending.withLock { pending in
            pending.isDraining = !pending.requests.isEmpty
            return pending.isDraining
        }
    }

    /// Commits all requests together; `false`, and nothing changed, when one fails.
    private func commit(_ group: [Request], in db: Database) -> Bool {
        do {
            let answers = try inTransaction(db) { session in try group.map { try $0.work(&session) } }
            for (request, answer) in zip(group, answers) { deliver(answer, to: request) }
            return true
        } catch {
            return false
        }
    }

    private func commitAlone(_ request: Request, in db: Database) {
        do {
            deliver(try inTransaction(db) { session in try request.work(&session) }, to: request)
        } catch {
            request.caller.resume(throwing: database.failure(error))
        }
    }

    private func deliver(_ answer: Answer, to request: Request) {
        committed(answer)
        request.caller.resume(returning: answer)
    }

    private func inTransaction<T>(_ db: Database, _ body: (inout Session) throws -> T) throws -> T {
        do {
            var result: T?
            try database.committing(in: db) {
                try inPreparedTransaction(db) {
                    var session = begin(db)
                    result = try body(&session)
                    try finish(&session)
                }
            }
            onDisk(db)
            guard let result else { preconditionFailure("a committed transaction has run its body") }
            return result
        } catch {
            rolledBack()
            throw error
        }
    }
}

/// Does something in a transaction that is begun and ended by statements of the connection's cache, where GRDB would prepare
/// both anew each time.
private func inPreparedTransaction(_ db: Database, _ body: () throws -> Void) throws {
    try db.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
    do {
        try body()
        try db.cachedStatement(sql: "COMMIT TRANSACTION").execute()
    } catch {
        // Some failures end a transaction by themselves; what failed first is told.
        if db.isInsideTransaction { try? db.rollback() }
        throw error
    }
}
