internal import AsyncPrimitives
internal import GRDB
internal import NostrCore
internal import NostrStore
internal import Synchronization

/// A database file at work: its connections, and whether it may still be written.
///
/// From the first sign that the file is damaged, or that it was removed or replaced under the program, nothing is
/// written any more: no commit, and nothing of the log into the file, at the end neither
/// (`docs/decisions/0018-files-under-the-program.md`). What can be read still is.
final class OpenDatabase: Sendable {
    let pool: DatabasePool
    /// For readings behind pages: all but two connections at most, since threads that wait for one would get it before the
    /// pages do.
    private let connectionsBehindPages: AsyncSemaphore
    private struct State {
        var watch: FileWatch
        /// Why nothing is written any more.
        var refusal: StoreError?
        var isClosed = false
        /// Whether the connections are gone.
        var hasLetGo = false
    }

    private let state: Mutex<State>
    /// How often it was read since ``releaseIdleMemory()`` asked last.
    private let readings = Atomic<Int>(0)
    /// From this many readings on, the pages that are kept are worth their memory.
    private let often = 100

    /// - Parameter pool: connections to a file that was found sound; they are closed by this alone.
    init(_ pool: DatabasePool) throws {
        self.pool = pool
        connectionsBehindPages = AsyncSemaphore(permits: max(1, pool.configuration.maximumReaderCount - 2))
        let watch = try pool.writeWithoutTransaction { try FileWatch(of: $0, at: pool.path) }
        state = Mutex(State(watch: watch))
    }

    var path: String { pool.path }

    /// Runs what commits something, between two looks at the file: before, so that nothing is written beside a file that
    /// is another by now; after, so that nothing is acknowledged that went into a file without a name.
    ///
    /// - Throws: ``/NostrStore/StoreError``.
    func committing<T>(in db: Database, _ body: () throws -> T) throws -> T {
        do {
            try look { try $0.look(db) }
            let value = try body()
            try look { try $0.lookAfterwards(db) }
            return value
        } catch {
            throw failure(error)
        }
    }

    /// Reads, no longer than the limit allows.
    ///
    /// - Throws: ``/NostrStore/StoreError``; `CancellationError` when the limit said stop.
    func read<T: Sendable>(
        until limit: ReadingLimit = .cancellation, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        readings.add(1, ordering: .relaxed)
        do {
            return try await reading { db in try interruptible(db, by: limit) { try body(db) } }
        } catch {
            throw failure(error)
        }
    }

    /// Reads on threads of the database, or, for work behind pages, on that work's own, which count less.
    ///
    /// - Throws: what the reading throws; `CancellationError`.
    func reading<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        guard BackgroundThreads.isBehindPages else { return try await pool.read(body) }
        return try await connectionsBehindPages.withPermit { try await readHere(body) }
    }

    /// Reads on one of the caller's threads, though never in the turn of an actor.
    @concurrent
    private func readHere<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try Task.checkCancellation()
        let readAndWait = { [pool] in try pool.read(body) }
        return try readAndWait()
    }

    /// Lets go of what the connections keep of the file in memory, unless it was read often since this was asked last.
    ///
    /// Connections at work are not waited for; they let go when they are done.
    func releaseIdleMemory() {
        guard readings.exchange(0, ordering: .relaxed) < often, !state.withLock(\.isClosed) else { return }
        pool.releaseMemoryEventually()
    }

    /// The error for whoever asked; damage is remembered.
    func failure(_ error: any Error) -> any Error {
        let named = storeError(error, file: path)
        if let named = named as? StoreError, [.corrupt, .replaced].contains(named.code) { refuse(named) }
        return named
    }

    /// Moves the log into the file and cuts it to nothing, unless the file may not be written.
    ///
    /// - Returns: whether the log is empty.
    func emptyLog(_ db: Database) -> Bool {
        do {
            try look { try $0.look(db) }
            return try db.checkpoint(.truncate).walFrameCount == 0
        } catch {
            _ = failure(error)
            return false
        }
    }

    /// Empties the log and lets go of the file.
    ///
    /// - Throws: ``/NostrStore/StoreError``; a file that may not be written is left with its log as it is.
    func close() throws {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !wasClosed else { return }
        do {
            try pool.writeWithoutTransaction { db in
                try look { try $0.look(db) }
                // The connection that is closed last can only read, and leaves the log as it is.
                _ = emptyLog(db)
            }
            if let refusal = state.withLock(\.refusal) { throw refusal }
            try pool.close()
            state.withLock { $0.hasLetGo = true }
        } catch {
            throw failure(error)
        }
    }

    private func look(_ look: (inout FileWatch) throws -> Void) throws {
        try state.withLock { state in
            if let refusal = state.refusal { throw refusal }
            // Its log and index went with the last connection.
            if state.hasLetGo { throw StoreError(.io, file: path) }
            try look(&state.watch)
        }
    }

    private func refuse(_ why: StoreError) {
        let isFirst = state.withLock { state in
            defer { state.refusal = state.refusal ?? why }
            return state.refusal == nil
        }
        // Closing would move the log into a damaged file, or remove the log of the file that is there now.
        if isFirst { _ = unsafe Unmanaged.passRetained(pool) }
    }
}
