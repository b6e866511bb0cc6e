import Foundation

/// As welshman does, with what each relay delivered in place of pure chance.
///
/// One beta distribution for each relay; a session adds for each person asked there the share that came of what came
/// of the person in all, and the past counts 0.95 of what it did. Source: nostrability/outbox, `welshman-thompson.ts`
/// and `relay-scores.ts`, which takes the share of what all relays of the list hold; a program does not know that.
struct WeightedThompsonChoice: RelayChoice {
    static let name = "welshman-thompson"
    private static let perPerson = 3
    private static let decay = 0.95
    private var known: KnownRelays
    private var draws: Draws
    private var delivered: [Int: (came: Double, missed: Double)] = [:]

    init(_ population: RelayPopulation, connections: Int, seed: UInt64) {
        known = KnownRelays(population: population, connections: connections)
        draws = Draws(state: seed)
    }

    mutating func begin(on day: Double) { known.refused = [] }
    mutating func refused(_ relays: Set<Int>) { known.refused.formUnion(relays) }

    mutating func choose() -> [[Int]] {
        let lists = known.lists
        let writers = known.writers(lists)
        return known.capped(
            lists.map { list in
                let scored = list.map { relay in
                    let (came, missed) = delivered[relay] ?? (0, 0)
                    let weight = 1 + log(Double(writers[relay] ?? 1))
                    return (relay: relay, score: weight * draws.beta(1 + came, 1 + missed))
                }
                return scored.sorted { $0.score > $1.score }.prefix(Self.perPerson).map(\.relay)
            })
    }

    mutating func learn(_ answers: RelayAnswers) {
        delivered = delivered.mapValues { ($0.came * Self.decay, $0.missed * Self.decay) }
        for (person, relays) in answers.asked.enumerated() {
            let total = Double(answers.total(person))
            guard total > 0 else { continue }
            for relay in relays {
                let share = Double(answers.count(person, at: relay)) / total
                let (came, missed) = delivered[relay] ?? (0, 0)
                delivered[relay] = (came + share, missed + 1 - share)
            }
        }
    }
}

/// Thompson sampling over the greedy cover: the relay first that gives most of what the others miss, as drawn.
///
/// A beta distribution for each relay and person, which starts from that of the relay; every connected relay that a
/// person names is read. Ours alone: the sources above draw for relays only, and do not cover.
struct CoverThompsonChoice: RelayChoice {
    static let name = "cover-thompson"
    private static let decay = 0.95
    /// A pair of which nothing is known counts as so many sessions of its relay.
    private static let prior = 2.0
    private var known: KnownRelays
    private var draws: Draws
    private var pairs: [[Int: (came: Double, missed: Double)]]

    init(_ population: RelayPopulation, connections: Int, seed: UInt64) {
        known = KnownRelays(population: population, connections: connections)
        draws = Draws(state: seed)
        pairs = Array(repeating: [:], count: population.people.count)
    }

    mutating func begin(on day: Double) { known.refused = [] }
    mutating func refused(_ relays: Set<Int>) { known.refused.formUnion(relays) }

    mutating func choose() -> [[Int]] {
        let lists = known.lists
        var relays: [Int: (came: Double, missed: Double)] = [:]
        for pair in pairs.joined() {
            let (came, missed) = relays[pair.key] ?? (0, 0)
            relays[pair.key] = (came + pair.value.came, missed + pair.value.missed)
        }
        var open: [Int: [(person: Int, share: Double)]] = [:]
        for (person, list) in lists.enumerated() {
            for relay in list {
                let (came, missed) = relays[relay] ?? (0, 0)
                let mean = (came + 1) / (came + missed + 2)
                let (own, not) = pairs[person][relay] ?? (0, 0)
                let share = draws.beta(own + Self.prior * mean, not + Self.prior * (1 - mean))
                open[relay, default: []].append((person, share))
            }
        }
        var missing = [Double](repeating: 1, count: lists.count)
        var chosen: Set<Int> = []
        while chosen.count < known.connections {
            let gains = open.mapValues { $0.reduce(0) { $0 + missing[$1.person] * $1.share } }
            guard let best = gains.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), best.value > 0 else { break }
            for (person, share) in open[best.key] ?? [] { missing[person] *= 1 - share }
            chosen.insert(best.key)
            open[best.key] = nil
        }
        return known.homed(lists.map { $0.filter(chosen.contains) })
    }

    mutating func learn(_ answers: RelayAnswers) {
        for person in pairs.indices {
            pairs[person] = pairs[person].mapValues { ($0.came * Self.decay, $0.missed * Self.decay) }
            let total = Double(answers.total(person))
            guard total > 0 else { continue }
            for relay in answers.asked[person] {
                let share = Double(answers.count(person, at: relay)) / total
                let (came, missed) = pairs[person][relay] ?? (0, 0)
                pairs[person][relay] = (came + share, missed + 1 - share)
            }
        }
    }
}
