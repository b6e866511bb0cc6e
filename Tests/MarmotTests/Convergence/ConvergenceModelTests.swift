import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

/// An event of the pretended group: sealed in an epoch that the ids of the commits behind it tell apart.
private struct PretendedEvent: Hashable {
    let facts: RivalCommit
    /// The commit that began the epoch.
    let head: EventID
    let isCommit: Bool
}

/// A group that is nothing but its commits.
private struct PretendedGroup: Hashable {
    /// The last of it began the epoch.
    var commits: [EventID] = []
    var epoch: UInt64 { UInt64(commits.count) }

    func head(of epoch: UInt64) -> EventID { epoch == 0 ? id(0) : commits[Int(epoch) - 1] }
}

/// What a member has on the disk.
private struct Disk {
    var group = PretendedGroup()
    var snapshots: [UInt64: PretendedGroup] = [:]
    var own: [EventID: PretendedEvent] = [:]
    var kept: [EventID: PretendedEvent] = [:]
    var shown: [EventID] = []
    var notices: [GroupNotice] = []
    var state: ConvergenceState
}

private struct Member {
    var convergence: Convergence
    var disk: Disk
    /// How far its clock is off; unit: seconds.
    let skew: Int64
    var isOnline = true
    var memory: [EventID: PretendedEvent] = [:]
}

/// Members, one relay that does what relays do, and chance.
private struct World {
    enum Delivery {
        case event(PretendedEvent)
        case answer(ConvergenceInput)
    }

    var random: SeededRandom
    /// How often somebody changes the group; in percent of what happens.
    let changes: Int
    var now = noon
    var members: [Member] = []
    var relay: [EventID: PretendedEvent] = [:]
    var underWay: [(to: Int, what: Delivery)] = []
    var faults = true
    var violations: [String] = []
    var rollbacks = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        changes = [3, 6, 14][Int(seed % 3)]
        for _ in 0..<Int.random(in: 2...8, using: &random) {
            let convergence = Convergence(at: 0, now: noon, hasFreshKeys: true, profile: GenerationB())
            let skew = Int64.random(in: -120...120, using: &random)
            members.append(Member(convergence: convergence, disk: Disk(state: convergence.state), skew: skew))
        }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func fault(_ percent: Int) -> Bool { faults && chance(percent) }

    func clock(_ who: Int) -> Timestamp { now + .seconds(members[who].skew) }

    // MARK: - A member at work

    mutating func apply(_ who: Int, _ input: ConvergenceInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            let effects = members[who].convergence.receive(inputs.removeFirst(), now: clock(who))
            store(who, effects)
            for effect in effects {
                if fault(1) { return crash(who) }
                inputs += perform(who, effect)
            }
        }
    }

    /// What rests on the disk in one step.
    private mutating func store(_ who: Int, _ effects: [ConvergenceEffect]) {
        for effect in effects {
            switch effect {
            case .keep(let id): members[who].disk.kept[id] = members[who].memory[id]
            case .forget(let id): members[who].disk.kept[id] = nil
            case .deliver(let id):
                if members[who].disk.shown.contains(id) { violations.append("shown twice") }
                members[who].disk.shown.append(id)
            case .notice(let notice): members[who].disk.notices.append(notice)
            default: break
            }
        }
        members[who].disk.state = members[who].convergence.state
    }

    private mutating func perform(_ who: Int, _ effect: ConvergenceEffect) -> [ConvergenceInput] {
        switch effect {
        case .open(let id):
            guard let event = members[who].memory[id] else { return [] }
            return [.opened(id, facts(of: event, for: members[who].disk))]
        case .publish(let id): if members[who].isOnline, let event = members[who].disk.own[id] { publish(who, event) }
        case .fetchBack(let id):
            if members[who].isOnline, !fault(20) {
                underWay.append((who, .answer(relay[id] == nil ? .notFound(id) : .echoed(id))))
            }
        case .snapshot(let epoch):
            let group = members[who].disk.group
            if group.epoch == epoch { members[who].disk.snapshots[epoch] = group }
        case .removeSnapshots(let epoch):
            members[who].disk.snapshots = members[who].disk.snapshots.filter { $0.key >= epoch }
        case .merge(let id): return merge(who, id, on: nil)
        case .rollBack(let epoch, let id): return merge(who, id, on: epoch)
        case .clearPending(let id): members[who].disk.own[id] = nil
        case .sendWelcomes(let id):
            if !members[who].disk.group.commits.contains(id) { violations.append("a Welcome before its merge") }
            return [.welcomed(id)]
        case .refetch, .softResync: if members[who].isOnline { fetchAll(who) }
        case .selfUpdate: change(who)
        case .keep, .forget, .deliver, .redo, .subscribe, .hardResync, .askMembers, .commitProposals, .notice: break
        }
        return []
    }

    private mutating func merge(_ who: Int, _ id: EventID, on epoch: UInt64?) -> [ConvergenceInput] {
        if members[who].disk.group.commits.last == id { return [.merged(id)] }
        if let epoch, members[who].disk.group.epoch != epoch {
            guard let group = members[who].disk.snapshots[epoch] else {
                violations.append("no snapshot")
                return [.mergeRefused(id)]
            }
            members[who].disk.group = group
            rollbacks += 1
        }
        if relay[id] == nil { violations.append("merged before any relay had it") }
        members[who].disk.group.commits.append(id)
        members[who].disk.own[id] = nil
        return [.merged(id)]
    }

    private func facts(of event: PretendedEvent, for disk: Disk) -> GroupEventFacts {
        let (group, id) = (disk.group, event.facts.id)
        let oldest = group.epoch - min(group.epoch, UInt64(EpochKeyring.lookback))
        guard let epoch = (oldest...group.epoch).first(where: { group.head(of: $0) == event.head }) else {
            return .undecryptable
        }
        guard event.isCommit else { return .application(epoch: epoch, message: id.bytes, rumor: id) }
        guard epoch == group.epoch || disk.snapshots[epoch] != nil else {
            return .uncheckedCommit(epoch: epoch, message: id.bytes)
        }
        return .commit(epoch: epoch, message: id.bytes, removesUs: false)
    }

    mutating func crash(_ who: Int) {
        members[who].memory = members[who].disk.kept
        guard let state = try? ConvergenceState(bytes: members[who].disk.state.encoded) else {
            violations.append("a state that cannot be read")
            return
        }
        members[who].convergence = Convergence(state, profile: GenerationB())
        apply(who, .restarted(ownCommits: Set(members[who].disk.own.keys)))
        if members[who].isOnline { fetchAll(who) }
    }

    // MARK: - What members do

    private mutating func event(_ who: Int, isCommit: Bool) -> PretendedEvent {
        let group = members[who].disk.group
        let facts = RivalCommit(id: EventID(.random(using: &random)), createdAt: clock(who))
        return PretendedEvent(facts: facts, head: group.head(of: group.epoch), isCommit: isCommit)
    }

    mutating func change(_ who: Int) {
        guard members[who].convergence.canCommit, members[who].isOnline else { return }
        let event = event(who, isCommit: true)
        members[who].disk.own[event.facts.id] = event
        if fault(5) { return crash(who) }
        let own = OwnCommitFacts(
            event.facts, epoch: members[who].disk.group.epoch, message: event.facts.id.bytes, invites: chance(30))
        apply(who, .made(own))
    }

    mutating func speak(_ who: Int) { publish(who, event(who, isCommit: false)) }

    private mutating func publish(_ who: Int, _ event: PretendedEvent) {
        if fault(15) { return }
        relay[event.facts.id] = event
        if !fault(20) { underWay.append((who, .answer(.accepted(event.facts.id)))) }
        for other in members.indices where members[other].isOnline && !fault(15) {
            underWay.append((other, .event(event)))
            if fault(15) { underWay.append((other, .event(event))) }
        }
    }

    mutating func fetchAll(_ who: Int) {
        for event in relay.values.sorted(by: { $0.facts.id < $1.facts.id }) { underWay.append((who, .event(event))) }
        underWay.append((who, .answer(.caughtUp)))
    }

    mutating func deliver(_ index: Int) {
        let (who, what) = underWay.remove(at: index)
        guard members[who].isOnline else { return }
        switch what {
        case .answer(let input): apply(who, input)
        case .event(let event):
            members[who].memory[event.facts.id] = event
            apply(who, .received(event.facts, size: 100))
        }
    }

    // MARK: - A day of theirs

    mutating func act() {
        let who = Int.random(in: members.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<changes: change(who)
        case changes..<22: if members[who].isOnline { speak(who) }
        case 22..<24: crash(who)
        case 24..<26:
            members[who].isOnline.toggle()
            if members[who].isOnline { fetchAll(who) } else { apply(who, .disconnected) }
        case 26..<38:
            now = now + .seconds(Int64.random(in: 1...15, using: &random))
            for member in members.indices { apply(member, .tick) }
        default:
            for _ in 0..<6 where !underWay.isEmpty { deliver(Int.random(in: underWay.indices, using: &random)) }
        }
    }

    /// All are online, and everything arrives, in some order.
    mutating func heal() {
        faults = false
        for who in members.indices { members[who].isOnline = true }
        for round in 0..<24 {
            for who in members.indices {
                fetchAll(who)
                if round == 8 { speak(who) }
            }
            while !underWay.isEmpty { deliver(Int.random(in: underWay.indices, using: &random)) }
            now = now + .seconds(round < 6 ? 60 : 600)
            for who in members.indices { apply(who, .tick) }
        }
    }

    /// Whether all are in one epoch, or those who are not in that of most others know it.
    var isHonest: Bool {
        let branches = Dictionary(grouping: members, by: \.disk.group)
        guard let most = branches.values.map(\.count).max() else { return true }
        let left = branches.values.filter { $0.count == most }
        let lost = branches.values.filter { $0.count < most }.joined() + (left.count > 1 ? Array(left.joined()) : [])
        let names: Set<GroupNotice> = [.unread, .outOfStep, .backInStep]
        return lost.allSatisfy { member in
            member.disk.notices.last(where: names.contains).map { $0 != .backInStep } ?? false
        }
    }

    var agree: Bool { Set(members.map(\.disk.group)).count == 1 }
}

@Suite("Convergence of many (MIP-03)") struct ConvergenceModelTests {
    /// What chance did with one seed.
    private func run(_ seed: UInt64, steps: Int) -> World {
        var world = World(seed: seed)
        for _ in 0..<steps { world.act() }
        world.heal()
        #expect(world.violations.isEmpty, "seed \(seed)")
        let isHonest = world.isHonest
        #expect(isHonest, "seed \(seed)")
        let isInEpoch = world.members.allSatisfy { $0.disk.group.epoch == $0.convergence.state.epoch }
        #expect(isInEpoch, "seed \(seed)")
        return world
    }

    @Test("whatever relays, clocks and crashes do, all agree or are told that they do not")
    func converges() {
        let seeds = 1...UInt64(40 * Noise.factor)
        let worlds = seeds.map { run($0, steps: 300) }
        let apart = zip(seeds, worlds).filter { !$1.agree }.map(\.0)
        #expect(apart.count * 10 <= seeds.count, "Few lose step: \(apart)")
        #expect(worlds.contains { $0.members[0].disk.group.epoch > 6 } && worlds.contains { $0.rollbacks > 6 })
    }
}
