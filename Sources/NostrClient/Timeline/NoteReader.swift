internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Turns events into notes with everything around them, in a handful of questions to the store per page, however
/// many notes it has.
struct NoteReader: Sendable {
    static let countedKinds: Set<Kind> = [1, 6, 7, 16, 1111, ZapReceipt.kind]

    let store: any EventStore
    let people: People
    let zaps: Zaps
    /// How far events of the account's own have come.
    let progress: @Sendable (Set<EventID>) async -> [EventID: Note.Acceptance]

    /// The notes for events, in their order, without reposts of what is muted.
    ///
    /// - Returns: the notes, and what of them is not known here: ids to ask relays for, people without a profile,
    ///   verified events from inside reposts that the store lacks.
    func notes(
        for events: [Event], _ context: ReadingContext
    ) async throws -> (notes: [Note], missing: MissingParts) {
        var page = NotePage(events: events)
        try await resolveReposts(&page, context)
        page.dropReposts(of: context.mutes)
        try await resolveQuotes(&page)
        page.hideQuotes(context.mutes)
        page.collectPeople(without: context.mutes.people)
        let ids = page.allIDs
        let counts = try await counts(of: ids, context.mutes)
        let tallies = self.tallies(counts, context.mutes)
        for zap in tallies.values.lazy.flatMap(\.largest) where !zap.isAnonymous { page.people.insert(zap.sender) }
        let profiles = try await people.profiles(of: page.people)
        let own = try await ownMarks(on: ids, by: context.account)
        let written = page.events + page.known.values
        let deliveries = await progress(Set(written.lazy.filter { $0.pubkey == context.account }.map(\.id)))
        let assembly = NoteAssembly(
            page: page, profiles: profiles, counts: counts, tallies: tallies, own: own, deliveries: deliveries,
            context: context)
        let missing = MissingParts(
            events: page.unresolved, engagement: Set(page.events.map(\.id)), adopted: page.adopted,
            people: page.people.subtracting(profiles.keys))
        return (page.events.map(assembly.note), missing)
    }

    private func tallies(_ counts: [EventID: [Kind: Int]], _ mutes: Mutes) -> [EventID: ZapTally] {
        var tallies: [EventID: ZapTally] = [:]
        for (id, counted) in counts {
            guard let claimed = counted[ZapReceipt.kind], claimed > 0 else { continue }
            tallies[id] = zaps.tally(of: id, claimed: claimed, without: mutes.people)
        }
        return tallies
    }

    // What muted people write counts for nothing.
    private func counts(of ids: Set<EventID>, _ mutes: Mutes) async throws -> [EventID: [Kind: Int]] {
        var counts = try await store.referenceCounts(to: ids, kinds: Self.countedKinds)
        guard !mutes.people.isEmpty, !counts.isEmpty else { return counts }
        let filter = Filter(
            authors: mutes.people, kinds: Self.countedKinds, tags: ["e": Set(counts.keys.map(\.hex))], limit: 2000)
        for event in try await store.query([filter]) {
            for id in event.touchedEvents {
                if let count = counts[id]?[event.kind] { counts[id]?[event.kind] = max(count - 1, 0) }
            }
        }
        return counts
    }

    // The event inside a repost: from the store, or from its content once verified, unless its author deleted it.
    private func resolveReposts(_ page: inout NotePage, _ context: ReadingContext) async throws {
        let reposts = page.events.compactMap { event in Repost(event).map { (event.id, $0) } }
        guard !reposts.isEmpty else { return }
        let stored = try await events(with: Set(reposts.map(\.1.target.id)))
        var embedded: [EventID: Event] = [:]
        for (_, repost) in reposts where stored[repost.target.id] == nil && embedded[repost.target.id] == nil {
            // A forged event inside a repost is treated as if the repost were empty.
            guard let raw = repost.embedded, !raw.tags.isExpired(now: context.now),
                let event = try? Event(verifying: raw)
            else { continue }
            embedded[event.id] = event
        }
        for id in try await deleted(among: Array(embedded.values)) { embedded[id] = nil }
        for (outer, repost) in reposts {
            let target = repost.target
            page.pointers[target.id] = target
            page.reposted[outer] = target.id
            page.known[target.id] = stored[target.id] ?? embedded[target.id]
            page.adopted[target.id] = embedded[target.id]
        }
    }

    private func resolveQuotes(_ page: inout NotePage) async throws {
        let quoting = page.events + page.reposted.values.compactMap { page.known[$0] }
        for event in quoting {
            let quotes = event.quotedEvents.filter { $0.id != event.id }
            for pointer in quotes { page.pointers[pointer.id] = pointer }
            page.quoted[event.id] = quotes.map(\.id)
        }
        let wanted = Set(page.quoted.values.joined()).subtracting(page.known.keys)
        guard !wanted.isEmpty else { return }
        page.known.merge(try await events(with: wanted)) { old, _ in old }
    }

    private func events(with ids: Set<EventID>) async throws -> [EventID: Event] {
        let found = try await store.query([Filter(ids: ids)])
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }

    private func deleted(among events: [Event]) async throws -> Set<EventID> {
        guard !events.isEmpty else { return [] }
        let filter = Filter(
            authors: Set(events.map(\.pubkey)), kinds: [DeletionRequest.kind],
            tags: ["e": Set(events.map(\.id.hex))])
        let requests = try await store.query([filter]).compactMap(DeletionRequest.init)
        return Set(events.filter { event in requests.contains { $0.covers(event) } }.map(\.id))
    }

    private func ownMarks(on ids: Set<EventID>, by account: PublicKey) async throws -> OwnMarks {
        let filter = Filter(authors: [account], kinds: [7, 6, 16], tags: ["e": Set(ids.map(\.hex))])
        var marks = OwnMarks()
        for event in try await store.query([filter]) {
            if let reaction = Reaction(event) {
                if marks.reactions[reaction.target.id] == nil { marks.reactions[reaction.target.id] = event.content }
            } else if let repost = Repost(event) {
                marks.reposts.insert(repost.target.id)
            }
        }
        return marks
    }
}

/// The account's own reactions and reposts.
struct OwnMarks: Sendable {
    var reactions: [EventID: String] = [:]
    var reposts: Set<EventID> = []
}
