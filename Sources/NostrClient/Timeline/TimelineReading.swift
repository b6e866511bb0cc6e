public import NostrCore
public import NostrNIPs

/// Notes as pages show them; implemented by ``Timeline``.
public protocol TimelineReading: Sendable {
    /// A page of a timeline, newest first, from the store; asks the network for older ones when the store runs out.
    func page(_ source: TimelineSource, before cursor: TimelineCursor?, limit: Int) async throws -> TimelinePage
    /// One note with its ancestors and a part of its replies, from the store and then the network.
    ///
    /// - Parameter reply: the replies that follow this one; `nil`, or one that is gone, for the first.
    func thread(_ id: EventID, hints: [RelayURL], after reply: EventID?) async throws -> NoteThread
    /// Searches notes and people, here and on search relays (NIP-50).
    func search(_ text: String, before cursor: TimelineCursor?, limit: Int) async throws -> SearchResult
}

extension TimelineReading {
    /// One note with its ancestors and its first replies, from the store and then the network.
    public func thread(_ id: EventID, hints: [RelayURL]) async throws -> NoteThread {
        try await thread(id, hints: hints, after: nil)
    }
}

extension Timeline: TimelineReading {}

/// How the network stands; implemented by ``NetworkReports``.
public protocol NetworkReporting: Sendable {
    /// Whether and how the network answers at all.
    func connection() async -> ConnectionSummary
    /// Every relay in use: health, whom it serves, what it gave.
    func relays() async throws -> [RelayReport]
    /// One relay, whether it is in use or not.
    func relay(_ relay: RelayURL) async throws -> RelayReport
    /// What a relay says of itself (NIP-11); `nil` where it says nothing within seconds.
    func information(of relay: RelayURL) async -> RelayInformation?
    /// Per followed author: what was asked of which relays and what came.
    func coverage() async throws -> [AuthorCoverage]
}

extension NetworkReports: NetworkReporting {}
