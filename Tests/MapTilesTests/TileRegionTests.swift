import Testing

@testable import MapTiles

@Suite("Regions of tiles")
struct TileRegionTests {
    @Test("have the tiles that cover them, each once")
    func cover() throws {
        // Berlin's middle; the tile numbers are those of the formula in Web Mercator: x = (lon+180)/360·2^z.
        let region = try #require(TileRegion(south: 52.50, west: 13.37, north: 52.53, east: 13.43, zooms: 10...14))
        let tiles = (0..<region.count).compactMap { region[$0] }
        #expect(tiles.count == region.count && Set(tiles).count == region.count)
        #expect(tiles.first == TileAddress(z: 10, x: 550, y: 335))
        #expect(tiles.contains(try #require(TileAddress(z: 14, x: 8801, y: 5373))))
        #expect(tiles.map(\.z) == tiles.map(\.z).sorted())
        #expect(region[region.count] == nil && region[-1] == nil)
    }

    @Test("cross the date line")
    func dateLine() throws {
        let region = try #require(TileRegion(south: -18, west: 179.5, north: -16, east: -179.5, zooms: 8...8))
        let columns = Set((0..<region.count).compactMap { region[$0]?.x })
        #expect(columns == [255, 0])
        let around = try #require(TileRegion(south: -80, west: 1, north: 80, east: 0.5, zooms: 0...2))
        #expect(around.count == Set((0..<around.count).compactMap { around[$0] }).count)
    }

    @Test("reach the poles, where the map ends")
    func poles() throws {
        let region = try #require(TileRegion(south: -90, west: -180, north: 90, east: 180, zooms: 0...4))
        #expect(region.count == 1 + 4 + 16 + 64 + 256)
    }

    @Test("are no more than a guest may ask for")
    func bound() {
        #expect(TileRegion(south: -90, west: -180, north: 90, east: 180, zooms: 0...6) == nil)
        #expect(TileRegion(south: -90, west: -180, north: 90, east: 180, zooms: 0...22) == nil)
        #expect(TileRegion(south: 0, west: 0, north: 40, east: 40, zooms: 22...22) == nil)
        #expect((TileRegion(south: 0, west: 0, north: 40, east: 40, zooms: 8...8)?.count ?? 0) <= TileRegion.most)
    }

    @Test(
        "are of degrees that are some",
        arguments: [
            (2, 0, 1, 1), (.nan, 0, 1, 1), (0, .infinity, 1, 1), (0, 0, 91, 1), (-91, 0, 1, 1), (0, -181, 1, 1),
            (0, 0, 1, .nan),
        ] as [(Double, Double, Double, Double)])
    func degrees(south: Double, west: Double, north: Double, east: Double) {
        #expect(TileRegion(south: south, west: west, north: north, east: east, zooms: 0...3) == nil)
        #expect(TileRegion(south: 0, west: 0, north: 1, east: 1, zooms: -1...3) == nil)
        #expect(TileRegion(south: 0, west: 0, north: 1, east: 1, zooms: 0...23) == nil)
    }
}
