internal import Foundation

/// A part of the map to keep for when there is no network: all its tiles, from far to near.
public struct TileRegion: Hashable, Sendable {
    /// The most tiles that a source is asked for at once.
    public static let most = 2000

    private struct Layer: Hashable {
        let z: Int
        /// Columns counted on past the date line, where the region crosses it.
        let columns: ClosedRange<Int>
        let rows: ClosedRange<Int>
        var count: Int { columns.count * rows.count }
    }

    private let layers: [Layer]
    /// How many tiles it has; at most ``most``.
    public let count: Int

    /// Cuts a region out of the map.
    ///
    /// - Parameters:
    ///   - south, west, north, east: degrees. East of less than west is a region across the date line.
    ///   - zooms: 0…``TileAddress/deepest``.
    /// - Returns: `nil` for degrees that are none, and for more than ``most`` tiles.
    public init?(south: Double, west: Double, north: Double, east: Double, zooms: ClosedRange<Int>) {
        guard [south, north].allSatisfy({ (-90...90).contains($0) }), south <= north,
            [west, east].allSatisfy({ (-180...180).contains($0) }),
            zooms.lowerBound >= 0, zooms.upperBound <= TileAddress.deepest
        else { return nil }
        var layers: [Layer] = []
        var count = 0
        for z in zooms {
            let first = Self.column(west, z)
            let last = Self.column(east, z) + (east < west ? 1 << z : 0)
            let rows = Self.row(north, z)...Self.row(south, z)
            // Both ends in one column across the date line: once around, and no tile twice.
            let layer = Layer(z: z, columns: first...min(max(first, last), first + (1 << z) - 1), rows: rows)
            let (product, overflows) = layer.columns.count.multipliedReportingOverflow(by: rows.count)
            guard !overflows, product <= Self.most - count else { return nil }
            count += product
            layers.append(layer)
        }
        self.layers = layers
        self.count = count
    }

    /// The tile of a rank, far ones first; `nil` past the end.
    public subscript(rank: Int) -> TileAddress? {
        guard rank >= 0 else { return nil }
        var rest = rank
        for layer in layers {
            if rest >= layer.count {
                rest -= layer.count
                continue
            }
            let x = (layer.columns.lowerBound + rest % layer.columns.count) % (1 << layer.z)
            return TileAddress(z: layer.z, x: x, y: layer.rows.lowerBound + rest / layer.columns.count)
        }
        return nil
    }

    private static func column(_ longitude: Double, _ z: Int) -> Int {
        place((longitude + 180) / 360, z)
    }

    private static func row(_ latitude: Double, _ z: Int) -> Int {
        let sine = sin(min(max(latitude, -85.0511), 85.0511) * .pi / 180)
        return place(0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi), z)
    }

    /// The square in which a part of 0…1 falls; the far edge belongs to the last.
    private static func place(_ part: Double, _ z: Int) -> Int {
        let side = 1 << z
        return min(side - 1, Int((min(max(part, 0), 1) * Double(side)).rounded(.down)))
    }
}

extension TileRegion {
    /// A part of the map from how near it is looked at to four steps nearer, or as near as fits.
    ///
    /// - Parameters:
    ///   - zoom: how near it is looked at.
    ///   - deepest: the nearest tiles that the source has.
    /// - Returns: `nil` where even its own zoom has more than ``most`` tiles.
    public static func nearest(
        south: Double, west: Double, north: Double, east: Double, from zoom: Int, to deepest: Int
    ) -> TileRegion? {
        guard (0...deepest).contains(zoom) else { return nil }
        return (zoom...min(zoom + 4, deepest)).reversed().lazy.compactMap {
            TileRegion(south: south, west: west, north: north, east: east, zooms: zoom...$0)
        }.first
    }
}
