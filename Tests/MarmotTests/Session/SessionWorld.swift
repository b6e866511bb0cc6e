import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// A member of the pretended world: a session, and the disk it is read from after a crash.
struct WorldMember: Sendable {
    let person: PublicKey
    let package: (own: OwnKeyPackage, event: Event, published: PublishedKeyPackage)
    var session: GroupSession?
    var disk: [SessionPart: [UInt8]] = [:]
    /// What was said, as it is stored together with the session.
    var shown: [EventID] = []
    var notices: [ConvergenceNotice] = []
    /// Events that are published until the relay takes them.
    var outbox: [Event] = []
    /// Rumors of Welcomes that are on their way.
    var parcels: [Welcoming] = []
    /// How far its clock is off; unit: seconds.
    var skew: Int64 = 0
    var isOnline = true

    var isIn: Bool { session?.isMember ?? false }
    /// The epoch, its members and a secret of it.
    var place: [UInt8]? {
        guard isIn, let group = session?.group else { return nil }
        return group.mls.epochAuthenticator + group.roster.people.sorted().flatMap(\.bytes.array)
    }

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let key = SecretKey.generate(using: &random)
        person = key.publicKey
        let profile = GenerationB()
        let own = try profile.newKeyPackage(for: key.publicKey, now: noon, using: &random)
        let relay = try RelayURL("wss://relay.example.com")
        let draft = try profile.draft(
            of: own.keyPackage,
            KeyPackagePublication(slot: .random(using: &random), relays: [relay], now: noon))
        let event = Event(signing: draft, with: key, using: &random)
        package = (own, event, try profile.keyPackage(in: event, now: noon))
    }
}

/// Members with real groups, a relay that does what relays do, and chance.
struct SessionWorld {
    enum Delivery {
        case event(Event)
        case answer(SessionInput)
        case welcome(Welcoming)
    }

    var random: SeededRandom
    var now = noon
    var members: [WorldMember] = []
    var relay: [EventID: Event] = [:]
    var underWay: [(to: Int, what: Delivery)] = []
    var faults = true
    var violations: [String] = []
    var rollbacks = 0
    var crashes = 0
    private let policy = MarmotPolicy.at(noon)

    /// - Parameters:
    ///   - inside: how many are members at first; the first two are admins.
    ///   - outside: how many more may be added.
    init(seed: UInt64, inside: Int, outside: Int) throws {
        random = SeededRandom(seed: seed)
        for index in 0..<(inside + outside) { members.append(try WorldMember(seed: seed &* 1000 &+ UInt64(index))) }
        for index in members.indices { members[index].skew = Int64.random(in: -150...150, using: &random) }
        let admins = Set(members.prefix(min(2, inside)).map(\.person))
        var data = try Circle.data()
        data.admins = admins
        let invited = members[1..<inside].map(\.package.published)
        var group = try MarmotGroup(
            founding: data, with: members[0].package.own, invited: invited, profile: GenerationB(), policy: policy,
            using: &random)
        let commit = try group.commit(group.adding(invited), now: now, using: &random)
        try group.merge(commit.commit)
        members[0].session = GroupSession(group, now: now, hasFreshKeys: true)
        let welcome = try #require(commit.welcome)
        for (index, published) in zip(1..<inside, invited) {
            let rumor = try Circle.rumor(welcome, published, by: members[0].person)
            join(index, rumor)
        }
        for index in 0..<inside { store(index) }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func fault(_ percent: Int) -> Bool { faults && chance(percent) }

    func clock(_ who: Int) -> Timestamp { now + .seconds(members[who].skew) }

    // MARK: - A member at work

    mutating func tell(_ who: Int, _ input: SessionInput) {
        let now = clock(who)
        guard let effects = members[who].session?.take(input, now: now, using: &random) else { return }
        carryOut(who, effects)
    }

    /// Stores a step, then does it; the program may end at any moment in between.
    mutating func carryOut(_ who: Int, _ effects: [SessionEffect]) {
        if fault(1) { return crash(who) }
        var welcomed: [EventID] = []
        for effect in effects {
            switch effect {
            case .said(let message, _):
                if members[who].shown.contains(message.rumor.id) { violations.append("shown twice") }
                members[who].shown.append(message.rumor.id)
            case .welcome(let welcomes, let id):
                members[who].parcels += welcomes
                welcomed.append(id)
            case .offer(let event): members[who].outbox.append(event)
            case .notice(let notice): members[who].notices.append(notice)
            case .wentBack: rollbacks += 1
            case .dropped(_, let error) where error.code == .malformed || error.code == .refusedByMLS:
                violations.append("dropped: \(error)")
            default: break
            }
        }
        let now = clock(who)
        for id in welcomed { _ = members[who].session?.take(.welcomed(id), now: now, using: &random) }
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
        case .publish(let event): publish(who, event, answering: true)
        case .fetchBack(let id):
            if fault(20) { return }
            underWay.append((who, relay[id].map { .event($0) } ?? .answer(.notFound(id))))
        case .refetch, .softResync: fetchAll(who)
        default: break
        }
    }

    private mutating func sendAll(_ who: Int) {
        guard members[who].isOnline else { return }
        for event in members[who].outbox where !fault(30) {
            publish(who, event, answering: false)
            if relay[event.id] != nil { members[who].outbox.removeAll { $0.id == event.id } }
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
            members[who].session = try GroupSession(members[who].disk, profile: GenerationB(), policy: policy)
        } catch { violations.append("not read back: \(error)") }
        tell(who, .restarted)
        if members[who].isOnline { fetchAll(who) }
    }

    private mutating func join(_ who: Int, _ rumor: Rumor) {
        guard members[who].session == nil else { return }
        let package = members[who].package
        do {
            let invitation = try Invitation(
                WelcomeRumor(rumor), with: package.own, publishedAs: [package.event.id], profile: GenerationB())
            let group = try invitation.join(policy: policy)
            members[who].session = GroupSession(group, now: clock(who), hasFreshKeys: false)
            store(who)
            if members[who].isOnline, !relay.isEmpty { fetchAll(who) }
        } catch { violations.append("not joined: \(error)") }
    }

    // MARK: - The relay

    private mutating func publish(_ who: Int, _ event: Event, answering: Bool) {
        if fault(15) { return }
        relay[event.id] = event
        if answering, !fault(20) { underWay.append((who, .answer(.accepted(event.id)))) }
        for other in members.indices where members[other].isOnline && members[other].session != nil {
            if fault(15) { continue }
            underWay.append((other, .event(event)))
            if fault(15) { underWay.append((other, .event(event))) }
        }
    }

    mutating func fetchAll(_ who: Int) {
        for event in relay.values.sorted(by: { $0.id < $1.id }) { underWay.append((who, .event(event))) }
        underWay.append((who, .answer(.caughtUp)))
    }

    mutating func deliver(_ index: Int) {
        let (who, what) = underWay.remove(at: index)
        guard members[who].isOnline else {
            if case .welcome = what { underWay.append((who, what)) }
            return
        }
        switch what {
        case .answer(let input): tell(who, input)
        case .event(let event): tell(who, .event(event))
        case .welcome(let welcoming): join(who, welcoming.rumor)
        }
    }
}
