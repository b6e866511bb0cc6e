import Foundation

/// Greedy set cover: the relay that most people still need, until everybody has two.
///
/// Source: gossip's `RelayPicker`; nostrability/outbox, `greedy-set-cover.ts`.
struct GreedyChoice: RelayChoice {
    static let name = "greedy"
    private static let perPerson = 2
    private var known: KnownRelays

    init(_ population: RelayPopulation, connections: Int, seed: UInt64) {
        known = KnownRelays(population: population, connections: connections)
    }

    mutating func begin(on day: Double) { known.refused = [] }
    mutating func refused(_ relays: Set<Int>) { known.refused.formUnion(relays) }
    mutating func learn(_ answers: RelayAnswers) {}

    mutating func choose() -> [[Int]] {
        let lists = known.lists
        var readers = [[Int]](repeating: [], count: lists.count)
        var open: [Int: [Int]] = [:]
        for (person, list) in lists.enumerated() { for relay in list { open[relay, default: []].append(person) } }
        for _ in 0..<known.connections {
            let gains = open.mapValues { people in
                people.count { readers[$0].count < Self.perPerson }
            }
            guard let best = gains.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), best.value > 0 else { break }
            for person in open[best.key] ?? [] where readers[person].count < Self.perPerson {
                readers[person].append(best.key)
            }
            open[best.key] = nil
        }
        return known.homed(readers)
    }
}

/// As NDK does: two relays for each person, those first that are open already, then those that most people name.
///
/// Source: NDK, `chooseRelayCombinationForPubkeys`; nostrability/outbox, `priority-based.ts`.
struct PriorityChoice: RelayChoice {
    static let name = "ndk"
    private static let perPerson = 2
    private var known: KnownRelays

    init(_ population: RelayPopulation, connections: Int, seed: UInt64) {
        known = KnownRelays(population: population, connections: connections)
    }

    mutating func begin(on day: Double) { known.refused = [] }
    mutating func refused(_ relays: Set<Int>) { known.refused.formUnion(relays) }
    mutating func learn(_ answers: RelayAnswers) {}

    mutating func choose() -> [[Int]] {
        let lists = known.lists
        let writers = known.writers(lists)
        var open: Set<Int> = []
        let readers = lists.map { list in
            let sorted = list.sorted { a, b in
                let (first, second) = (open.contains(a) ? 1 : 0, open.contains(b) ? 1 : 0)
                return (second, writers[b] ?? 0, a) < (first, writers[a] ?? 0, b)
            }
            var chosen: [Int] = []
            for relay in sorted where chosen.count < Self.perPerson {
                guard open.contains(relay) || open.count < known.connections else { continue }
                open.insert(relay)
                chosen.append(relay)
            }
            return chosen
        }
        return known.homed(readers)
    }
}

/// As rust-nostr does: the first three write relays of each person, in the order of their addresses.
///
/// Source: nostr-sdk, `break_down_filter`; nostrability/outbox, `filter-decomposition.ts`.
struct DecompositionChoice: RelayChoice {
    static let name = "decomposition"
    private static let perPerson = 3
    private var known: KnownRelays
    /// The alphabet says nothing of who is popular.
    private let rank: [Int]

    init(_ population: RelayPopulation, connections: Int, seed: UInt64) {
        known = KnownRelays(population: population, connections: connections)
        var draws = Draws(state: population.seed ^ 0xA1FA)
        rank = population.relays.indices.shuffled(using: &draws)
    }

    mutating func begin(on day: Double) { known.refused = [] }
    mutating func refused(_ relays: Set<Int>) { known.refused.formUnion(relays) }
    mutating func learn(_ answers: RelayAnswers) {}

    mutating func choose() -> [[Int]] {
        known.capped(known.lists.map { Array($0.sorted { rank[$0] < rank[$1] }.prefix(Self.perPerson)) })
    }
}

/// As welshman does: for each person the three relays with the highest `(1 + log(people)) · random`.
///
/// Source: welshman, `RouterScenario.getUrls`; nostrability/outbox, `weighted-stochastic.ts`.
struct WeightedChoice: RelayChoice {
    static let name = "welshman"
    private static let perPerson = 3
    private var known: KnownRelays
    private var draws: Draws

    init(_ population: RelayPopulation, connections: Int, seed: UInt64) {
        known = KnownRelays(population: population, connections: connections)
        draws = Draws(state: seed)
    }

    mutating func begin(on day: Double) { known.refused = [] }
    mutating func refused(_ relays: Set<Int>) { known.refused.formUnion(relays) }
    mutating func learn(_ answers: RelayAnswers) {}

    mutating func choose() -> [[Int]] {
        let lists = known.lists
        let writers = known.writers(lists)
        return known.capped(
            lists.map { list in
                let scored = list.map { relay in
                    let weight = 1 + log(Double(writers[relay] ?? 1))
                    return (relay: relay, score: weight * Double.random(in: 0..<1, using: &draws))
                }
                return scored.sorted { $0.score > $1.score }.prefix(Self.perPerson).map(\.relay)
            })
    }
}
