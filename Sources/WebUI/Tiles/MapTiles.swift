internal import NostrCore
internal import ViewModels

/// The tiles of the maps of this program: from the source that a person named, kept on disk, a region at a time ahead.
public actor MapTiles {
    /// Where Leaflet's files are; `nil` where it is not installed.
    nonisolated let leaflet: String?
    private let cache: TileCache
    private let fetching: any TileFetching
    private let clock: WebClock
    private let agent: String
    private var current: TileSupply?
    private var errand: Task<Void, Never>?
    private var reached: TileProgress?

    /// Takes the cache, who asks, and where Leaflet is.
    ///
    /// - Parameters:
    ///   - agent: the name and version of this program; no name of a person.
    ///   - leaflet: the folder with `leaflet.js` and `leaflet.css`, if there is one.
    public init(
        cache: TileCache, fetching: any TileFetching, clock: WebClock = .system, agent: String, leaflet: String?
    ) {
        (self.cache, self.fetching, self.clock, self.agent) = (cache, fetching, clock, agent)
        self.leaflet = leaflet
    }

    /// Lets go once a day of what nobody looks at; returns when the program shuts down.
    public func run() async {
        while !Task.isCancelled {
            await cache.expire()
            do { try await clock.sleep(.seconds(86_400)) } catch { break }
        }
        stop()
    }

    /// Gives tiles of a source; `nil` where none is named.
    func supply(_ settings: Settings) -> TileSupply? {
        guard let source = tileSource(settings) else { return nil }
        if let current, current.source == source { return current }
        stop()
        let fresh = TileSupply(source: source, cache: cache, fetching: fetching, clock: clock, agent: agent)
        current = fresh
        return fresh
    }

    /// Begins to fetch a region, instead of one that was being fetched.
    func fetch(_ region: TileRegion, _ supply: TileSupply) {
        stop()
        reached = TileProgress(count: region.count)
        errand = Task {
            for await progress in supply.fetch(region) where !Task.isCancelled { reached = progress }
        }
    }

    /// How far the last region has come.
    var progress: TileProgress? { reached }

    /// Fetches no region any more.
    func stop() {
        errand?.cancel()
        (errand, reached) = (nil, nil)
    }

    /// The bytes of what is kept.
    var size: Int { get async { await cache.size } }

    /// Deletes what is kept.
    func clear() async throws {
        stop()
        try await cache.clear()
    }
}

/// The source in the settings; what was kept there was checked when it was named.
func tileSource(_ settings: Settings) -> TileSource? {
    settings.mapSource.flatMap {
        try? TileSource(template: $0.template, attribution: $0.attribution, maxZoom: $0.maxZoom)
    }
}
