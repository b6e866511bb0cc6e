import Foundation
import Testing

@testable import Marmot

/// Which worlds a soak goes through: `LINNET_SOAK_WORLDS` says how many, `LINNET_SOAK_SEED` which one alone.
private enum Soak {
    static let seeds: ClosedRange<UInt64>? = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["LINNET_SOAK_SEED"].flatMap(UInt64.init) { return seed...seed }
        guard let worlds = environment["LINNET_SOAK_WORLDS"].flatMap(UInt64.init), worlds > 0 else { return nil }
        return 1...worlds
    }()
}

/// Long chaos, by `make soak`.
@Suite("Sessions of very many, for long (MIP-03)", .enabled(if: Soak.seeds != nil)) struct SessionSoakTests {
    private static let sizes = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32]

    private static func plan(_ seed: UInt64) -> WorldPlan {
        let size = sizes[Int(seed % UInt64(sizes.count))]
        return WorldPlan(
            seed: seed, size: size, outside: 2 + size / 8, relays: 1 + Int(seed / 12 % 4), steps: 400)
    }

    @Test("all agree on members and keys, or are told that they do not")
    func converges() async throws {
        try await goThrough { Self.plan($0) }
    }

    @Test("strangers who post junk all the time put nobody out of step")
    func underJunk() async throws {
        try await goThrough { seed in
            var plan = Self.plan(seed)
            (plan.size, plan.junk) = (min(plan.size, 8), 10)
            return plan
        }
    }

    @Test("junk as fast as relays let it through costs nobody a line, a renewal or their step", arguments: 1...8)
    func storm(number: UInt64) throws {
        guard let seeds = Soak.seeds, seeds.contains(number) else { return }
        var world = try SessionWorld(
            seed: number, inside: 2 + Int(number % 3), outside: 1, relays: 1 + Int(number % 2), junk: 100)
        let losses = world.liveCalmly(days: 9, hours: 6)
        print("storm \(number): \(world.strangers?.posted ?? 0) posted, \(world.commits.count) commits, \(losses)")
        #expect(losses.isEmpty)
    }

    private func goThrough(_ plan: @escaping @Sendable (UInt64) -> WorldPlan) async throws {
        let seeds = try #require(Soak.seeds)
        let width = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        let toll = try await withThrowingTaskGroup(of: WorldEnd.self) { group in
            var toll = WorldToll()
            for seed in seeds {
                if seed - seeds.lowerBound >= width, let end = try await group.next() { add(end, to: &toll) }
                group.addTask { try WorldEnd(plan(seed)) }
            }
            while let end = try await group.next() { add(end, to: &toll) }
            return toll
        }
        print(toll)
        #expect(toll.failed.isEmpty, "Run one again alone by LINNET_SOAK_SEED.")
    }

    /// Says what matters at once: a soak takes long.
    private func add(_ end: WorldEnd, to toll: inout WorldToll) {
        toll.add(end)
        let names = end.apart.map { $0.map { "\($0)" } ?? "nothing" }
        if !names.isEmpty || !end.failures.isEmpty {
            let who = "\(end.plan.size) members, \(end.plan.relays) relays"
            print("seed \(end.plan.seed) (\(who)): apart \(names), \(end.failures.prefix(3))")
        }
        if toll.worlds % 20 == 0 { print(toll) }
    }
}
