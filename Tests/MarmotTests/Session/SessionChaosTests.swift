import NostrTesting
import Testing

@testable import Marmot

@Suite("Sessions of many (MIP-03)") struct SessionChaosTests {
    @Test("whatever relays, clocks and crashes do, all agree on members and keys, or are told that they do not")
    func converges() throws {
        let seeds = 1...UInt64(6 * Noise.factor)
        var toll = WorldToll()
        for seed in seeds { toll.add(try WorldEnd(WorldPlan(seed: seed, size: 2 + Int(seed % 5), steps: 200))) }
        #expect(toll.failed.isEmpty, "\(toll)")
        #expect(toll.apart * 2 <= toll.worlds, "Few lose step: \(toll)")
        #expect(toll.rollbacks > 0 && toll.crashes > 10 && toll.said > 100, "\(toll)")
    }

    @Test("strangers who post junk all the time put nobody out of step")
    func underJunk() throws {
        var toll = WorldToll()
        for seed in 1...UInt64(2 * Noise.factor) {
            toll.add(try WorldEnd(WorldPlan(seed: seed, size: 2 + Int(seed % 4), steps: 200, junk: 1)))
        }
        #expect(toll.failed.isEmpty, "\(toll)")
        #expect(toll.apart * 2 <= toll.worlds && toll.said > 50 && toll.junk > 300, "\(toll)")
    }

    @Test(
        "where nothing goes wrong, strangers who post junk and copies of commits cost nobody a line or their step",
        arguments: [2, 3, 4] as [UInt64])
    func calm(seed: UInt64) throws {
        var world = try SessionWorld(seed: seed, inside: 3, outside: 1, relays: 1 + Int(seed % 2), junk: 1)
        #expect(world.liveCalmly(days: 9, hours: 24).isEmpty)
        #expect(world.commits.count > 3 && world.strangers?.posted ?? 0 > 300)
    }

    @Test("a search for bytes finds them wherever they are, and nothing else")
    func search() {
        let search = NeedleSearch([Array("lapwings".utf8), Array(repeating: 7, count: 32)])
        #expect(search.finds(in: Array("three lapwings".utf8)) && search.finds(in: Array("lapwings three".utf8)))
        #expect(search.finds(in: [1] + Array(repeating: 7, count: 32)))
        #expect(!search.finds(in: Array(repeating: 7, count: 31)) && !search.finds(in: Array("lapwing".utf8)))
        #expect(!search.finds(in: []))
    }
}
