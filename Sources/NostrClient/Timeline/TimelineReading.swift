public import NostrCore

/// Notes as pages show them; implemented by ``Timeline``.
public protocol TimelineReading: Sendable {
    /// A page of a timeline, newest first, from the store; asks the network for older ones when the store runs out.
    func page(_ source: TimelineSource, before cursor: TimelineCursor?, limit: Int) async throws -> TimelinePage
    /// One note with its ancestors and replies, from the store and then the network.
    func thread(_ id: EventID, hints: [RelayURL]) async throws -> NoteThread
    /// Searches notes and people, here and on search relays (NIP-50).
    func search(_ text: String, before cursor: TimelineCursor?, limit: Int) async throws -> SearchResult
}

extension Timeline: TimelineReading {}

/// How the network stands; implemented by ``NetworkReports``.
public protocol NetworkReporting: Sendable {
    /// Whether and how the network answers at all.
    func connection() async -> ConnectionSummary
    /// Every relay in use: health, whom it serves, what it gave.
    func relays() async throws -> [RelayReport]
    /// Per followed author: what was asked of which relays and what came.
    func coverage() async throws -> [AuthorCoverage]
}

extension NetworkReports: NetworkReporting {}
