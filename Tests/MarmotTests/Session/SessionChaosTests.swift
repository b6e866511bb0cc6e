import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// What members do all day.
extension SessionWorld {
    mutating func say(_ who: Int) {
        let now = clock(who)
        let draft = EventDraft(kind: 9, content: "\(Int.random(in: 0..<1_000_000, using: &random))", createdAt: now)
        guard members[who].isIn, var session = members[who].session else { return }
        do {
            let (event, _) = try session.say(draft, now: now, using: &random)
            members[who].session = session
            members[who].outbox.append(event)
            carryOut(who, [])
        } catch { violations.append("not said: \(error)") }
    }

    mutating func change(_ who: Int, _ change: GroupChange) {
        guard members[who].isIn, var session = members[who].session else { return }
        // What an admin may not do, or what makes no sense any more, is refused at once; that is no violation.
        guard let effects = try? session.change(change, now: clock(who), using: &random) else { return }
        members[who].session = session
        carryOut(who, effects)
    }

    mutating func leave(_ who: Int) {
        guard members[who].isIn, var session = members[who].session else { return }
        // An admin may not.
        guard let event = try? session.leave(now: clock(who), using: &random) else { return }
        members[who].session = session
        members[who].outbox.append(event)
        carryOut(who, [])
    }

    mutating func changeSomething(_ who: Int) {
        let other = Int.random(in: members.indices, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: change(who, .freshKeys)
        case 3..<6:
            var edit = GroupEdit()
            edit.name = "Family \(Int.random(in: 0..<100, using: &random))"
            change(who, .edit(edit))
        case 6..<8: if members[other].session == nil { change(who, .add([members[other].package.event])) }
        case 8: if other > 1 { change(who, .remove([members[other].person])) }
        default: if chance(40) { leave(who) }
        }
    }

    mutating func act() {
        let who = Int.random(in: members.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<8: if members[who].isOnline { changeSomething(who) }
        case 8..<22: if members[who].isOnline { say(who) }
        case 22..<24: crash(who)
        case 24..<26:
            members[who].isOnline.toggle()
            if members[who].isOnline { fetchAll(who) } else { tell(who, .disconnected) }
        case 26..<38:
            now = now + .seconds(Int64.random(in: 1...15, using: &random))
            for member in members.indices { tell(member, .tick) }
        default:
            for _ in 0..<6 where !underWay.isEmpty { deliver(Int.random(in: underWay.indices, using: &random)) }
        }
    }

    /// All are online, and everything arrives, in some order.
    mutating func heal() {
        faults = false
        for who in members.indices { members[who].isOnline = true }
        for round in 0..<20 {
            for who in members.indices where members[who].session != nil {
                fetchAll(who)
                if round == 8 { say(who) }
            }
            while !underWay.isEmpty { deliver(Int.random(in: underWay.indices, using: &random)) }
            now = now + .seconds(round < 6 ? 60 : 600)
            for who in members.indices { tell(who, .tick) }
        }
    }

    /// Those who are members, by what they think the group is.
    var branches: [[UInt8]: [WorldMember]] {
        Dictionary(grouping: members.filter { $0.place != nil }) { $0.place ?? [] }
    }

    /// Whether all are in one epoch, or those who are not in that of most others were told.
    var isHonest: Bool {
        let sizes = branches.values.map(\.count)
        guard let most = sizes.max() else { return true }
        let lost = branches.values.filter { $0.count < most || sizes.count(where: { $0 == most }) > 1 }.joined()
        let names: Set<ConvergenceNotice> = [.outOfStep, .unreadable, .backInStep]
        return lost.allSatisfy { member in
            member.notices.last(where: names.contains).map { $0 != .backInStep } ?? false
        }
    }
}

@Suite("Sessions of many (MIP-03)") struct SessionChaosTests {
    @Test("whatever relays, clocks and crashes do, all agree on members and keys, or are told that they do not")
    func converges() throws {
        let seeds = 1...UInt64(6 * Noise.factor)
        var apart: [UInt64] = []
        var (rollbacks, crashes, said) = (0, 0, 0)
        for seed in seeds {
            var world = try SessionWorld(seed: seed, inside: 2 + Int(seed % 5), outside: 3)
            for _ in 0..<240 { world.act() }
            world.heal()
            #expect(world.violations.isEmpty, "seed \(seed)")
            let isHonest = world.isHonest
            #expect(isHonest, "seed \(seed)")
            if world.branches.count > 1 { apart.append(seed) }
            rollbacks += world.rollbacks
            crashes += world.crashes
            said += world.members.map(\.shown.count).reduce(0, +)
        }
        #expect(apart.count * 2 <= seeds.count, "Few lose step: \(apart)")
        #expect(rollbacks > 0 && crashes > 10 && said > 100)
    }
}
