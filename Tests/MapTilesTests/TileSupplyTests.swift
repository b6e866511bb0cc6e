import AsyncPrimitives
import Foundation
import NostrCore
import Testing

@testable import MapTiles

@Suite("The supply of tiles")
struct TileSupplyTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("supply-\(UUID().uuidString)").path
    let clock = TileClock()

    private func supply(_ server: ScriptedTileServer) throws -> TileSupply {
        let clock = clock
        let cache = try TileCache(folder: folder, now: { clock.date })
        let source = try TileSource(template: "https://t.example/{z}/{x}/{y}.png", maxZoom: 18)
        return TileSupply(source: source, cache: cache, fetching: server, time: clock.time, agent: "Linnet/test")
    }

    private func tile(_ x: Int = 1) throws -> TileAddress { try #require(TileAddress(z: 10, x: x, y: 2)) }

    private func png(_ fill: UInt8 = 0) throws -> TilePicture { try #require(TilePicture(picture(100, fill))) }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    @Test("asks once, then has it; asks a week later whether it has changed")
    func revalidation() async throws {
        defer { clean() }
        let server = ScriptedTileServer { request, number in
            if number == 1 { return TileAnswer(status: 200, tag: "\"one\"", maxAge: .seconds(60), body: picture()) }
            if number == 2 { return TileAnswer(status: 304) }
            return TileAnswer(status: 200, tag: "\"two\"", body: picture(100, 9))
        }
        let supply = try supply(server)
        #expect(try await supply.tile(tile()) == .picture(png(), isOld: false))
        clock.advance(.seconds(6 * 86400))
        #expect(try await supply.tile(tile()) == .picture(png(), isOld: false))
        #expect(server.requests.count == 1)
        clock.advance(.seconds(2 * 86400))
        #expect(try await supply.tile(tile()) == .picture(png(), isOld: false))
        #expect(try await supply.tile(tile()) == .picture(png(), isOld: false))
        #expect(server.requests.map(\.tag) == [nil, "\"one\""])
        clock.advance(.seconds(8 * 86400))
        #expect(try await supply.tile(tile()) == .picture(png(9), isOld: false))
        #expect(server.requests.map(\.tag) == [nil, "\"one\"", "\"one\""])
        #expect(server.requests[0].agent == "Linnet/test" && server.requests[0].longest == 1 << 20)
        #expect(server.requests[0].url == "https://t.example/10/1/2.png")
    }

    @Test("shows an old tile while the source cannot be asked, and says so")
    func stale() async throws {
        defer { clean() }
        let server = ScriptedTileServer { _, number in
            if number == 1 { return TileAnswer(status: 200, body: picture()) }
            throw ScriptedTileServer.Unreachable()
        }
        let supply = try supply(server)
        _ = try await supply.tile(tile())
        clock.advance(.seconds(8 * 86400))
        #expect(try await supply.tile(tile()) == .picture(png(), isOld: true))
        #expect(try await supply.tile(tile(2)) == .unavailable)
        // At rest, it was not asked again.
        #expect(server.requests.count == 2)
        clock.advance(.seconds(31))
        #expect(try await supply.tile(tile(2)) == .unavailable)
        #expect(server.requests.count == 3)
    }

    @Test("without a network shows what a larger tile has of a place, and a region does not take that for its own")
    func enlarged() async throws {
        defer { clean() }
        var world = TileImage(width: 256, height: 256)
        for place in world.dots.indices { world.dots[place] = place % 4 == 3 ? 255 : 90 }
        let file = world.png
        let server = ScriptedTileServer { _, number in
            if number == 1 { return TileAnswer(status: 200, body: file) }
            throw ScriptedTileServer.Unreachable()
        }
        let supply = try supply(server)
        _ = try await supply.tile(tile())
        let near = try #require(TileAddress(z: 12, x: 1 << 2, y: 2 << 2))
        guard case .picture(let picture, let isOld) = await supply.shown(near) else {
            Issue.record("There is a larger one.")
            return
        }
        #expect(isOld && TileImage(png: picture.bytes) == world)
        #expect(await supply.tile(near) == .unavailable)
        let far = try #require(TileAddress(z: 15, x: 1 << 5, y: 2 << 5))
        #expect(await supply.shown(far) == .unavailable, "Too far to be seen.")
        let elsewhere = try #require(TileAddress(z: 12, x: 0, y: 0))
        #expect(await supply.shown(elsewhere) == .unavailable)
    }

    @Test("does not ask again for what is not there", arguments: [204, 404, 410])
    func absence(status: Int) async throws {
        defer { clean() }
        let server = ScriptedTileServer { _, _ in TileAnswer(status: status) }
        let supply = try supply(server)
        for _ in 0..<3 { #expect(try await supply.tile(tile()) == .absent) }
        #expect(server.requests.count == 1)
        clock.advance(.seconds(86401))
        #expect(try await supply.tile(tile()) == .absent)
        #expect(server.requests.count == 2)
        #expect(try await supply.tile(#require(TileAddress(z: 19, x: 1, y: 1))) == .absent)
        #expect(server.requests.count == 2)
    }

    @Test(
        "leaves a source in peace that asks for it, as long as it asks, but an hour at the most",
        arguments: [
            (429, 120, 119, 121), (503, 900_000, 3599, 3601), (403, nil, 29, 31), (302, nil, 29, 31), (500, -5, 0, 2),
        ]
            as [(Int, Int64?, Int64, Int64)])
    func rest(status: Int, wanted: Int64?, still: Int64, over: Int64) async throws {
        defer { clean() }
        let server = ScriptedTileServer { _, _ in
            TileAnswer(status: status, retryAfter: wanted.map { .seconds($0) }, body: picture())
        }
        let supply = try supply(server)
        #expect(try await supply.tile(tile()) == .unavailable)
        clock.advance(.seconds(still))
        #expect(try await supply.tile(tile(2)) == .unavailable)
        #expect(server.requests.count == 1)
        clock.advance(.seconds(over - still))
        #expect(try await supply.tile(tile(2)) == .unavailable)
        #expect(server.requests.count == 2)
    }

    @Test("takes no page for a picture")
    func notAPicture() async throws {
        defer { clean() }
        let server = ScriptedTileServer { _, _ in TileAnswer(status: 200, body: Array("<script>".utf8)) }
        let supply = try supply(server)
        #expect(try await supply.tile(tile()) == .unavailable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
    }

    @Test("asks two at a time, and once for those who want the same")
    func together() async throws {
        defer { clean() }
        let server = ScriptedTileServer(holds: true) { _, _ in TileAnswer(status: 200, body: picture()) }
        let supply = try supply(server)
        let tiles = try (0..<6).map { try tile($0 % 3) }
        let outcomes = await withTaskGroup(of: TileSupply.Outcome.self) { group in
            for tile in tiles { group.addTask { await supply.tile(tile) } }
            await server.holding(2)
            server.release()
            await server.holding(1)
            server.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try outcomes.count == 6 && outcomes.allSatisfy { try $0 == .picture(png(), isOld: false) })
        #expect(server.requests.count == 3 && server.mostAtOnce == 2)
    }

    @Test("a service fetches the region asked for last, and none once it is stopped")
    func service() async throws {
        defer { clean() }
        let server = ScriptedTileServer { _, _ in TileAnswer(status: 200, body: picture()) }
        let cache = try TileCache(folder: folder, now: { clock.date })
        let service = TileService(cache: cache, fetching: server, time: clock.time, agent: "Linnet/test")
        let supply = await service.supply(try TileSource(template: "https://t.example/{z}/{x}/{y}.png"))
        let region = try #require(TileRegion(south: -80, west: -180, north: 80, east: 180, zooms: 0...1))
        let other = try #require(TileRegion(south: -80, west: -180, north: 80, east: 180, zooms: 0...2))
        await service.fetch(other, supply)
        await service.stop()
        #expect(await service.progress == nil)
        await service.fetch(region, supply)
        await withTaskGroup(of: Void.self) { group in
            // Days pass at once on this clock: the one that drops old tiles would never rest.
            group.addTask { await service.fetchRegions() }
            while await service.progress?.done != region.count { await service.progressChanges.wait() }
            group.cancelAll()
        }
        #expect(await service.progress?.ready == region.count && server.requests.count == region.count)
    }

    @Test("fetches a region at a guest's pace, and goes on from what is there")
    func region() async throws {
        defer { clean() }
        let server = ScriptedTileServer { _, number in TileAnswer(status: number == 3 ? 404 : 200, body: picture()) }
        let supply = try supply(server)
        let region = try #require(TileRegion(south: -80, west: -180, north: 80, east: 180, zooms: 0...2))
        var seen: [TileProgress] = []
        for await progress in supply.fetch(region) { seen.append(progress) }
        #expect(seen.map(\.done) == Array(1...21))
        #expect(seen.last?.ready == 21 && seen.last?.count == 21 && seen.last?.isBroken == false)
        #expect(server.requests.count == 21 && server.mostAtOnce == 1)
        #expect(clock.slept == Array(repeating: TileSupply.pause, count: 20))
        for await progress in supply.fetch(region) { seen.append(progress) }
        #expect(seen.last?.ready == 21 && server.requests.count == 21)
    }

    @Test("stops a region at the first refusal, and when nobody reads on")
    func regionStops() async throws {
        defer { clean() }
        let server = ScriptedTileServer { _, number in TileAnswer(status: number < 4 ? 200 : 429, body: picture()) }
        let supply = try supply(server)
        let region = try #require(TileRegion(south: -80, west: -180, north: 80, east: 180, zooms: 0...2))
        for await progress in supply.fetch(region) where progress.done == 2 { break }
        #expect(server.requests.count == 2)
        var last: TileProgress?
        for await progress in supply.fetch(region) { last = progress }
        #expect(last?.isBroken == true && last?.done == 4 && last?.ready == 3)
        #expect(server.requests.count == 4)
    }

    @Test("forgets what is absent rather than grow without bound")
    func memory() throws {
        var memory = TileMemory()
        for x in 0..<1024 { memory.miss(try tile(x), at: clock.date) }
        #expect(memory.isAbsent(try tile(5), at: clock.date))
        memory.miss(try #require(TileAddress(z: 11, x: 1, y: 1)), at: clock.date)
        #expect(!memory.isAbsent(try tile(5), at: clock.date))
    }
}
