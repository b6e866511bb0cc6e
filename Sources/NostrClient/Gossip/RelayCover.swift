internal import NostrCore

/// Picks few relays that are likely to hold most of what many authors wrote: greedy maximum coverage.
struct RelayCover {
    /// How far even a relay that is sure to hold everything is trusted to give it: relays go down, and lose notes.
    private static let trust = 0.75
    /// What a relay adds at least for an author: enough to use a free connection, since some notes stand on one relay
    /// alone, and far too little to take one from an author who has none.
    private static let least = 0.0005

    private let connections: Int
    private var authors: [[Candidate]] = []

    /// A relay that may serve an author.
    struct Candidate {
        var relay: RelayURL
        /// How much it is likely to give of what the author wrote, 0 to 1.
        var weight = 1.0
    }

    init(connections: Int) {
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
        var served: [RelayURL: [(author: Int, share: Double)]] = [:]
        for (author, candidates) in authors.enumerated() {
            for candidate in candidates {
                served[candidate.relay, default: []].append((author, min(candidate.weight, 1) * Self.trust))
            }
        }
        var open = served.keys.sorted().map { (relay: $0, weight: preference($0)) }
        // Of each author what the relays taken so far are likely to miss.
        var missing = [Double](repeating: 1, count: authors.count)
        var chosen = Set(given.prefix(connections))
        open.removeAll { chosen.contains($0.relay) }
        for relay in chosen {
            for (author, share) in served[relay] ?? [] { missing[author] *= 1 - share }
        }
        while chosen.count < connections {
            var best: (index: Int, gain: Double)?
            for (index, candidate) in open.enumerated() {
                let gain = candidate.weight * gain(of: served[candidate.relay] ?? [], missing: missing)
                if gain > (best?.gain ?? 0) { best = (index, gain) }
            }
            guard let best else { break }
            let relay = open.remove(at: best.index).relay
            chosen.insert(relay)
            for (author, share) in served[relay] ?? [] { missing[author] *= 1 - share }
        }
        return chosen
    }

    private func gain(of authors: [(author: Int, share: Double)], missing: [Double]) -> Double {
        authors.reduce(0) { sum, served in sum + max(missing[served.author] * served.share, Self.least) }
    }
}
