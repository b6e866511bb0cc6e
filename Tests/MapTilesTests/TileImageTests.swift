import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import MapTiles

/// Pictures of 9 × 7 dots as Pillow 12 writes them, with every way of filtering a row that it takes.
private let samples: [(name: String, file: String)] = [
    (
        "rgba",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAYAAADam2dgAAAANUlEQVR4nGNkYGD4L8vI8AYfZmFWZfjLzMiKFyMp4sKJ0RTxY8VYFIlgYByKJFEwHkVycAwANLhDECiVBogAAAAASUVORK5CYII="
    ),
    (
        "rgb",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAIAAABV+fA3AAAAL0lEQVR4nGNkYGCQZcSOWJhVGZgZWbEiuBwXJkKW40dDaHIiyAhTThKOsMrJQRAA7CQFU4jlYLgAAAAASUVORK5CYII="
    ),
    (
        "grey",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAAAAAD/8Di8AAAAEklEQVR4nGNkkIUCJmYYIJ0FAE+gAZg4jRCyAAAAAElFTkSuQmCC"
    ),
    (
        "greyAndOpacity",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAQAAABwkq/rAAAAFklEQVR4nGNk+C/7BhUyMf9FhzQWAgBmbz9Ve0qX+AAAAABJRU5ErkJggg=="
    ),
    (
        "palette2",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHAQMAAADgVfUjAAAABlBMVEUAAAAyWoLBat/jAAAAAnRSTlMAyOMsh7oAAAARSURBVHicYwhlYFx1jQGVBAA90wXY0piT9wAAAABJRU5ErkJggg=="
    ),
    (
        "palette4",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHAgMAAACn9Y/zAAAADFBMVEUAAAAyWoJktASWDoZ0x3ABAAAAAnRSTlMAyOMsh7oAAAAbSURBVHicY5CWZmAJZLjC4sogwniM4RcDEh8AR4IFOoD/QjsAAAAASUVORK5CYII="
    ),
    (
        "palette16",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHBAMAAAAotXpTAAAAMFBMVEUAAAAyWoJktASWDobIaAj6woosHAxedo6Q0BDCKpL0hBQm3pZYOBiKkpq87BzuRp6E5J8WAAAAAnRSTlMAyOMsh7oAAAAWSURBVHicY2RUUlKSZBIUFBQUwE8CADgcAobU2Z4+AAAAAElFTkSuQmCC"
    ),
    (
        "palette40",
        "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAHCAMAAADtRZdSAAAAeFBMVEUAAAAyWoJktASWDobIaAj6woosHAxedo6Q0BDCKpL0hBQm3pZYOBiKkpq87BzuRp4goCBS+qKEVCS2rqboCCgaYqpMvCx+Fq6wcDDiyrIUJDRGfrZ42DiqMrrcjDwO5r5AQEBymsKk9ETWTsYIqEg6AspsXEyets4mvKizAAAAAnRSTlMAyOMsh7oAAAAmSURBVHicPca1AQAgAMCw4s7/5zKVTIEQUy619Z+BmZiF2ZiDuQ8xFQG6JS6I+wAAAABJRU5ErkJggg=="
    ),
]

/// What the sample shows at a place.
private func expected(_ name: String, _ x: Int, _ y: Int) -> [UInt8] {
    func byte(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    let (red, green, blue) = (byte(x * 29 + y * 3), byte(y * 37 + x), byte(x * y * 5))
    let opacity = byte(255 - x * 20 - y * 3)
    switch name {
    case "rgba": return [red, green, blue, opacity]
    case "rgb": return [red, green, blue, 255]
    case "grey": return [red, red, red, 255]
    case "greyAndOpacity": return [red, red, red, opacity]
    default:
        let index = (x + y) % (Int(name.dropFirst("palette".count)) ?? 1)
        let opacity: UInt8 = index == 0 ? 0 : index == 1 ? 200 : 255
        return [byte(index * 50), byte(index * 90), byte(index * 130), opacity]
    }
}

@Suite("Tiles as dots (PNG)") struct TileImageTests {
    private func file(_ name: String) throws -> [UInt8] {
        try #require(samples.first { $0.name == name }.flatMap { Data(base64Encoded: $0.file) }.map { Array($0) })
    }

    private func dot(_ image: TileImage, _ x: Int, _ y: Int) -> [UInt8] {
        Array(image.dots[image.offset(x, y)..<image.offset(x, y) + 4])
    }

    @Test("reads what another program wrote, dot by dot", arguments: samples.map(\.name))
    func reads(name: String) throws {
        let image = try #require(TileImage(png: file(name)))
        #expect(image.width == 9 && image.height == 7)
        for y in 0..<7 {
            for x in 0..<9 { #expect(dot(image, x, y) == expected(name, x, y), "\(x), \(y)") }
        }
    }

    @Test("rows filtered by the average of left and above are read as PNG §9.2 says")
    func averages() throws {
        let head = PNGChunks.number(3) + PNGChunks.number(2) + [8, 0, 0, 0, 0]
        let file =
            PNGChunks.signature + PNGChunks.chunk("IHDR", head)
            + PNGChunks.chunk("IDAT", Zlib.packed([3, 100, 50, 25, 3, 10, 0, 0])) + PNGChunks.chunk("IEND", [])
        let image = try #require(TileImage(png: file))
        let greys = (0..<6).map { dot(image, $0 % 3, $0 / 3)[0] }
        #expect(greys == [100, 100, 75, 60, 80, 77])
    }

    @Test("what it writes, it reads")
    func writes() throws {
        let image = try #require(TileImage(png: file("rgba")))
        #expect(TileImage(png: image.png) == image)
        #expect(TilePicture(image.png)?.kind == .png)
    }

    @Test("a damaged file is refused or read, and never traps", arguments: samples.map(\.name))
    func noise(name: String) throws {
        let bytes = try file(name)
        var random = SeededRandom(seed: 5)
        for _ in 0..<(200 * Noise.factor) {
            var changed = bytes
            changed[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            if let image = TileImage(png: changed) { #expect(image.width == 9 && image.height == 7) }
            _ = TileImage(png: Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))))
        }
        // With sums that are right, all else is looked at.
        for _ in 0..<(200 * Noise.factor) {
            var head = (0..<13).map { _ in UInt8.random(in: 0...8, using: &random) }
            head.replaceSubrange(0..<3, with: [0, 0, 0])
            head.replaceSubrange(4..<7, with: [0, 0, 0])
            let rows = (0..<Int.random(in: 0...400, using: &random)).map { _ in UInt8.random(in: 0...5, using: &random)
            }
            let file =
                PNGChunks.signature + PNGChunks.chunk("IHDR", head) + PNGChunks.chunk("PLTE", [1, 2, 3, 4, 5, 6])
                + PNGChunks.chunk("IDAT", Zlib.packed(rows)) + PNGChunks.chunk("IEND", [])
            if let image = TileImage(png: file) { #expect(image.dots.count == image.width * image.height * 4) }
        }
    }

    @Test("a file that says it is larger than a tile is refused before anything is unpacked")
    func large() {
        let head = PNGChunks.number(1025) + PNGChunks.number(8) + [8, 0, 0, 0, 0]
        let file = PNGChunks.signature + PNGChunks.chunk("IHDR", head) + PNGChunks.chunk("IDAT", [])
        #expect(TileImage(png: file) == nil)
    }

    @Test("the part for a nearer tile shows its square, enlarged", arguments: [1, 2, 4])
    func part(halvings: Int) throws {
        // Four colours, one in each quarter.
        var image = TileImage(width: 64, height: 64)
        for y in 0..<64 {
            for x in 0..<64 {
                let place = image.offset(x, y)
                (image.dots[place], image.dots[place + 1], image.dots[place + 3]) = (
                    x < 32 ? 10 : 200, y < 32 ? 20 : 220, 255
                )
            }
        }
        let last = (1 << halvings) - 1
        for (x, y, colour) in [(0, 0, [10, 20, 0, 255]), (last, 0, [200, 20, 0, 255]), (0, last, [10, 220, 0, 255])]
            as [(Int, Int, [UInt8])]
        {
            let tile = try #require(TileAddress(z: halvings, x: x, y: y))
            let part = image.part(tile, halvings: halvings, side: 256)
            #expect(part.width == 256 && part.height == 256)
            // Towards the middle, a quarter mixes with its neighbours.
            for (column, row) in [(8, 8), (100, 100), (120, 30)] {
                let (across, down) = (x == 0 ? column : 255 - column, y == 0 ? row : 255 - row)
                #expect(dot(part, across, down) == colour, "\(x), \(y): \(column), \(row)")
            }
        }
    }
}
