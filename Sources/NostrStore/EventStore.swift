public import NostrCore

/// Keeps checked events by the rules of NIP-01, NIP-09 and NIP-40.
///
/// Every store passes the one contract suite (`NostrTesting/EventStoreContract.swift`).
public protocol EventStore: Sendable {
    /// Keeps events; returns only after what is kept is durable.
    ///
    /// - Parameters:
    ///   - events: checked events, in any order; the outcomes come in the same order.
    ///   - relay: where they came from, remembered for ``relays(of:)``; `nil` for our own.
    /// - Throws: ``StoreError``; then none of this call's events is acknowledged.
    func save(_ events: [Event], from relay: RelayURL?) async throws -> [SaveOutcome]

    /// The events any of the filters matches, newest first, ties by lower id first, without duplicates.
    ///
    /// `limit` counts per filter; a filter without one is unlimited. `search` orders by recency too.
    /// Expired events (NIP-40) are left out.
    func query(_ filters: [Filter]) async throws -> [Event]

    /// The same events as ``query(_:)`` gives, but of long answers only the beginning, so that they need not be in memory.
    ///
    /// - Parameters:
    ///   - bytes: roughly how much memory the events may take; the first one is given in any case.
    ///   - most: how many events are listed; the older ones are left out.
    func answer(_ filters: [Filter], bytes: Int, most: Int) async throws -> StoredAnswer

    /// How many distinct events the filters match, ignoring `limit`.
    func count(_ filters: [Filter]) async throws -> Int

    /// How many distinct events the filters match that pass a test, ignoring `limit`, at a limited price.
    ///
    /// - Parameters:
    ///   - most: how many events may be looked at; an entry of an index alone costs a fiftieth of one.
    ///   - isCounted: the test, quick; `nil` when all pass.
    /// - Returns: `nil` when it would cost more.
    func count(
        _ filters: [Filter], lookingAt most: Int, where isCounted: (@Sendable (Event) -> Bool)?
    ) async throws -> Int?

    /// Reads on at an answer until it is whole or has to pause; each step sees the events of its own moment.
    ///
    /// - Throws: `CancellationError` when it was told to stop; then nothing of it is to be used.
    func read(_ reading: inout AnswerReading, until limit: ReadingLimit) async throws

    /// Reads on at a count until it has an outcome or has to pause.
    ///
    /// - Throws: `CancellationError` when it was told to stop; then nothing of it is to be used.
    func read(_ reading: inout CountReading, until limit: ReadingLimit) async throws

    /// How many kept events of each kind refer to each of these ids by an `e` tag; an event that names an id twice
    /// counts once, ids that nothing refers to are absent. One grouped question, so that a page of notes costs one.
    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) async throws -> [EventID: [Kind: Int]]

    /// Which relays an event was seen on.
    func relays(of id: EventID) async throws -> Set<RelayURL>

    /// Every change from now on, after it is durable; at most 1024 wait, then the oldest are dropped and
    /// a ``StoreChange/missed`` takes their place.
    func changes() async -> AsyncStream<StoreChange>

    /// Drops events whose expiration (NIP-40) has passed; returns how many.
    func dropExpired(now: Timestamp) async throws -> Int
}

/// What became of one event handed to a store.
public enum SaveOutcome: Hashable, Sendable {
    /// Kept.
    case stored
    /// Already here (its relay is remembered).
    case duplicate
    /// A newer version of the same replaceable or addressable event is here.
    case superseded
    /// Its author deleted it (NIP-09).
    case deleted
    /// Its expiration has passed (NIP-40).
    case expired
    /// Ephemeral: passed to ``EventStore/changes()``, not kept.
    case ephemeral
}

/// A change of a store.
public enum StoreChange: Hashable, Sendable {
    /// An event was kept, or passed through if ephemeral.
    case added(Event)
    /// An event went: deleted, replaced or expired.
    case removed(EventID)
    /// More changes came than the reader took; read again.
    case missed
}

/// Why a store could not do what it was asked: a code with its facts; screens have the words for it.
public struct StoreError: Error, Hashable, Sendable {
    /// What went wrong; grows.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        case diskFull, locked, readOnly, corrupt, tooNew, cannotOpen, io
        /// Only a file: it holds nothing; it is missing where its log is; it, or its log, was removed or replaced while it
        /// was in use.
        case empty, missing, replaced
        /// Only a database at a server: its address is none, it cannot be reached, it did not answer in time, the
        /// connection broke, or its connections were closed on our side.
        case badAddress, unreachable, noAnswer, connectionBroke, closed
    }

    /// What went wrong.
    public let code: Code
    /// The path of the database's file; `nil` where it is at a server, or in memory.
    public let file: String?
    /// What the database itself says of it (SQLite's extended code, PostgreSQL's SQLSTATE, libpq's line).
    public let detail: String?

    /// Names a failure; a log may keep all of it, so it holds no content and no secret.
    public init(_ code: Code, file: String? = nil, detail: String? = nil) {
        self.code = code
        self.file = file
        self.detail = detail
    }
}
