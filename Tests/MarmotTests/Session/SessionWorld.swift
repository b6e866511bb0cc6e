import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// Members with real groups, relays that do what relays do, and chance.
///
/// A seed decides everything but the keys that MLS draws: a world that is run again goes the same way, unless two commits
/// for one epoch were made in the same second.
struct SessionWorld {
    enum Delivery {
        case event(Event)
        case answer(SessionInput)
        /// What relays had, and whether one of them gave all.
        case fetched([Event], isComplete: Bool)
        case welcome(Welcoming)
    }

    /// What is in every text that somebody says, and in every name.
    static let marker = "lapwings"

    var random: SeededRandom
    var now = noon
    var members: [WorldMember] = []
    var relays: [WorldRelay]
    var underWay: [(to: Int, what: Delivery)] = []
    var faults = true
    var violations: [String] = []
    /// Who was in the group for whom an event, or a rumor, was made.
    var audiences: [EventID: Set<PublicKey>] = [:]
    var rollbacks = 0
    /// How many were out of step after an admin had let all in again who were told so.
    var unmended = 0
    var crashes = 0
    var steps = 0
    var commits: Set<EventID> = []
    /// Who posts junk under the group's id; nobody in most worlds.
    var strangers: WorldStrangers?
    private let policy = MarmotPolicy.at(noon)
    /// Under junk, members keep so little that it pushes out what they wait for.
    private var limits = SessionLimits()

    /// - Parameters:
    ///   - inside: how many are members at first; the first few are admins.
    ///   - outside: how many more may be added.
    ///   - junk: how many events a second strangers post under the group's id.
    init(seed: UInt64, inside: Int, outside: Int, relays: Int = 2, junk: Int = 0) throws {
        random = SeededRandom(seed: seed)
        strangers = junk > 0 ? WorldStrangers(seed: seed, perSecond: junk) : nil
        if junk > 0 { limits.waitingEvents = 64 }
        self.relays = Array(repeating: WorldRelay(), count: relays)
        for index in 0..<(inside + outside) { members.append(try WorldMember(seed: seed &* 1000 &+ UInt64(index))) }
        for index in members.indices { members[index].skew = Int64.random(in: -240...240, using: &random) }
        var data = try Circle.data("\(Self.marker) at first")
        data.admins = Set(members.prefix(min(2 + inside / 8, inside)).map(\.person))
        let invited = members[1..<inside].map(\.package.published)
        var group = try MarmotGroup(
            founding: data, with: members[0].package.own, invited: invited, profile: GenerationB(), policy: policy,
            using: &random)
        let commit = try group.commit(group.adding(invited), now: now, using: &random)
        try group.merge(commit.commit)
        members[0].session = GroupSession(group, now: now, hasFreshKeys: true, limits: limits)
        let welcome = try #require(commit.welcome)
        for (index, published) in zip(1..<inside, invited) {
            let rumor = try Circle.rumor(welcome, published, by: members[0].person)
            join(index, Welcoming(person: published.owner, rumor: rumor))
        }
        for index in 0..<inside { store(index) }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func fault(_ percent: Int) -> Bool { faults && chance(percent) }

    func clock(_ who: Int) -> Timestamp { now + .seconds(members[who].skew) }

    // MARK: - A member at work

    mutating func apply(_ who: Int, _ input: SessionInput) {
        if case .event(let event) = input { receive(who, [event]) } else { carryOut(who, process(who, input)) }
    }

    /// As the program does, hears many events in one step.
    mutating func receive(_ who: Int, _ events: [Event]) {
        var effects: [SessionEffect] = []
        for event in events { effects += process(who, .event(event)) }
        carryOut(who, effects)
        do { try lookAtSpares(who) } catch { violations.append("not joined: \(error)") }
    }

    private mutating func process(_ who: Int, _ input: SessionInput) -> [SessionEffect] {
        let now = clock(who)
        guard let effects = members[who].session?.receive(input, now: now, using: &random) else { return [] }
        witness(who, effects)
        return effects
    }

    /// Stores a step, then does it; the program may end at any moment in between.
    mutating func carryOut(_ who: Int, _ effects: [SessionEffect]) {
        steps += 1
        if fault(1) { return crash(who) }
        var welcomed: [EventID] = []
        for effect in effects {
            switch effect {
            case .message(let message): shown(who, message)
            case .welcome(let welcomes, let id):
                members[who].parcels += welcomes
                welcomed.append(id)
            case .offer(let event): members[who].outbox.append(event)
            case .notice(let notice): told(who, notice)
            case .wentBack: rollbacks += 1
            case .dropped(_, let error) where error.code == .malformed || error.code == .refusedByMLS:
                violations.append("dropped: \(error)")
            default: break
            }
        }
        for id in welcomed { _ = process(who, .welcomed(id)) }
        store(who)
        for effect in effects {
            if fault(1) { return crash(who) }
            perform(who, effect)
        }
        sendAll(who)
    }

    private mutating func store(_ who: Int) {
        guard let changes = members[who].session?.takeChanges() else { return }
        for (part, bytes) in changes { members[who].disk[part] = bytes }
    }

    private mutating func perform(_ who: Int, _ effect: SessionEffect) {
        guard members[who].isOnline else { return }
        switch effect {
        case .publish(let event):
            if publish(who, event), !fault(20) { underWay.append((who, .answer(.accepted(event.id)))) }
        case .fetchBack(let id):
            guard relays.contains(where: \.isUp), !fault(20) else { return }
            let found = relays.lazy.filter(\.isUp).compactMap { $0[id] }.first
            underWay.append((who, found.map { .event($0) } ?? .answer(.notFound(id))))
        case .refetch(let since, _): fetch(who, since: since)
        case .askMembers: ask(who)
        case .message(let message): answer(who, message)
        default: break
        }
    }

    private mutating func sendAll(_ who: Int) {
        guard members[who].isOnline else { return }
        for event in members[who].outbox {
            _ = publish(who, event)
            guard relays.allSatisfy({ $0.standing == .gone || $0[event.id] != nil }) else { continue }
            members[who].outbox.removeAll { $0.id == event.id }
        }
        for parcel in members[who].parcels where !fault(20) {
            if let other = members.firstIndex(where: { $0.person == parcel.person }) {
                underWay.append((other, .welcome(parcel)))
            }
            members[who].parcels.removeAll { $0 == parcel }
        }
    }

    mutating func crash(_ who: Int) {
        crashes += 1
        guard !members[who].disk.isEmpty else { return members[who].session = nil }
        do {
            members[who].session = try GroupSession(
                members[who].disk, profile: GenerationB(), policy: policy, limits: limits)
        } catch { violations.append("not read back: \(error)") }
        apply(who, .restarted)
        catchUp(who)
    }

    /// Comes in, where one is not in already and in step.
    mutating func join(_ who: Int, _ welcoming: Welcoming) {
        do {
            let rumor = try WelcomeRumor(welcoming.rumor)
            if let session = members[who].session {
                switch session.judge(rumor, enteredBy: members[who].entry) {
                case .drop: return
                case .keep:
                    members[who].spares.append(rumor)
                    return try lookAtSpares(who)
                case .enter: break
                }
            }
            if let group = try members[who].group(by: rumor, policy: policy) { try enter(who, group, by: rumor) }
        } catch { violations.append("not joined: \(error)") }
    }

    /// Comes in by a Welcome that was kept, where it leads to what others send.
    private mutating func lookAtSpares(_ who: Int) throws {
        for rumor in members[who].spares {
            guard let session = members[who].session, let group = try members[who].group(by: rumor, policy: policy),
                session.isOvertaken(by: group, now: clock(who))
            else { continue }
            return try enter(who, group, by: rumor)
        }
    }

    private mutating func enter(_ who: Int, _ group: MarmotGroup, by rumor: WelcomeRumor) throws {
        let since = min(clock(who), rumor.createdAt)
        members[who].session = GroupSession(group, now: since, hasFreshKeys: false, limits: limits)
        members[who].entry = GroupEntry(rumor)
        members[who].spares.removeAll { $0.createdAt <= rumor.createdAt }
        (members[who].disk, members[who].notices) = ([:], [])
        store(who)
        if rumor.keyPackageEvent == members[who].package.event.id { try members[who].renewPackage(using: &random) }
        catchUp(who)
    }
}
