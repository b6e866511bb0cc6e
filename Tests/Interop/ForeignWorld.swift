import NostrCore
import NostrTesting

/// People whose lists are as messy as real ones, and their notes, which stand only where the lists say: all by a seed.
struct ForeignWorld {
    /// How a person is found, and what is wrong with the list.
    enum Shape: CaseIterable {
        /// Two or three relays.
        case plain
        /// Four relays to write to; each note stands on one of them alone.
        case scattered
        /// The same relays under several names: LOCALHOST, a slash at the end, spaces, twice, with half of the markers each.
        case renamed
        /// Relays to write to between others to read from, markers that nobody knows, and addresses that are none.
        case marked
        /// Of five names one is of a relay that lives.
        case mostlyDead
        /// An old list on one indexer, the one in force on the other.
        case moved
        /// The list is on the second indexer alone.
        case lateListed
        /// No list anywhere; everything is on the second indexer.
        case unlisted
    }

    /// Somebody who is followed.
    struct Person {
        let number: Int
        let shape: Shape
        /// Where the notes stand.
        let write: [Int]
        let publicKey: PublicKey
        fileprivate let secret: String

        /// Signs an event; equal arguments give equal signatures.
        fileprivate func event(_ content: String, kind: Kind = 1, tags: [Tag] = [], at seconds: Int64) throws -> Event {
            var random = SeededRandom(seed: UInt64(number))
            let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: seconds))
            return Event(signing: draft, with: try SecretKey(hex: secret), using: &random)
        }
    }

    /// Relays in all: six where people write, and two indexers.
    static let relays = 8
    /// Where lists stand; the second one also holds what people without a list write.
    static let indexers = [6, 7]
    /// How many people there are: 15 of each shape.
    private static let size = 120
    private static let notesPerPerson = 12
    private static let day: Int64 = 86_400

    let people: [Person]
    /// Lists and profiles, of the follower too.
    let lists: [PlacedEvent]
    /// What everybody wrote in the last week.
    let notes: [PlacedEvent]

    /// Lays everything out for the people and one who follows them all.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970; all else is by the seed.
    ///   - namesAllRelays: whether the follower's own list names every relay under both names of this machine: the program
    ///     itself believes no such address in the lists of others unless it is the person's own.
    init(
        seed: UInt64, follower: TestPerson, on relays: ForeignRelays, now: Int64, namesAllRelays: Bool = false
    ) throws {
        var random = SeededRandom(seed: seed)
        people = try (0..<Self.size).map { try Self.person($0, using: &random) }
        let spellings: [ListedRelay] = namesAllRelays ? [.plain, .named] : [.plain]
        let own = relays.ports.prefix(namesAllRelays ? Self.indexers[0] : 2)
        var lists = [
            follower.event(kind: 3, tags: people.map { Tag(["p", $0.publicKey.hex]) }, at: now - Self.day),
            follower.event(
                kind: 10_002, tags: spellings.flatMap { name in own.map { Tag(["r", name.text($0)]) } },
                at: now - Self.day),
        ].map { PlacedEvent(event: $0, relays: Self.indexers) }
        var notes: [PlacedEvent] = []
        for person in people {
            lists += try Self.lists(of: person, on: relays, now: now)
            for number in 0..<Self.notesPerPerson {
                // Everywhere, or on one relay alone.
                let isEverywhere = number % 3 == 0 && person.shape != .scattered
                let places = isEverywhere ? person.write : [person.write[number % person.write.count]]
                // Of the seven days of a start with so many follows.
                let age = Int64.random(in: 60..<13 * Self.day / 2, using: &random)
                notes.append(try Self.note("\(number)", by: person, on: places, at: now - age))
            }
        }
        (self.lists, self.notes) = (lists, notes)
    }

    /// One more note at each relay and of each age, by each of its writers, which stands nowhere else.
    ///
    /// - Parameter ages: in seconds before `now`.
    func moreNotes(_ text: String, on relays: [Int], ages: [Int64], now: Int64) throws -> [PlacedEvent] {
        try relays.flatMap { relay in
            try people.filter { $0.write.contains(relay) }.flatMap { person in
                try ages.map { age in
                    try Self.note("\(text) (\(age) s old)", by: person, on: [relay], at: now - age)
                }
            }
        }
    }

    private static func note(
        _ text: String, by person: Person, on relays: [Int], at seconds: Int64
    ) throws -> PlacedEvent {
        let whose = "person \(person.number) (\(person.shape)) on \(relays)"
        return PlacedEvent(event: try person.event("note \(text) of \(whose)", at: seconds), relays: relays)
    }

    private static func person(_ number: Int, using random: inout SeededRandom) throws -> Person {
        let shape = Shape.allCases[number % Shape.allCases.count]
        let count =
            switch shape {
            case .plain: 2 + number / Shape.allCases.count % 2
            case .scattered: 4
            case .renamed, .marked, .lateListed: 2
            case .mostlyDead, .moved, .unlisted: 1
            }
        let chosen = (0..<indexers[0]).shuffled(using: &random).prefix(count)
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(UInt8.random(in: .min ... .max, using: &random)) }
        let secret = encodeHex(bytes)
        return Person(
            number: number, shape: shape, write: shape == .unlisted ? [indexers[1]] : Array(chosen),
            publicKey: try SecretKey(hex: secret).publicKey, secret: secret)
    }
}

// MARK: - Lists

/// How a relay on this machine is written in a list.
private enum ListedRelay: CaseIterable {
    case plain, slash, shouted, named, spaced

    func text(_ port: Int) -> String {
        switch self {
        case .plain: "ws://127.0.0.1:\(port)"
        case .slash: "ws://127.0.0.1:\(port)/"
        case .shouted: "WS://LOCALHOST:\(port)"
        case .named: "ws://localhost:\(port)/"
        case .spaced: " ws://127.0.0.1:\(port) "
        }
    }
}

extension ForeignWorld {
    private static func lists(of person: Person, on relays: ForeignRelays, now: Int64) throws -> [PlacedEvent] {
        let (first, second) = (indexers[0], indexers[1])
        let home = [.lateListed, .unlisted].contains(person.shape) ? second : first
        let profile = try person.event(#"{"name":"person \#(person.number)"}"#, kind: 0, at: now - 40 * day)
        var placed = [PlacedEvent(event: profile, relays: [home])]
        let list = try person.event("", kind: 10_002, tags: tags(of: person, on: relays), at: now - 10 * day)
        // Every other one of a shape.
        let isEven = person.number / Shape.allCases.count % 2 == 0
        switch person.shape {
        case .unlisted: break
        case .moved:
            let left = ["ws://127.0.0.1:\(relays.closed)", "ws://127.0.0.1:\(relays.ports[(person.write[0] + 1) % 6])"]
            let old = try person.event(
                "", kind: 10_002, tags: left.map { Tag(["r", $0]) }, at: now - 30 * day)
            placed.append(PlacedEvent(event: list, relays: [isEven ? first : second]))
            placed.append(PlacedEvent(event: old, relays: [isEven ? second : first]))
        case .lateListed: placed.append(PlacedEvent(event: list, relays: [second]))
        case .plain, .scattered, .renamed, .marked, .mostlyDead:
            placed.append(PlacedEvent(event: list, relays: isEven ? [first] : indexers))
        }
        return placed
    }

    /// The list in force.
    private static func tags(of person: Person, on relays: ForeignRelays) -> [Tag] {
        let ports = person.write.map { relays.ports[$0] }
        let others = (0..<indexers[0]).filter { !person.write.contains($0) }.map { relays.ports[$0] }
        // Who writes a name how differs from person to person.
        let spelling = ListedRelay.allCases[person.number / Shape.allCases.count % ListedRelay.allCases.count]
        let plain = ListedRelay.plain
        switch person.shape {
        case .plain, .moved, .lateListed: return ports.map { Tag(["r", spelling.text($0)]) }
        case .scattered: return ports.map { Tag(["r", spelling.text($0), "write"]) }
        case .renamed:
            return [
                ["r", ListedRelay.shouted.text(ports[0]), "read"], ["r", ListedRelay.slash.text(ports[0]), "write"],
                ["r", ListedRelay.spaced.text(ports[0]), "read"], ["r", ListedRelay.shouted.text(ports[1])],
                ["r", ListedRelay.named.text(ports[1])],
            ]
        case .marked:
            return [
                ["r", plain.text(others[0]), "read"], ["r", spelling.text(ports[0]), "write"],
                ["r", plain.text(others[1]), "archive"], ["r"], ["r", ""], ["r", "http://127.0.0.1:\(ports[1])"],
                ["r", "wss://"], ["p", "nobody"], ["r", spelling.text(ports[1]), "write"],
                ["r", plain.text(others[2]), "read"],
            ]
        case .mostlyDead:
            return [
                ["r", plain.text(relays.closed)], ["r", plain.text(relays.mute), "write"],
                ["r", plain.text(relays.deaf)], ["r", ListedRelay.shouted.text(relays.closed)],
                ["r", spelling.text(ports[0])],
            ]
        case .unlisted: return []
        }
    }
}
