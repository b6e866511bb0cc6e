import MLS
import NostrCore
import NostrNIPs
import NostrTesting

@testable import Marmot

/// A member of the pretended world: a session, and the disk it is read from after a crash.
struct WorldMember: Sendable {
    let person: PublicKey
    private let seed: UInt64
    var package: Package
    /// Those that were used: a second Welcome may come for one.
    private var former: [Package] = []
    var session: GroupSession?
    /// By what it came in.
    var entry: GroupEntry?
    /// Welcomes that may be needed.
    var spares: [WelcomeRumor] = []
    var disk: [SessionPart: [UInt8]] = [:]
    /// What was said, as it is stored together with the session.
    var shown: Set<EventID> = []
    /// What others said that must be shown here in the end.
    var expected: Set<EventID> = []
    var notices: [GroupNotice] = []
    /// Events that are published until a relay takes them.
    var outbox: [Event] = []
    /// Rumors of Welcomes that are on their way.
    var parcels: [Welcoming] = []
    /// How far its clock is off; unit: seconds.
    var skew: Int64 = 0
    var isOnline = true

    var isIn: Bool { session?.isMember ?? false }

    init(seed: UInt64) throws {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        (person, package) = try Self.package(seed: seed, using: &random)
    }

    /// Publishes another key package: one that was used is not used again.
    mutating func renewPackage(using random: inout SeededRandom) throws {
        former.append(package)
        package = try Self.package(seed: seed, using: &random).package
    }

    /// The group that a Welcome leads to; nothing if it is for a key package that is not kept any more.
    func group(by rumor: WelcomeRumor, policy: MarmotPolicy) throws -> MarmotGroup? {
        guard let used = (former + [package]).first(where: { $0.event.id == rumor.keyPackageEvent }) else { return nil }
        return try Invitation(rumor, with: used.own, publishedAs: [used.event.id], profile: GenerationB())
            .join(policy: policy)
    }

    typealias Package = (own: OwnKeyPackage, event: Event, published: PublishedKeyPackage)

    private static func package(
        seed: UInt64, using random: inout SeededRandom
    ) throws -> (person: PublicKey, package: Package) {
        var always = SeededRandom(seed: seed)
        let key = SecretKey.generate(using: &always)
        let profile = GenerationB()
        let own = try profile.newKeyPackage(for: key.publicKey, now: noon, using: &random)
        let relay = try RelayURL("wss://relay.example.com")
        let draft = try profile.draft(
            of: own.keyPackage, KeyPackagePublication(slot: .random(using: &random), relays: [relay], now: noon))
        let event = Event(signing: draft, with: key, using: &random)
        return (key.publicKey, (own, event, try profile.keyPackage(in: event, now: noon)))
    }

    /// Where it thinks the group is; nothing if it is in none.
    var place: WorldPlace? {
        guard isIn, let group = session?.group else { return nil }
        // A group that gives no key agrees with nobody.
        let exporter = try? group.mls.export(label: "marmot", context: Array("group-event".utf8), count: 32)
        return WorldPlace(
            epoch: group.mls.epoch, authenticator: group.mls.epochAuthenticator, exporter: exporter ?? [],
            people: group.roster.people)
    }

    /// The last that it was told of being out of step, unless it came back.
    var told: GroupNotice? {
        let names: Set<GroupNotice> = [.unread, .outOfStep, .backInStep]
        let last = notices.last(where: names.contains)
        return last == .backInStep ? nil : last
    }
}

/// What all must agree on in the end.
struct WorldPlace: Hashable, Sendable {
    let epoch: UInt64
    let authenticator: [UInt8]
    /// A key of the exporter.
    let exporter: [UInt8]
    let people: Set<PublicKey>
}
