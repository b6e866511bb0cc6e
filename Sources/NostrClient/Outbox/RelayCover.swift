internal import NostrCore

/// Picks few relays that serve many authors: greedy maximum coverage with redundancy.
struct RelayCover {
    /// What a first, second, third relay for one author is worth.
    private static let worth: [Double] = [1, 0.25, 0.08]

    private let perAuthor: Int
    private let connections: Int
    private var authors: [[RelayURL]] = []

    init(perAuthor: Int, connections: Int) {
        self.perAuthor = perAuthor
        self.connections = connections
    }

    /// Adds one author by the relays that may serve it.
    mutating func add(_ candidates: [RelayURL]) {
        authors.append(candidates)
    }

    /// The relays to use, ties to the lower address, so that plans are stable.
    ///
    /// - Parameter preference: scales what a relay adds.
    func solve(preference: (RelayURL) -> Double) -> Set<RelayURL> {
        var served: [RelayURL: [Int]] = [:]
        for (author, relays) in authors.enumerated() {
            for relay in relays { served[relay, default: []].append(author) }
        }
        var open = served.keys.sorted().map { (relay: $0, weight: preference($0)) }
        var have = [Int](repeating: 0, count: authors.count)
        var chosen: Set<RelayURL> = []
        while chosen.count < connections {
            var best: (index: Int, gain: Double)?
            for (index, candidate) in open.enumerated() {
                let gain = candidate.weight * gain(of: served[candidate.relay] ?? [], have: have)
                if gain > (best?.gain ?? 0) { best = (index, gain) }
            }
            guard let best else { break }
            let relay = open.remove(at: best.index).relay
            chosen.insert(relay)
            for author in served[relay] ?? [] { have[author] += 1 }
        }
        return chosen
    }

    private func gain(of authors: [Int], have: [Int]) -> Double {
        var sum = 0.0
        for author in authors where have[author] < min(perAuthor, Self.worth.count) { sum += Self.worth[have[author]] }
        return sum
    }
}
