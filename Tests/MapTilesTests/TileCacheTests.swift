import Foundation
import NostrCore
import Testing

@testable import MapTiles

@Suite("The cache of tiles")
struct TileCacheTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tiles-\(UUID().uuidString)").path
    let clock = TileClock()
    let source: TileSource

    init() throws {
        source = try TileSource(template: "https://t.example/{z}/{x}/{y}.png")
    }

    private func open(bytes: Int = 1 << 20) throws -> TileCache {
        let clock = clock
        return try TileCache(folder: folder, limits: .init(bytes: bytes), now: { clock.date })
    }

    private func tile(_ x: Int) throws -> TileAddress { try #require(TileAddress(z: 17, x: x, y: 42987)) }

    private func kept(_ length: Int = 1000) throws -> KeptTile {
        KeptTile(
            picture: try #require(TilePicture(picture(length))), tag: "\"a\"", fetchedAt: clock.date,
            freshUntil: clock.date + .seconds(60))
    }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    @Test("keeps a tile over a restart, under a name that tells nothing")
    func keeps() async throws {
        defer { clean() }
        let cache = try open()
        try await cache.keep(kept(), tile(70406), of: source)
        let again = try open()
        #expect(try await again.tile(tile(70406), of: source) == kept())
        #expect(try await again.tile(tile(70407), of: source) == nil)
        let other = try TileSource(template: "https://u.example/{z}/{x}/{y}.png")
        #expect(try await again.tile(tile(70406), of: other) == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "key" }
        #expect(names.count == 1 && names[0].count == 69 && !names[0].contains("70406"))
        let rights = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(rights == 0o700)
        // Another cache names the same tile otherwise.
        try await again.clear()
        try await again.keep(kept(), tile(70406), of: source)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "key" } != names)
    }

    @Test("stays within its bytes; what was used longest ago goes first, also after a restart")
    func bound() async throws {
        defer { clean() }
        let first = try open(bytes: 10_000)
        for x in 0..<8 {
            clock.advance(.seconds(10))
            try await first.keep(kept(), tile(x), of: source)
        }
        clock.advance(.seconds(10))
        #expect(try await first.tile(tile(0), of: source) != nil)
        let cache = try open(bytes: 10_000)
        #expect(await cache.count == 8)
        for x in 8..<12 {
            clock.advance(.seconds(10))
            try await cache.keep(kept(), tile(x), of: source)
        }
        #expect(await cache.size <= 10_000)
        #expect(try await cache.tile(tile(0), of: source) != nil)
        #expect(try await cache.tile(tile(1), of: source) == nil)
        #expect(try await cache.tile(tile(11), of: source) != nil)
        let bytes = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "key" }.count
        #expect(await bytes == cache.count)
    }

    @Test("lets go of what nobody looked at for long, and of everything when told to")
    func expiry() async throws {
        defer { clean() }
        let cache = try open()
        try await cache.keep(kept(), tile(1), of: source)
        try await cache.keep(kept(), tile(2), of: source)
        clock.advance(.seconds(60 * 86400))
        _ = try await cache.tile(tile(2), of: source)
        clock.advance(.seconds(31 * 86400))
        await cache.expire()
        #expect(try await cache.tile(tile(1), of: source) == nil)
        #expect(try await cache.tile(tile(2), of: source) != nil)
        try await cache.clear()
        #expect(await cache.count == 0)
        #expect(await cache.size == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
    }

    @Test("throws away a file that is damaged")
    func damage() async throws {
        defer { clean() }
        let cache = try open()
        try await cache.keep(kept(), tile(1), of: source)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first { $0 != "key" })
        try Data("LTC1".utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
        #expect(try await cache.tile(tile(1), of: source) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
    }

    @Test("never traps on a file of noise")
    func noise() throws {
        let file = try kept(40).file
        #expect(KeptTile(file: file) == (try kept(40)))
        for length in 0..<file.count { _ = KeptTile(file: Array(file.prefix(length))) }
        var generator = SeededBytes(seed: 3)
        for _ in 0..<2000 {
            var changed = file
            changed[Int(generator.next() % UInt64(file.count))] = UInt8(truncatingIfNeeded: generator.next())
            _ = KeptTile(file: changed)
        }
    }
}
