internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Turns events into notes with everything around them, in a handful of questions to the store per page, however
/// many notes it has.
struct NoteReader: Sendable {
    /// So many of the notes that one quotes are looked for.
    private static let mostQuotes = 16
    /// So many of the addresses that the notes of a page name are looked for.
    private static let mostAddresses = 40

    let store: any EventStore
    let people: People
    let zaps: Zaps
    let polls: Polls
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
        try await resolveAddressReposts(&page, context)
        page.dropReposts(of: context.mutes)
        try await resolveQuotes(&page)
        page.hideQuotes(context.mutes)
        page.collectPeople(without: context.mutes.people)
        let ids = page.allIDs
        let addresses = AddressReader(store: store, shown: page.addresses)
        var counts = try await counts(of: ids, context.mutes)
        for (id, more) in try await addresses.counts(without: context.mutes.people) {
            counts[id, default: [:]].merge(more, uniquingKeysWith: +)
        }
        let tallies = self.tallies(counts, context.mutes)
        let polls = try await self.polls.standings(
            of: Array(page.known.values), claimed: counts.compactMapValues { $0[ZapReceipt.kind] }, context)
        for zap in tallies.values.lazy.flatMap(\.largest) where !zap.isAnonymous { page.people.insert(zap.sender) }
        let profiles = try await people.profiles(of: page.people)
        // What nobody reacted to or reposted, the account did not either.
        let marked = ids.filter { id in counts[id].map { $0[7] != nil || $0[6] != nil || $0[16] != nil } ?? false }
        var own = try await ownMarks(on: marked, by: context.account)
        own.add(try await addresses.marks(of: context.account))
        let written = page.events + page.known.values
        let deliveries = await progress(Set(written.lazy.filter { $0.pubkey == context.account }.map(\.id)))
        let assembly = NoteAssembly(
            page: page, profiles: profiles, counts: counts, tallies: tallies, polls: polls, own: own,
            deliveries: deliveries, context: context)
        let missing = MissingParts(
            events: page.unresolved, places: page.places, engagement: Set(page.events.map(\.id)),
            adopted: page.adopted, people: page.people.subtracting(profiles.keys), addresses: page.addresses)
        return (assembly.notes(), missing)
    }

    private func tallies(_ counts: [EventID: [Kind: Int]], _ mutes: Mutes) -> [EventID: ZapTally] {
        var tallies: [EventID: ZapTally] = [:]
        for (id, counted) in counts {
            guard let claimed = counted[ZapReceipt.kind], claimed > 0 else { continue }
            let zaps = zaps.payments(for: id, claimed: claimed, without: mutes.people)
            tallies[id] = ZapTally(zaps.map { mutes.hides(text: $0.comment) ? $0.withoutComment : $0 })
        }
        return tallies
    }

    // What muted people write counts for nothing.
    private func counts(of ids: Set<EventID>, _ mutes: Mutes) async throws -> [EventID: [Kind: Int]] {
        var counts = try await store.referenceCounts(to: ids, kinds: NoteKinds.counted)
        guard !mutes.people.isEmpty, !counts.isEmpty else { return counts }
        let filter = Filter(
            authors: mutes.people, kinds: NoteKinds.counted, tags: ["e": Set(counts.keys.map(\.hex))], limit: 2000)
        for event in try await store.query([filter]) {
            // An `E` tag names what started the conversation, and is not counted there.
            for id in Set(event.tags.lazy.filter { $0.name == "e" }.compactMap { $0.eventID(at: 1) }) {
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

    /// What reposts name by its address alone: the version in force, where one is here.
    private func resolveAddressReposts(_ page: inout NotePage, _ context: ReadingContext) async throws {
        let reposts = page.events.compactMap { event in AddressRepost(event).map { (event.id, $0.target) } }
            .prefix(Self.mostAddresses)
        guard !reposts.isEmpty else { return }
        let newest = try await newestVersions(of: reposts.map(\.1.address).uniqued())
        for (outer, pointer) in reposts {
            if let event = newest[pointer.address] {
                page.reposted[outer] = event.id
                if page.known[event.id] == nil { page.known[event.id] = event }
            } else if context.mutes.verdict(on: pointer.address.author, in: .timeline) == .shown {
                page.places[pointer.address, default: (pointer, [])].neededBy.insert(outer)
            }
        }
    }

    private func resolveQuotes(_ page: inout NotePage) async throws {
        let quoting = page.events + page.reposted.values.compactMap { page.known[$0] }
        var cited: [(by: EventID, addresses: [EventAddress])] = []
        for event in quoting {
            let citations = page.citations(of: event)
            // Nobody reads more, and a hostile note names thousands.
            let quotes = Array(citations.events.filter { $0.id != event.id }.prefix(Self.mostQuotes))
            for pointer in quotes { page.pointers[pointer.id] = pointer }
            page.quoted[event.id] = quotes.map(\.id)
            let addresses = Array(citations.addresses.filter { $0 != event.address }.prefix(Self.mostQuotes))
            if !addresses.isEmpty { cited.append((event.id, addresses)) }
        }
        try await resolveAddresses(cited, &page)
        let wanted = Set(page.quoted.values.joined()).subtracting(page.known.keys)
        guard !wanted.isEmpty else { return }
        page.known.merge(try await events(with: wanted)) { old, _ in old }
    }

    /// Takes the newest versions of addresses for quotes, as far as they are here; what is not stays a link.
    private func resolveAddresses(
        _ cited: [(by: EventID, addresses: [EventAddress])], _ page: inout NotePage
    ) async throws {
        let wanted = Array(cited.flatMap(\.addresses).uniqued().prefix(Self.mostAddresses))
        guard !wanted.isEmpty else { return }
        let newest = try await newestVersions(of: wanted)
        for (note, addresses) in cited {
            for event in addresses.compactMap({ newest[$0] }) {
                guard page.quoted[note]?.contains(event.id) != true else { continue }
                page.quoted[note, default: []].append(event.id)
                if page.known[event.id] == nil { page.known[event.id] = event }
            }
        }
    }

    /// The version in force of each address that is here.
    private func newestVersions(of addresses: [EventAddress]) async throws -> [EventAddress: Event] {
        var newest: [EventAddress: Event] = [:]
        for event in try await store.query(addresses.map(\.filter)) {
            if let address = event.address, newest[address] == nil { newest[address] = event }
        }
        return newest
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
        guard !ids.isEmpty else { return OwnMarks() }
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

    /// Adds others; where both know a reaction, the one that was here stays.
    mutating func add(_ other: OwnMarks) {
        reactions.merge(other.reactions) { here, _ in here }
        reposts.formUnion(other.reposts)
    }
}
