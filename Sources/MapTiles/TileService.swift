public import AsyncPrimitives
public import NostrCore

/// The tiles of this program's maps: from the source that a person named, kept on disk, a region at a time ahead.
public actor TileService {
    private struct Wish {
        let number: Int
        let region: TileRegion
        let supply: TileSupply
    }

    private let cache: TileCache
    private let fetching: any TileFetching
    private let time: Time<Timestamp>
    private let agent: String
    private var current: TileSupply?
    private var wish: Wish?
    private var lastNumber = 0
    private let wishes = Doorbell()

    /// How far the region that was asked for last has come; `nil` when none was, or it was stopped.
    public private(set) var progress: TileProgress? { didSet { progressChanges.ring() } }
    /// Rings when ``progress`` has changed.
    package nonisolated let progressChanges = Doorbell()

    /// A service without a source yet.
    ///
    /// - Parameters:
    ///   - cache: where tiles rest.
    ///   - fetching: asks tile servers.
    ///   - time: what the pauses between two tiles of a region run on, and the date.
    ///   - agent: the name and version of this program; no name of a person.
    public init(cache: TileCache, fetching: any TileFetching, time: Time<Timestamp>, agent: String) {
        (self.cache, self.fetching, self.time, self.agent) = (cache, fetching, time, agent)
    }

    /// Fetches the regions that are asked for, and drops once a day what nobody looks at; returns when cancelled.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.expireDaily() }
            group.addTask { await self.fetchRegions() }
        }
        stop()
    }

    /// The tiles of a source; those of another source are not fetched any more.
    public func supply(_ source: TileSource) -> TileSupply {
        if let current, current.source == source { return current }
        stop()
        let fresh = TileSupply(source: source, cache: cache, fetching: fetching, time: time, agent: agent)
        current = fresh
        return fresh
    }

    /// Asks for a region, instead of the one that was being fetched; ``run()`` fetches it.
    public func fetch(_ region: TileRegion, _ supply: TileSupply) {
        lastNumber += 1
        wish = Wish(number: lastNumber, region: region, supply: supply)
        progress = TileProgress(count: region.count)
        wishes.ring()
    }

    /// Fetches no region any more.
    public func stop() {
        (wish, progress) = (nil, nil)
        wishes.ring()
    }

    /// The bytes of what is kept.
    public var size: Int { get async { await cache.size } }

    /// Deletes what is kept.
    public func clear() async throws {
        stop()
        try await cache.clear()
    }

    private func expireDaily() async {
        while !Task.isCancelled {
            await cache.expire()
            await time.pause(for: .seconds(86_400))
        }
    }

    func fetchRegions() async {
        while !Task.isCancelled {
            guard let wish else {
                await wishes.wait()
                continue
            }
            await withTaskGroup { [wishes] group in
                group.addTask { await self.fetch(wish) }
                group.addTask { await wishes.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func fetch(_ wish: Wish) async {
        for await reached in wish.supply.fetch(wish.region) {
            guard self.wish?.number == wish.number else { return }
            progress = reached
        }
        // A ring that was kept from before cancels this too, and then it begins anew.
        if !Task.isCancelled, self.wish?.number == wish.number { self.wish = nil }
    }
}
