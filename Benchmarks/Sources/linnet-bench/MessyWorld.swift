import NostrCore

/// People whose lists are as messy as real ones, and their notes, which stand only where the lists say: all by a seed.
///
/// The same shapes as in `Tests/Interop/ForeignWorld.swift`, where the relays are not ours.
struct MessyWorld: Sendable {
    /// An event, and the numbers of the relays that hold it.
    struct Placed: Sendable {
        let event: Event
        let relays: [Int]
    }

    /// How a person is found, and what is wrong with the list.
    private enum Shape: CaseIterable {
        /// Two or three relays.
        case plain
        /// Four relays to write to; each note stands on one of them alone.
        case scattered
        /// The same relays under several names, with half of the markers each.
        case renamed
        /// Relays to write to between others to read from, and addresses that are none.
        case marked
        /// Of four names one is of a relay that lives.
        case mostlyDead
        /// An old list on one indexer, the one in force on the other.
        case moved
        /// The list is on the second indexer alone.
        case lateListed
        /// No list anywhere; everything is on the second indexer.
        case unlisted
    }

    /// Who is followed, while the world is made.
    private struct Person {
        let number: Int
        let shape: Shape
        let write: [Int]
        let author: Author

        var isEven: Bool { number / Shape.allCases.count % 2 == 0 }
    }

    /// Where relays listen, and where nobody answers.
    struct Ports: Sendable {
        /// Six where people write, and two indexers.
        let relays: [Int]
        /// Where nobody listens, and where somebody listens and says nothing.
        let closed: Int, mute: Int
    }

    /// Relays in all.
    static let relays = 8
    /// Where lists stand; the second one also holds what people without a list write.
    static let indexers = [6, 7]
    /// Relays that die while the program runs, and the one that dies while it does not.
    static let dying = [2, 3], dyingAlone = 4
    private static let size = 120
    private static let notesPerPerson = 12
    private static let day: Int64 = 86_400

    /// Who follows everybody.
    let reader: PublicKey
    /// Lists and profiles, of the reader too.
    let lists: [Placed]
    /// What everybody wrote in the last week.
    let notes: [Placed]
    /// What comes to relays that are away while the program runs, while the program is away, and while both are.
    let whileRelaysAway: [Placed], whileAway: [Placed], whileBothAway: [Placed]

    init(seed: UInt64, ports: Ports, now: Int64) {
        var random = Draws(state: seed)
        var people: [Person] = []
        for number in 0..<Self.size { people.append(Self.person(number, using: &random)) }
        let reading = Author(key: SecretKey.generate(using: &random))
        reader = reading.key.publicKey
        let own = [
            EventDraft(
                kind: 3, tags: people.map { Tag(["p", $0.author.key.publicKey.hex]) },
                createdAt: Timestamp(seconds: now - Self.day)),
            EventDraft(
                kind: 10_002, tags: ports.relays.prefix(2).map { Tag(["r", "ws://127.0.0.1:\($0)"]) },
                createdAt: Timestamp(seconds: now - Self.day)),
        ]
        var lists: [Placed] = []
        for draft in own {
            let event = Event(signing: draft, with: reading.key, using: &random)
            lists.append(Placed(event: event, relays: Self.indexers))
        }
        var notes: [Placed] = []
        for person in people {
            lists += Self.lists(of: person, ports, now: now, using: &random)
            for number in 0..<Self.notesPerPerson {
                // Everywhere, or on one relay alone.
                let isEverywhere = number % 3 == 0 && person.shape != .scattered
                let places = isEverywhere ? person.write : [person.write[number % person.write.count]]
                // Of the seven days of a start with so many follows.
                let age = Int64.random(in: 60..<13 * Self.day / 2, using: &random)
                notes.append(Self.note("\(number)", by: person, on: places, at: now - age, using: &random))
            }
        }
        (self.lists, self.notes) = (lists, notes)
        func more(_ text: String, on relays: [Int], ages: [Int64], using random: inout Draws) -> [Placed] {
            var made: [Placed] = []
            for relay in relays {
                for person in people where person.write.contains(relay) {
                    for age in ages {
                        made.append(Self.note(text, by: person, on: [relay], at: now - age, using: &random))
                    }
                }
            }
            return made
        }
        // Dated when they are written, and some of them long before they reach a relay.
        whileRelaysAway = more("while relays were away", on: Self.dying, ages: [0, 7000], using: &random)
        whileAway = more("while we were away", on: [0, 1, 2, 3, 5, 7], ages: [0, 72_000], using: &random)
        whileBothAway = more("while both were away", on: [Self.dyingAlone], ages: [0, 72_000], using: &random)
    }

    private static func person(_ number: Int, using random: inout Draws) -> Person {
        let shape = Shape.allCases[number % Shape.allCases.count]
        let count =
            switch shape {
            case .plain: 2 + number / Shape.allCases.count % 2
            case .scattered: 4
            case .renamed, .marked, .lateListed: 2
            case .mostlyDead, .moved, .unlisted: 1
            }
        let chosen = Array((0..<indexers[0]).shuffled(using: &random).prefix(count))
        return Person(
            number: number, shape: shape, write: shape == .unlisted ? [indexers[1]] : chosen,
            author: Author(key: SecretKey.generate(using: &random)))
    }

    private static func note(
        _ text: String, by person: Person, on relays: [Int], at seconds: Int64, using random: inout Draws
    ) -> Placed {
        let content = "note \(text) of person \(person.number) (\(person.shape)) on \(relays)"
        let draft = EventDraft(kind: 1, content: content, createdAt: Timestamp(seconds: seconds))
        return Placed(event: Event(signing: draft, with: person.author.key, using: &random), relays: relays)
    }

    private static func lists(
        of person: Person, _ ports: Ports, now: Int64, using random: inout Draws
    ) -> [Placed] {
        let (first, second) = (indexers[0], indexers[1])
        func event(_ kind: Kind, _ content: String, _ tags: [Tag], age: Int64, using random: inout Draws) -> Event {
            let draft = EventDraft(
                kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: now - age * day))
            return Event(signing: draft, with: person.author.key, using: &random)
        }
        let home = [.lateListed, .unlisted].contains(person.shape) ? second : first
        let profile = event(0, #"{"name":"person \#(person.number)"}"#, [], age: 40, using: &random)
        var placed = [Placed(event: profile, relays: [home])]
        let list = event(10_002, "", tags(of: person, ports), age: 10, using: &random)
        switch person.shape {
        case .unlisted: break
        case .moved:
            let left = ["ws://127.0.0.1:\(ports.closed)", "ws://127.0.0.1:\(ports.relays[(person.write[0] + 1) % 6])"]
            let old = event(10_002, "", left.map { Tag(["r", $0]) }, age: 30, using: &random)
            placed.append(Placed(event: list, relays: [person.isEven ? first : second]))
            placed.append(Placed(event: old, relays: [person.isEven ? second : first]))
        case .lateListed: placed.append(Placed(event: list, relays: [second]))
        case .plain, .scattered, .renamed, .marked, .mostlyDead:
            placed.append(Placed(event: list, relays: person.isEven ? [first] : indexers))
        }
        return placed
    }

    /// The list in force.
    private static func tags(of person: Person, _ ports: Ports) -> [Tag] {
        let own = person.write.map { ports.relays[$0] }
        let others = (0..<indexers[0]).filter { !person.write.contains($0) }.map { ports.relays[$0] }
        switch person.shape {
        case .plain, .moved, .lateListed:
            return own.map { Tag(["r", person.isEven ? "ws://127.0.0.1:\($0)" : " ws://127.0.0.1:\($0)/ "]) }
        case .scattered: return own.map { Tag(["r", "ws://127.0.0.1:\($0)", "write"]) }
        case .renamed:
            return [
                Tag(["r", "WS://LOCALHOST:\(own[0])", "read"]), Tag(["r", "ws://127.0.0.1:\(own[0])/", "write"]),
                Tag(["r", "WS://LOCALHOST:\(own[1])"]), Tag(["r", "ws://localhost:\(own[1])/"]),
            ]
        case .marked:
            return [
                Tag(["r", "ws://127.0.0.1:\(others[0])", "read"]), Tag(["r", "ws://127.0.0.1:\(own[0])", "write"]),
                Tag(["r", ""]), Tag(["r", "http://127.0.0.1:\(own[1])"]), Tag(["r", "wss://"]), Tag(["p", "nobody"]),
                Tag(["r", "ws://127.0.0.1:\(own[1])", "write"]),
            ]
        case .mostlyDead:
            return [
                Tag(["r", "ws://127.0.0.1:\(ports.closed)"]), Tag(["r", "ws://127.0.0.1:\(ports.mute)", "write"]),
                Tag(["r", "WS://LOCALHOST:\(ports.closed)"]), Tag(["r", "ws://127.0.0.1:\(own[0])"]),
            ]
        case .unlisted: return []
        }
    }
}
