public import NostrCore

/// How large a world is.
public struct WorldSize: Hashable, Sendable {
    /// How many people, the demo person included.
    public var people: Int
    /// How many relays, the silent one included, at most ``most``.
    public var relays: Int
    /// How many days of history.
    public var days: Int
    /// How many people the demo person follows.
    public var heroFollows: Int
    /// How busy people are, 1 for the busyness drawn for each.
    public var busyness: Double

    /// A size of its own; most tests do with ``hamlet``.
    public init(people: Int, relays: Int, days: Int, heroFollows: Int, busyness: Double = 1) {
        self.people = people
        self.relays = relays
        self.days = days
        self.heroFollows = heroFollows
        self.busyness = busyness
    }

    /// The most relays there can be.
    public static var most: Int { WorldRelay.most }
    /// The demo: 320 people, 31 relays, four months.
    public static let town = WorldSize(people: 320, relays: 31, days: 120, heroFollows: 120)
    /// For tests: 60 people, 18 relays, three weeks.
    public static let hamlet = WorldSize(people: 60, relays: 18, days: 21, heroFollows: 40, busyness: 2)
}

/// Where the world is to be found: part of its texts, because people write it into their lists and profiles.
public struct WorldPorts: Hashable, Sendable {
    /// One port per relay, in the order of ``World/relays``.
    public var relays: [Int]
    /// The port of the pictures.
    public var pictures: Int

    /// Ports on loopback that are free now.
    public init(relays: [Int], pictures: Int) {
        self.relays = relays
        self.pictures = pictures
    }

    /// One port after the other, the pictures last.
    public init(from first: Int, relays count: Int) {
        relays = (0..<count).map { first + $0 }
        pictures = first + count
    }
}

/// A simulated Nostr: people, relays and months of what they wrote, all from one seed.
///
/// The same seed, size, moment and ports give the same keys, ids and texts. Nothing here opens a socket;
/// ``WorldNetwork`` does.
public struct World: Sendable {
    /// The relays that answer, and the silent one.
    public let relays: [WorldRelay]
    /// Where relays of people's lists once were.
    public let dead: [RelayURL]
    /// Everybody.
    public let people: [WorldPerson]
    /// The demo person, among ``people``.
    public let hero: Int
    /// Everything anybody published, oldest first, also what was replaced or deleted later.
    public let events: [Event]
    /// For each event, the relays that took it, by number.
    public let holders: [[Int]]
    /// The moment up to which history goes.
    public let now: Timestamp
    /// Where the world's pictures are served, without a slash at the end.
    public let pictures: String

    /// Who signs receipts for what the people of the world are paid.
    public let wallet: PublicKey

    let choices: [RelayChoice]
    let graph: FollowGraph
    let chronicle: Chronicle
    let streams: WorldStreams

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - seed: decides everything.
    ///   - size: how large.
    ///   - now: the end of history.
    ///   - ports: where relays and pictures will listen; as many relays as the size says.
    public init(seed: UInt64, size: WorldSize = .town, now: Timestamp, ports: WorldPorts) throws {
        var dice = Dice(seed: seed)
        pictures = "http://127.0.0.1:\(ports.pictures)"
        self.now = now
        relays = try Self.relays(size: size, ports: ports)
        let silent = relays.filter { $0.trait == .silent }.map(\.address)
        dead = try silent + WorldRelay.deadPorts.map { try RelayURL("ws://127.0.0.1:\($0)") }
        hero = 0
        people = Self.people(count: size.people, dice: dice.fork())
        var listDice = dice.fork()
        let members = Self.paying(people.indices, at: relays, using: &listDice)
        var writer = RelayListWriter(relays: relays, dead: dead, members: members)
        // A sequence of its own: what people do in private changes nothing of what they do in public.
        var privateDice = Dice(seed: seed ^ 0x1E77_E25)
        choices = Self.choices(of: people, among: relays, &writer, using: &listDice, inboxes: &privateDice)
        var graphDice = dice.fork()
        graph = FollowGraph(people: people, hero: hero, heroFollows: size.heroFollows, using: &graphDice)
        var chronicle = Chronicle(
            people: people, hero: hero, graph: graph, choices: choices, relays: relays, pictures: pictures,
            dice: dice.fork())
        chronicle.writeHistory(days: size.days, busyness: size.busyness, until: now)
        var written = chronicle.takeWritten()
        var life = PrivateLife(
            people: people, hero: hero, follows: graph.follows[hero], choices: choices, relays: relays,
            pictures: pictures, days: size.days, now: now, dice: privateDice)
        life.write(beside: &written)
        let scene = WorldScene(
            people: people, hero: hero, graph: graph, choices: choices, relays: relays, pictures: pictures,
            port: ports.pictures, now: now, seed: seed)
        (wallet, streams) = scene.write(with: life, beside: &written)
        written.sort { $0.event.isOlder(than: $1.event) }
        let topics = WorldTopics.list(of: written.map(\.event), now: now, seed: seed)
        let claims = WorldMonitors.claims(about: relays, dead: dead, now: now, seed: seed)
        events = written.map(\.event) + [topics] + claims
        let placement = Placement(relays: relays, choices: choices, members: members, people: people, now: now)
        self.placement = placement
        let kept = WorldTopics.holders(among: relays)
        holders = written.map { placement.relays(for: $0) } + [kept] + claims.map { _ in kept }
        self.chronicle = chronicle
    }

    let placement: Placement

    /// Where everybody writes and reads.
    private static func choices(
        of people: [WorldPerson], among relays: [WorldRelay], _ writer: inout RelayListWriter,
        using dice: inout Dice, inboxes inboxDice: inout Dice
    ) -> [RelayChoice] {
        let inboxes = relays.filter { $0.trait == .inbox }.map(\.number)
        return people.map { person in
            var choice = person.number == 0 ? writer.heroChoice() : writer.choice(of: person, using: &dice)
            choice.inbox = RelayChoice.inbox(among: inboxes, isHero: person.number == 0, using: &inboxDice)
            return choice
        }
    }

    /// Who pays for each relay that is paid for.
    private static func paying(
        _ people: Range<Int>, at relays: [WorldRelay], using dice: inout Dice
    ) -> [Int: Set<Int>] {
        Dictionary(
            uniqueKeysWithValues: relays.filter { $0.trait == .paid }.map { relay in
                (relay.number, Set(people.filter { $0 != 0 && dice.chance(0.35) }))
            })
    }

    private static func relays(size: WorldSize, ports: WorldPorts) throws -> [WorldRelay] {
        try zip(WorldRelay.blueprints(size.relays), ports.relays).enumerated().map { number, pair in
            let (blueprint, port) = pair
            return WorldRelay(
                number: number, name: blueprint.name, words: blueprint.words, trait: blueprint.trait,
                address: try RelayURL("ws://127.0.0.1:\(port)"), fame: blueprint.fame)
        }
    }

    /// The demo person is the first.
    private static func people(count: Int, dice: Dice) -> [WorldPerson] {
        var dice = dice
        var taken: Set<String> = []
        let hero = WorldPerson.hero(number: 0, taken: &taken, using: &dice)
        return [hero] + (1..<max(2, count)).map { WorldPerson.draw(number: $0, taken: &taken, using: &dice) }
    }

    /// The demo person.
    public var heroPerson: WorldPerson { people[hero] }

    /// Lends the demo person's secret key: a toy that anybody can draw from the seed.
    public func withHeroKey<R>(_ body: (borrowing SecretKey) throws -> R) rethrows -> R {
        try body(people[hero].keyholder.key)
    }

    /// Whom the demo person follows.
    public var heroFollows: [PublicKey] { graph.follows[hero].map { people[$0].publicKey } }
}

extension Event {
    /// By moment, then by id.
    fileprivate func isOlder(than other: Event) -> Bool {
        createdAt != other.createdAt ? createdAt < other.createdAt : id < other.id
    }
}
