public import AsyncPrimitives
public import NostrCore

/// Gives tiles of one source: from the cache where it has them, else fetched by this program.
///
/// The tile server sees this program and what it asks for; it never sees the page, its cookies or its address.
public actor TileSupply {
    /// What became of a wish for a tile.
    public enum Outcome: Hashable, Sendable {
        /// The picture; old where the source could not be asked whether there is a newer one.
        case picture(TilePicture, isOld: Bool)
        /// The source has none there.
        case absent
        /// It could not be had now.
        case unavailable
    }

    /// The source.
    public nonisolated let source: TileSource
    private let cache: TileCache
    private let fetching: any TileFetching
    private let time: Time<Timestamp>
    private let agent: String
    private let permits = AsyncSemaphore(permits: 2, longestQueue: 256)
    private var memory = TileMemory()
    private var waiting: [TileAddress: [CheckedContinuation<Outcome, Never>]] = [:]

    private static let deadline: Duration = .seconds(10)
    /// A week at the least, whatever the server says: its operators ask for that, and streets do not move.
    private static let shortestFreshness: Duration = .seconds(7 * 86400)
    private static let longestFreshness: Duration = .seconds(30 * 86400)

    /// Tiles of one source.
    ///
    /// - Parameters:
    ///   - source: where they come from.
    ///   - cache: where they rest.
    ///   - fetching: asks the tile server, at most two at a time.
    ///   - time: the date, and what the pauses between two tiles of a region run on.
    ///   - agent: the name and version of this program, with a way to reach its makers; no name of a person.
    public init(source: TileSource, cache: TileCache, fetching: any TileFetching, time: Time<Timestamp>, agent: String)
    {
        self.source = source
        self.cache = cache
        self.fetching = fetching
        self.time = time
        self.agent = agent
    }

    /// Gives a tile; callers that ask for the same tile meanwhile get the same answer.
    public func tile(_ tile: TileAddress) async -> Outcome {
        guard let url = source.url(of: tile) else { return .absent }
        if waiting[tile] != nil {
            return await withCheckedContinuation { waiting[tile]?.append($0) }
        }
        waiting[tile] = []
        let outcome = await find(tile, url)
        for other in waiting.removeValue(forKey: tile) ?? [] { other.resume(returning: outcome) }
        return outcome
    }

    private func find(_ tile: TileAddress, _ url: String) async -> Outcome {
        let kept = await cache.tile(tile, of: source)
        if let kept, time.now() < kept.freshUntil { return .picture(kept.picture, isOld: false) }
        if memory.isAbsent(tile, at: time.now()) { return .absent }
        let fallback = kept.map { Outcome.picture($0.picture, isOld: true) } ?? .unavailable
        guard !memory.isResting(at: time.now()) else { return fallback }
        do {
            return try await permits.withPermit { await ask(tile, url, kept, fallback) }
        } catch {
            // Too many wait already, or nobody waits for this tile any more.
            return fallback
        }
    }

    private func ask(_ tile: TileAddress, _ url: String, _ kept: KeptTile?, _ fallback: Outcome) async -> Outcome {
        // The source may have failed while this one waited for its turn.
        guard !memory.isResting(at: time.now()) else { return fallback }
        let request = TileRequest(
            url: url, tag: kept?.tag, agent: agent, deadline: Self.deadline, longest: TilePicture.longest)
        let answer: TileAnswer
        do {
            answer = try await fetching.fetch(request)
        } catch {
            // A browser that went away is no failure of the source.
            if !Task.isCancelled { memory.rest(nil, at: time.now()) }
            return fallback
        }
        return await outcome(of: answer, tile, kept, fallback)
    }

    private func outcome(of answer: TileAnswer, _ tile: TileAddress, _ kept: KeptTile?, _ fallback: Outcome) async
        -> Outcome
    {
        let now = time.now()
        switch answer.status {
        case 200:
            guard let picture = TilePicture(answer.body) else {
                // A page that asks for a login or a payment, say: no reason to ask for every tile.
                memory.rest(nil, at: now)
                return fallback
            }
            return await keep(picture, answer, tile, at: now)
        case 304:
            guard let kept else { return .unavailable }
            return await keep(kept.picture, answer, tile, at: now, tag: kept.tag)
        case 204, 404, 410:
            memory.miss(tile, at: now)
            return .absent
        default:
            memory.rest(answer.retryAfter, at: now)
            return fallback
        }
    }

    private func keep(
        _ picture: TilePicture, _ answer: TileAnswer, _ tile: TileAddress, at now: Timestamp, tag: String? = nil
    ) async -> Outcome {
        let span = min(max(answer.maxAge ?? .zero, Self.shortestFreshness), Self.longestFreshness)
        let kept = KeptTile(picture: picture, tag: answer.tag ?? tag, fetchedAt: now, freshUntil: now + span)
        await cache.keep(kept, tile, of: source)
        return .picture(picture, isOld: false)
    }

    /// Waits between two tiles of a region; throws once nobody wants it any more.
    func pausing() async throws {
        try await time.sleep(for: Self.pause)
    }

    /// A tile as it lies in the cache, however old.
    func kept(_ tile: TileAddress) async -> TilePicture? { await cache.tile(tile, of: source)?.picture }

    /// Whether a tile needs no asking.
    func isKept(_ tile: TileAddress) async -> Bool {
        guard let kept = await cache.tile(tile, of: source) else { return false }
        return time.now() < kept.freshUntil
    }
}
