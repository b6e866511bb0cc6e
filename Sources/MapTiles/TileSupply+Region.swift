internal import Synchronization

/// How far the fetching of a region has come.
public struct TileProgress: Hashable, Sendable {
    /// The tiles of the region.
    public let count: Int
    /// Those that were dealt with.
    public internal(set) var done = 0
    /// Those of them that are there now, or that the source does not have.
    public internal(set) var ready = 0
    /// Whether the source refused or was out of reach, so that the rest was left for another time.
    public internal(set) var isBroken = false
}

extension TileSupply {
    /// The time between two tiles that nobody waits for: four a second, far below what is asked of guests.
    static let pause: Duration = .milliseconds(250)

    /// Fetches a region, tile after tile, as fast as its progress is read; who stops reading stops it.
    ///
    /// It ends early, with ``TileProgress/isBroken``, at the first tile that cannot be had: what fails once fails for the
    /// rest, and a guest does not insist. Started again it goes on from what is there.
    public nonisolated func fetch(_ region: TileRegion) -> AsyncStream<TileProgress> {
        let state = Mutex(TileProgress(count: region.count))
        return AsyncStream {
            let progress = state.withLock { $0 }
            guard !progress.isBroken, let tile = region[progress.done] else { return nil }
            let outcome = await self.outcome(of: tile, isFirst: progress.done == 0)
            guard let outcome else { return nil }
            return state.withLock { state in
                state.done += 1
                switch outcome {
                case .picture(_, let isOld) where isOld: state.isBroken = true
                case .unavailable: state.isBroken = true
                case .picture, .absent: state.ready += 1
                }
                return state
            }
        }
    }

    /// `nil` once nobody wants it any more.
    private nonisolated func outcome(of tile: TileAddress, isFirst: Bool) async -> Outcome? {
        if await !isKept(tile), !isFirst {
            do {
                try await pausing()
            } catch {
                return nil
            }
        }
        return Task.isCancelled ? nil : await self.tile(tile)
    }
}
