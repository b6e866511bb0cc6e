internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// What much is made of, as it was counted or told last.
struct TrendingNotes: Sendable {
    /// The notes, in their order.
    var ids: [EventID]
    /// When.
    var at: Timestamp
}

/// Trending notes: counted here from what the store holds, or told by a server that the person named.
extension Timeline {
    /// So many events are counted, the newest.
    private static let mostCounted = 5_000
    /// So many notes are looked at closer.
    private static let mostCandidates = 200
    private static let mostRemembered = 24
    /// What was counted stays for so long.
    private static let kept: Duration = .seconds(60)
    /// Where nothing was counted, what relays gave meanwhile is looked at soon.
    private static let keptEmpty: Duration = .seconds(5)
    /// So many notes are asked of a server.
    private static let asked = 50

    /// The notes in their order; there is no second page.
    func page(of choice: TrendingChoice, limit: Int) async throws -> TimelinePage {
        if choice.server == nil { try await count(choice) }
        let mutes = await mutes.upToDate()
        let ids = trending[choice]?.ids ?? []
        let found = ids.isEmpty ? [] : try await context.store.query([Filter(ids: Set(ids))])
        let events = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let shown = ids.lazy.compactMap { events[$0] }.filter {
            NoteKinds.trending.contains($0.kind) && !mutes.hides($0)
        }
        return TimelinePage(
            notes: try await notes(for: Array(shown.prefix(limit)), mutes), next: nil,
            isLoadingOlder: requests.contains(.older(.trending(choice))))
    }

    /// Counts anew what was counted too long ago.
    private func count(_ choice: TrendingChoice) async throws {
        let now = context.time.now()
        if let known = trending[choice], known.at + (known.ids.isEmpty ? Self.keptEmpty : Self.kept) > now { return }
        let since = choice.span.length.map { now - $0 }
        let counted = try await context.store.query([
            Filter(kinds: choice.measure.kinds, since: since, until: now, limit: Self.mostCounted)
        ])
        let ranking = await ranking(choice.measure, of: counted, without: await mutes.upToDate().people)
        let candidates = Set(ranking.candidates(Self.mostCandidates))
        let notes = candidates.isEmpty ? [] : try await context.store.query([Filter(ids: candidates)])
        let paid = choice.measure == .zaps ? try await paid(for: candidates, since: since) : [:]
        remember(ranking.ranked(notes, paid: paid).map(\.id), for: choice, now: now)
    }

    /// What receipts that keep every rule say was paid for notes since a moment, among the largest ones of each.
    private func paid(for notes: Set<EventID>, since: Timestamp?) async throws -> [EventID: Int64] {
        guard !notes.isEmpty else { return [:] }
        let muted = mutes.current.people
        let claims = try await context.store.referenceCounts(to: notes, kinds: [ZapReceipt.kind])
        return claims.compactMapValues { $0[ZapReceipt.kind] }.reduce(into: [:]) { paid, entry in
            let tally = zaps.tally(of: entry.key, claimed: entry.value, without: muted)
            let counted = tally.largest.filter { zap in since.map { zap.paidAt >= $0 } ?? true }
            paid[entry.key] = ZapTally(counted).millisatoshis
        }
    }

    private func remember(_ ids: [EventID], for choice: TrendingChoice, now: Timestamp) {
        if trending[choice] == nil, trending.count >= Self.mostRemembered { trending = [:] }
        trending[choice] = TrendingNotes(ids: ids, at: now)
    }

    /// Asks a server for what it counted; its order is kept.
    func load(_ choice: TrendingChoice) async {
        let now = context.time.now()
        defer {
            var horizon = Horizon(since: now, until: now)
            horizon.isEnd = true
            horizons[.trending(choice)] = horizon
        }
        guard let feed = choice.feed else { return }
        let order = Mutex<[EventID]>([])
        let requests = gossip.requests([Filter(kinds: [1], limit: Self.asked)], of: [feed])
        await gossip.fetch(requests, deadline: context.configuration.deadlines.search) { update in
            guard case .events(let events, let relay) = update, await self.gossip.keep(events, from: relay) else {
                return
            }
            order.withLock { $0 += events.map(\.id) }
        }
        let ids = order.withLock { $0 }.uniqued()
        // A server that says nothing now takes nothing back.
        if !ids.isEmpty { remember(Array(ids.prefix(Self.mostCandidates)), for: choice, now: now) }
    }
}

extension NoteKinds {
    /// What can be trending: what people wrote, not that it was reposted.
    static let trending = timelines.subtracting([6, 16]).union([1111])
}

/// Counts away from the actor, which pages wait for.
@concurrent
private func ranking(
    _ measure: TrendingChoice.Measure, of events: [Event], without muted: Set<PublicKey>
) async -> TrendingRanking {
    var ranking = TrendingRanking(measure, without: muted)
    for event in events { ranking.count(event) }
    return ranking
}
