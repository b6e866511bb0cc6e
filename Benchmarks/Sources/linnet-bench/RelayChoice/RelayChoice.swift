/// A way to choose relays, which learns from one session to the next.
///
/// It knows what a program knows: lists, hints, which relays refused to be read in this session, and what came.
protocol RelayChoice: SendableMetatype {
    /// What the bench calls it.
    static var name: String { get }

    /// Starts knowing nothing but lists.
    init(_ population: RelayPopulation, connections: Int, seed: UInt64)

    /// A session begins.
    mutating func begin(on day: Double)
    /// For each person the relays to ask, over so many relays in all; those that refused are out.
    mutating func choose() -> [[Int]]
    /// Relays were tried, and cannot be read in this session.
    mutating func refused(_ relays: Set<Int>)
    /// The session's questions were answered.
    mutating func learn(_ answers: RelayAnswers)
}

/// What relays gave of whom in one session.
struct RelayAnswers {
    let population: RelayPopulation
    let day: Double
    /// The first day that was asked for.
    let start: Double
    /// For each person the relays that answered.
    let asked: [[Int]]

    /// How many notes a relay gave of a person.
    func count(_ person: Int, at relay: Int, after: Double? = nil) -> Int {
        population.count(population.people[person], at: relay, after: max(start, after ?? start), on: day)
    }

    /// How many different notes came of a person from all relays.
    func total(_ person: Int) -> Int {
        population.found(population.people[person], at: asked[person], after: start, on: day)
    }
}

extension RelayPopulation {
    /// How many different notes of a person some relays give together.
    func found(_ person: Person, at asked: [Int], after start: Double, on day: Double) -> Int {
        let places = asked.compactMap { relay in
            person.places.firstIndex(of: relay).map { (bit: UInt64(1) << UInt64($0), kept: relays[relay].keptDays) }
        }
        guard !places.isEmpty else { return 0 }
        return person.notes(after: start, on: day).count { note in
            places.contains { note.places & $0.bit != 0 && day - note.day <= $0.kept }
        }
    }
}

/// What every method starts from: lists without what refused, and a way home for those without a list.
struct KnownRelays {
    let population: RelayPopulation
    let connections: Int
    var refused: Set<Int> = []

    /// A person's relays that may be asked.
    func list(_ person: Int) -> [Int] { population.people[person].list.filter { !refused.contains($0) } }

    /// Everybody's.
    var lists: [[Int]] { population.people.indices.map(list) }

    /// How many people name each relay.
    func writers(_ lists: [[Int]]) -> [Int: Int] {
        lists.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The choice with the busiest relays alone, as many as there are connections.
    ///
    /// Source: nostrability/outbox, `postProcessCap`.
    func capped(_ readers: [[Int]]) -> [[Int]] {
        let load = readers.joined().reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        let kept = Set(load.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(connections).map(\.key))
        return homed(readers.map { $0.filter(kept.contains) })
    }

    /// The choice with those without a list read at the well-known relays that are connected anyway.
    func homed(_ readers: [[Int]]) -> [[Int]] {
        let open = Set(readers.joined())
        let home = population.fallback.filter(open.contains)
        return readers.indices.map { population.people[$0].list.isEmpty ? home : readers[$0] }
    }
}
