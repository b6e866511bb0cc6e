internal import NostrCore

/// Picks few relays that serve many authors: greedy maximum coverage with redundancy.
struct RelayCover {
    /// What a first, second, third relay for one author is worth.
    private static let worth: [Double] = [1, 0.25, 0.08]
    /// What each further one is worth: enough to use a free connection, since some notes stand on one relay alone, and
    /// far too little to take one from an author who has none.
    private static let furtherWorth = 0.0005

    private let perAuthor: Int
    private let connections: Int
    private var authors: [[Candidate]] = []

    /// A relay that may serve an author.
    struct Candidate {
        var relay: RelayURL
        /// How likely it holds what the author wrote, of 1.
        var weight = 1.0
    }

    init(perAuthor: Int, connections: Int) {
        self.perAuthor = perAuthor
        self.connections = connections
    }

    /// Adds one author by the relays that may serve it.
    mutating func add(_ candidates: [Candidate]) {
        authors.append(candidates)
    }

    /// Adds one author by relays that are equally likely to serve it.
    mutating func add(_ relays: [RelayURL]) {
        add(relays.map { Candidate(relay: $0) })
    }

    /// The relays to use, ties to the lower address, so that plans are stable.
    ///
    /// - Parameters:
    ///   - given: relays that are in use anyway; they count towards the connections and serve whom they can.
    ///   - preference: scales what a relay adds.
    func solve(given: [RelayURL] = [], preference: (RelayURL) -> Double) -> Set<RelayURL> {
        var served: [RelayURL: [(author: Int, weight: Double)]] = [:]
        for (author, candidates) in authors.enumerated() {
            for candidate in candidates { served[candidate.relay, default: []].append((author, candidate.weight)) }
        }
        var open = served.keys.sorted().map { (relay: $0, weight: preference($0)) }
        var have = [Int](repeating: 0, count: authors.count)
        var chosen = Set(given.prefix(connections))
        open.removeAll { chosen.contains($0.relay) }
        for relay in chosen {
            for (author, _) in served[relay] ?? [] { have[author] += 1 }
        }
        while chosen.count < connections {
            var best: (index: Int, gain: Double)?
            for (index, candidate) in open.enumerated() {
                let gain = candidate.weight * gain(of: served[candidate.relay] ?? [], have: have)
                if gain > (best?.gain ?? 0) { best = (index, gain) }
            }
            guard let best else { break }
            let relay = open.remove(at: best.index).relay
            chosen.insert(relay)
            for (author, _) in served[relay] ?? [] { have[author] += 1 }
        }
        return chosen
    }

    private func gain(of authors: [(author: Int, weight: Double)], have: [Int]) -> Double {
        var sum = 0.0
        for (author, weight) in authors {
            let isNeeded = have[author] < min(perAuthor, Self.worth.count)
            sum += (isNeeded ? Self.worth[have[author]] : Self.furtherWorth) * weight
        }
        return sum
    }
}
