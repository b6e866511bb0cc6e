internal import NostrCore

/// What not to ask again for a while: tiles that a source does not have, and a source that wants rest.
struct TileMemory: Sendable {
    private static let most = 1024
    /// How long a tile that was not there is not asked for again.
    static let absence: Duration = .seconds(86400)
    /// How long a source rests after a failure, when it does not say.
    static let rest: Duration = .seconds(30)
    private static let longestRest: Duration = .seconds(3600)

    private var absent: [TileAddress: Timestamp] = [:]
    private(set) var restsUntil: Timestamp?

    /// Whether a tile is known not to be there.
    func isAbsent(_ tile: TileAddress, at now: Timestamp) -> Bool {
        absent[tile].map { now < $0 } ?? false
    }

    /// Whether the source is left in peace now.
    func isResting(at now: Timestamp) -> Bool {
        restsUntil.map { now < $0 } ?? false
    }

    /// Notes that a tile is not there.
    mutating func miss(_ tile: TileAddress, at now: Timestamp) {
        if absent.count >= Self.most {
            absent = absent.filter { now < $0.value }
            // Still full: what was forgotten is asked for once more, which is all it costs.
            if absent.count >= Self.most { absent = [:] }
        }
        absent[tile] = now + Self.absence
    }

    /// Notes that the source failed, or asked for rest.
    mutating func rest(_ span: Duration?, at now: Timestamp) {
        restsUntil = now + min(max(span ?? Self.rest, .seconds(1)), Self.longestRest)
    }
}
