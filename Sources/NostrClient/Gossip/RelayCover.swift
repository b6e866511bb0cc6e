internal import NostrCore

/// Picks few relays that are likely to hold most of what many authors wrote: greedy maximum coverage.
struct RelayCover {
    /// How far even a relay that is sure to hold everything is trusted to give it: relays go down, and lose notes.
    private static let trust = 0.75
    /// What a relay adds at least for an author: enough to use a free connection, since some notes stand on one relay
    /// alone, and far too little to take one from an author who has none.
    private static let least = 0.0005

    private let connections: Int
    private var relays: [RelayURL] = []
    private var numbers: [RelayURL: Int] = [:]
    /// For each relay whom it may serve; relays and authors are numbers here, as they are looked at again and again.
    private var served: [[(author: Int, share: Double)]] = []
    private var values: [Double] = []

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
    ///
    /// - Parameter value: how much the author counts beside others.
    mutating func add(_ candidates: [Candidate], value: Double = 1) {
        for candidate in candidates {
            let share = min(candidate.weight, 1) * Self.trust
            served[number(of: candidate.relay)].append((values.count, share))
        }
        values.append(value)
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
        // Of each author what the relays taken so far are likely to miss.
        var missing = values
        var chosen = Set(given.prefix(connections))
        for relay in chosen {
            guard let number = numbers[relay] else { continue }
            for (author, share) in served[number] { missing[author] *= 1 - share }
        }
        let open = relays.indices.filter { !chosen.contains(relays[$0]) }.sorted { relays[$0] < relays[$1] }
        let weights = open.map { preference(relays[$0]) }
        // What a relay adds only falls as others are taken: one that is best with its gain of now is the best.
        var gains = open.indices.map { weights[$0] * gain(of: open[$0], missing: missing) }
        var counted = [Int](repeating: 0, count: open.count)
        var round = 0
        while chosen.count < connections {
            guard let best = gains.indices.max(by: { (gains[$0], -$0) < (gains[$1], -$1) }), gains[best] > 0 else {
                break
            }
            guard counted[best] == round else {
                gains[best] = weights[best] * gain(of: open[best], missing: missing)
                counted[best] = round
                continue
            }
            chosen.insert(relays[open[best]])
            for (author, share) in served[open[best]] { missing[author] *= 1 - share }
            gains[best] = 0
            round += 1
        }
        return chosen
    }

    private mutating func number(of relay: RelayURL) -> Int {
        if let number = numbers[relay] { return number }
        numbers[relay] = relays.count
        relays.append(relay)
        served.append([])
        return relays.count - 1
    }

    private func gain(of relay: Int, missing: [Double]) -> Double {
        served[relay].reduce(0) { sum, served in sum + max(missing[served.author] * served.share, Self.least) }
    }
}
