internal import Foundation
internal import NostrStore

/// A few connections, each on a thread of its own, that share one line of work.
///
/// Nothing here runs on Swift's own threads, which must not block.
final class PostgresPool: Sendable {
    typealias Job = @Sendable (PostgresWorker) -> Void

    private let line: JobLine

    /// Starts the threads; they connect when there is work.
    ///
    /// - Parameter deadline: how long one piece of work may take, connecting included.
    init(address: String, connections: Int, deadline: Duration) {
        let line = JobLine()
        self.line = line
        for _ in 0..<max(connections, 1) {
            let thread = Thread {
                let worker = PostgresWorker(address: address, limit: deadline)
                while let job = line.next() { job(worker) }
            }
            thread.name = "postgres"
            thread.start()
        }
    }

    deinit { line.close() }

    /// Ends the threads once the work in line is done; later work fails.
    func close() { line.close() }

    /// Runs work on a connection.
    ///
    /// - Throws: ``/NostrStore/StoreError``.
    func perform<T: Sendable>(
        _ work: @escaping @Sendable (borrowing PostgresSession) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { caller in
            let isTaken = line.append { worker in
                caller.resume(with: Result { try worker.perform(work) })
            }
            if !isTaken {
                caller.resume(throwing: StoreError(.closed))
            }
        }
    }
}

/// Work in line; threads take it in turn.
///
/// `@unchecked`: the two properties are touched only while the condition is locked.
private final class JobLine: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [PostgresPool.Job] = []
    private var isClosed = false

    /// Adds work; `false` when closed.
    func append(_ job: @escaping PostgresPool.Job) -> Bool {
        condition.withLock {
            guard !isClosed else { return false }
            jobs.append(job)
            condition.signal()
            return true
        }
    }

    /// The next piece of work, waiting for it; `nil` once closed and empty.
    func next() -> PostgresPool.Job? {
        condition.withLock {
            while jobs.isEmpty {
                if isClosed { return nil }
                condition.wait()
            }
            return jobs.removeFirst()
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }
}

/// One thread's connection, made again when it broke.
final class PostgresWorker {
    private let address: String
    private let limit: Duration
    private var connection: PostgresConnection?

    init(address: String, limit: Duration) {
        self.address = address
        self.limit = limit
    }

    /// Does work: again on a fresh connection if the old one proves dead, and again if others came between.
    ///
    /// Work may therefore run twice although the first time was committed; it must bear that.
    func perform<T>(_ work: (borrowing PostgresSession) throws -> T) throws -> T {
        let deadline = ContinuousClock.now + limit
        var attempts = 0
        while true {
            attempts += 1
            do {
                return try attempt(work, deadline)
            } catch let failure as PostgresFailure {
                if connection?.isBroken ?? true || failure.isBrokenConnection { connection = nil }
                guard attempts < 4, failure.isBrokenConnection || failure.isConflict, .now < deadline else {
                    throw failure.storeError
                }
            } catch let error as StoreError {
                throw error
            } catch {
                throw StoreError(.corrupt)
            }
        }
    }

    private func attempt<T>(
        _ work: (borrowing PostgresSession) throws -> T, _ deadline: ContinuousClock.Instant
    ) throws -> T {
        let connection = try connection ?? PostgresConnection(address: address, deadline: deadline)
        self.connection = connection
        return try work(PostgresSession(connection: connection, deadline: deadline))
    }
}

/// A connection lent to one piece of work.
struct PostgresSession: ~Copyable {
    fileprivate let connection: PostgresConnection
    fileprivate let deadline: ContinuousClock.Instant

    /// Runs one statement.
    @discardableResult
    func run(_ sql: String, _ parameters: PostgresValue...) throws(PostgresFailure) -> PostgresRows {
        try connection.run(sql, parameters, until: deadline)
    }

    /// Runs work in a transaction: all of it is committed, or nothing.
    func transaction<T>(_ work: () throws -> T) throws -> T {
        try run("BEGIN")
        do {
            let answer = try work()
            try run("COMMIT")
            return answer
        } catch {
            // On a broken connection the server rolls back by itself.
            if !connection.isBroken { try run("ROLLBACK") }
            throw error
        }
    }
}
