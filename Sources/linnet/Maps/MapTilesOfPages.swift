import MapTiles
import ViewModels
import WebUI

/// The pictures of the map that pages show: tiles.
struct MapTilesOfPages: MapPictures {
    let tiles: TileService
    let leaflet: String?

    func problem(with source: MapSource) -> MapSourceProblem? {
        do throws(TileSourceError) {
            _ = try TileSource(source)
            return nil
        } catch {
            return MapSourceProblem(error)
        }
    }

    func picture(_ zoom: String, _ column: String, _ row: String, of source: MapSource) async -> MapPicture {
        // A source that cannot be used has no tiles.
        guard let tile = TileAddress(z: zoom, x: column, y: row), let source = try? TileSource(source) else {
            return .absent
        }
        switch await tiles.supply(source).shown(tile) {
        case .picture(let picture, _): return .file(picture.bytes, type: picture.kind.rawValue)
        case .absent: return .absent
        case .unavailable: return .unavailable
        }
    }

    func keep(_ part: MapPart, of source: MapSource) async -> MapPartProblem? {
        // What is wrong with it is said where it is named.
        guard let source = try? TileSource(source) else { return .noSource }
        let region = TileRegion.nearest(
            south: part.south, west: part.west, north: part.north, east: part.east, from: part.zoom,
            to: source.maxZoom)
        guard let region else { return .tooLarge(most: TileRegion.most) }
        await tiles.fetch(region, tiles.supply(source))
        return nil
    }

    func stopKeeping() async { await tiles.stop() }

    var progress: MapProgress? {
        get async {
            await tiles.progress.map {
                MapProgress(count: $0.count, done: $0.done, ready: $0.ready, isBroken: $0.isBroken)
            }
        }
    }

    var size: Int { get async { await tiles.size } }

    func clear() async throws { try await tiles.clear() }
}

extension TileSource {
    /// The source in the settings.
    fileprivate init(_ source: MapSource) throws(TileSourceError) {
        try self.init(template: source.template, attribution: source.attribution, maxZoom: source.maxZoom)
    }
}

extension MapSourceProblem {
    fileprivate init(_ error: TileSourceError) {
        self =
            switch error {
            case .notSecure: .notSecure
            case .missing(let mark): .missing(mark)
            case .unknownMark: .unknownMark
            case .notAnAddress: .notAnAddress
            case .tooLong: .tooLong
            case .badZoom: .badZoom
            }
    }
}
