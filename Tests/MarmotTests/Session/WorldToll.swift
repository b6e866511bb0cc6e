import NostrCore

@testable import Marmot

/// What a world is made of.
struct WorldPlan: Sendable {
    var seed: UInt64
    /// How many members there are at first.
    var size: Int
    /// How many more may be added.
    var outside = 3
    var relays = 2
    var steps: Int
    /// How many events a second strangers post under the group's id.
    var junk = 0
}

/// How a world ended.
struct WorldEnd: Sendable {
    let plan: WorldPlan
    let world: WorldFigures
    /// What those were told who ended apart; empty where all agreed.
    var apart: [GroupNotice?] = []
    /// What must not be.
    var failures: [String] = []

    init(_ plan: WorldPlan) throws {
        self.plan = plan
        var world = try SessionWorld(
            seed: plan.seed, inside: plan.size, outside: plan.outside, relays: plan.relays, junk: plan.junk)
        for _ in 0..<plan.steps { world.act() }
        world.heal()
        apart = world.apart.map(\.told)
        if !world.isHonest { failures.append("somebody is apart and was not told") }
        let missing = world.missing.filter { $0.notices.last != .removed }
        if !missing.isEmpty { failures.append("\(missing.count) wait for a Welcome") }
        world.mend()
        if world.unmended > 0 { failures.append("\(world.unmended) could not be let in again") }
        world.checkSecrecy()
        world.checkRelays()
        failures += world.violations
        self.world = WorldFigures(world)
    }
}

/// What happened in a world.
struct WorldFigures: Sendable {
    let steps: Int
    let commits: Int
    let rollbacks: Int
    let crashes: Int
    let said: Int
    let junk: Int

    init(_ world: SessionWorld) {
        (steps, commits, rollbacks) = (world.steps, world.commits.count, world.rollbacks)
        junk = world.strangers?.posted ?? 0
        (crashes, said) = (world.crashes, world.members.map(\.shown.count).reduce(0, +))
    }
}

/// What happened in many worlds.
struct WorldToll: Sendable, CustomStringConvertible {
    private(set) var worlds = 0
    private(set) var members = 0
    private(set) var steps = 0
    private(set) var commits = 0
    private(set) var rollbacks = 0
    private(set) var crashes = 0
    private(set) var said = 0
    private(set) var junk = 0
    /// How many worlds ended with somebody apart who was told.
    private(set) var apart = 0
    private(set) var told: [GroupNotice: Int] = [:]
    private(set) var failed: [WorldEnd] = []

    mutating func add(_ end: WorldEnd) {
        worlds += 1
        members += end.plan.size + end.plan.outside
        steps += end.world.steps
        commits += end.world.commits
        rollbacks += end.world.rollbacks
        crashes += end.world.crashes
        said += end.world.said
        junk += end.world.junk
        if !end.failures.isEmpty { failed.append(end) }
        guard !end.apart.isEmpty else { return }
        apart += 1
        for case let notice? in end.apart { told[notice, default: 0] += 1 }
    }

    var description: String {
        let agreed = worlds - apart - failed.count(where: \.apart.isEmpty)
        let notices = told.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key)" }
        let rows: [(String, String)] = [
            ("worlds", "\(worlds)"), ("members", "\(members)"), ("steps", "\(steps)"), ("commits", "\(commits)"),
            ("rollbacks", "\(rollbacks)"), ("crashes", "\(crashes)"), ("messages shown", "\(said)"),
            ("junk posted", "\(junk)"), ("all agreed", "\(agreed)"),
            ("somebody apart", "\(apart) (members told: \(notices.joined(separator: ", ")))"),
            ("dishonest", "\(failed.count)"),
        ]
        let table = rows.map { $0.0 + String(repeating: " ", count: 16 - $0.0.count) + $0.1 }
        let seeds = failed.map { "seed \($0.plan.seed): \(Set($0.failures).sorted().joined(separator: "; "))" }
        return "\n" + (table + seeds).joined(separator: "\n") + "\n"
    }
}
