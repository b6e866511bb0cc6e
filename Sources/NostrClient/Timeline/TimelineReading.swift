public import NostrCore
public import NostrNIPs
internal import NostrRelay

/// Notes as pages show them; implemented by ``Timeline``.
public protocol TimelineReading: Sendable {
    /// A page of a timeline, newest first, from the store; asks the network for older ones when the store runs out.
    func page(_ source: TimelineSource, before cursor: TimelineCursor?, limit: Int) async throws -> TimelinePage
    /// One note with its ancestors and a part of its replies, from the store and then the network.
    ///
    /// - Parameter reply: the replies that follow this one; `nil`, or one that is gone, for the first.
    func thread(_ id: EventID, hints: [RelayURL], after reply: EventID?) async throws -> NoteThread
    /// The same; where the reader asked for it, with what is muted.
    func thread(
        _ id: EventID, hints: [RelayURL], after reply: EventID?, evenMuted: Bool
    ) async throws -> NoteThread
    /// Searches notes and people, here and on search relays (NIP-50).
    func search(_ question: SearchQuestion, before cursor: TimelineCursor?, limit: Int) async throws -> SearchResult
    /// Those of the followed who wrote in the last minutes, who wrote last first.
    func activePeople(limit: Int) async throws -> [Person]
    /// What of ``NoteKinds/chosen`` stands on home.
    func kindsOnHome() async throws -> Set<Kind>
    /// Has these of ``NoteKinds/chosen`` stand on home, and no others of them.
    func setKindsOnHome(_ kinds: Set<Kind>) async throws
}

extension TimelineReading {
    /// Nobody is there.
    public func activePeople(limit: Int) async throws -> [Person] { [] }

    /// One note with its ancestors and its first replies, from the store and then the network.
    public func thread(_ id: EventID, hints: [RelayURL]) async throws -> NoteThread {
        try await thread(id, hints: hints, after: nil)
    }

    /// Nothing is muted.
    public func thread(
        _ id: EventID, hints: [RelayURL], after reply: EventID?, evenMuted: Bool
    ) async throws -> NoteThread {
        try await thread(id, hints: hints, after: reply)
    }

    /// The note that is named, even when it is muted: for what is done with exactly this one.
    public func named(_ id: EventID, hints: [RelayURL] = []) async throws -> Note? {
        // Where the note itself is none of what is muted, what it names may be.
        if let note = try await thread(id, hints: hints, after: nil, evenMuted: false).focus { return note }
        return try await thread(id, hints: hints, after: nil, evenMuted: true).focus
    }
}

extension Timeline: TimelineReading {
    /// What of ``NoteKinds/chosen`` stands on home.
    public func kindsOnHome() async throws -> Set<Kind> {
        try await home.load()
        return context.homeKinds.chosen
    }

    /// Has these of ``NoteKinds/chosen`` stand on home, and no others of them.
    public func setKindsOnHome(_ kinds: Set<Kind>) async throws {
        try await home.load()
        try await context.homeKinds.choose(kinds)
    }
}

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
    /// What the relays where others reach the account gave of what was sent to it, messages first.
    func inbound() async throws -> [InboundCoverage]
    /// Per followed author: what was asked of which relays and what came.
    func coverage() async throws -> [AuthorCoverage]
    /// The same for one author; `nil` for one who is not followed.
    func coverage(of author: PublicKey) async throws -> AuthorCoverage?
    /// How complete home is.
    func completeness() async throws -> HomeCompleteness
}

extension NetworkReporting {
    /// Nothing was sent.
    public func inbound() async throws -> [InboundCoverage] { [] }

    /// Found among all.
    public func coverage(of author: PublicKey) async throws -> AuthorCoverage? {
        try await coverage().first { $0.person.key == author }
    }

    /// Counted over all.
    public func completeness() async throws -> HomeCompleteness {
        try await coverage().reduce(into: HomeCompleteness()) { home, author in
            let complete = author.asked.values.count { $0 == .some(.complete) }
            home.add(
                isHeard: complete > 0 || !author.heardUntil.isEmpty,
                isInFull: complete > 0 && complete == author.asked.count)
        }
    }
}

extension NetworkReports: NetworkReporting {}
