import Foundation

/// How much of what people wrote is found over twenty connections, by Linnet and by the published ways to choose relays.
///
/// Relays and people are drawn from published shapes, five times; each way learns over some sessions, and the last one
/// counts. `docs/relay-choice.md` has every number with its source.
let relayChoosing = Area(name: "relay-choosing") { setting in
    let seeds = setting.seed..<(setting.seed + 5)
    let shapes = RelayShapes()
    let populations = seeds.map { RelayPopulation(shapes, follows: RelayComparison.follows, seed: $0) }
    var measurements: [Measurement] = []
    for days in [7, 30, 365] {
        let comparison = await RelayComparison(populations, shapes, days: days)
        measurements += comparison.measurements
    }
    for days in [7, 365] { measurements.append(publishedGreedy(populations, days: days)) }
    if let population = populations.first { measurements += choosingTimes(population) }
    return measurements
}

/// What hangs on the numbers that were assumed: each of them halved, and half as much again.
///
/// Each line that goes to standard error meanwhile is a row of the table in `docs/relay-choice.md`.
let relaySensitivity = Area(name: "relay-sensitivity") { setting in
    var measurements: [Measurement] = []
    for name in RelayShapes.Name.allCases where name.standard.source == .assumed {
        for factor in [0.5, 1.5] {
            let shapes = RelayShapes().scaled(name, by: factor)
            let populations = (setting.seed..<(setting.seed + 3)).map {
                RelayPopulation(shapes, follows: RelayComparison.follows / 2, seed: $0)
            }
            var row = String(format: "| %@ | %.3g | %.3g |", name.rawValue, name.standard.value, shapes[name])
            for days in [7, 365] {
                let comparison = await RelayComparison(populations, shapes, days: days)
                let ahead = comparison.ahead(
                    named: "\(days)-\(name.rawValue)-\(factor)",
                    where: String(format: "%@ at %.3g: ", name.rawValue, shapes[name]))
                row += String(format: " %+.1f |", ahead.value)
                measurements.append(ahead)
            }
            FileHandle.standardError.write(Data((row + "\n").utf8))
        }
    }
    return measurements + [7, 365].map { leastLead($0, of: measurements) }
}

/// The smallest lead over a window, and with which number.
private func leastLead(_ days: Int, of measurements: [Measurement]) -> Measurement {
    let leads = measurements.filter { $0.name.hasPrefix("recall-ahead-\(days)-") }
    let least = leads.min { $0.value < $1.value }
    let ahead = "ahead with \(leads.count { $0.value > 0 }) of \(leads.count) numbers"
    return Measurement(
        name: "sensitivity-least-\(days)", value: least?.value ?? -.infinity, unit: "points",
        what: "the smallest lead, \(ahead); \(least?.what ?? "")")
}

/// Every way to choose over the same populations.
private struct RelayComparison {
    /// So many are followed.
    static let follows = 1000
    private static let methods: [any RelayChoice.Type] = [
        LinnetChoice.self, GreedyChoice.self, PriorityChoice.self, DecompositionChoice.self, WeightedChoice.self,
        WeightedThompsonChoice.self, CoverThompsonChoice.self,
    ]

    private let days: Int
    private var outcomes: [String: [RelayTrial.Outcome]] = [:]

    init(_ populations: [RelayPopulation], _ shapes: RelayShapes, days: Int) async {
        self.days = days
        outcomes = await withTaskGroup(of: (String, Int, RelayTrial.Outcome).self) { group in
            for (number, population) in populations.enumerated() {
                for method in Self.methods {
                    group.addTask {
                        let trial = RelayTrial(population, shapes, window: Double(days))
                        return (method.name, number, trial.run(method, seed: population.seed))
                    }
                }
            }
            var found: [String: [(Int, RelayTrial.Outcome)]] = [:]
            for await (name, number, outcome) in group { found[name, default: []].append((number, outcome)) }
            return found.mapValues { $0.sorted { $0.0 < $1.0 }.map(\.1) }
        }
    }

    /// A figure for each way, in percent, and how far Linnet is ahead of the best of the others.
    var measurements: [Measurement] {
        Self.methods.map { method in
            let found = outcomes[method.name] ?? []
            let connections = found.map(\.connections).max() ?? 0
            let what = String(
                format: "found of what exists; %.1f when nothing was learnt, %d connections, %.1f relays a person",
                mean(found, \.first) * 100, connections, mean(found, \.perPerson))
            return Measurement(
                name: "recall-\(days)-\(method.name)", value: mean(found, \.recall) * 100, unit: "%", what: what)
        } + [ahead(named: "\(days)")]
    }

    /// How far Linnet is ahead of the best of the others; behind where it is negative.
    func ahead(named name: String, where shape: String = "") -> Measurement {
        let own = outcomes[LinnetChoice.name] ?? []
        let others = outcomes.filter { $0.key != LinnetChoice.name }
        let best = others.max { mean($0.value, \.recall) < mean($1.value, \.recall) }
        let recalls = (own: mean(own, \.recall), best: mean(best?.value ?? [], \.recall))
        let wins = own.indices.count { seed in
            others.values.allSatisfy { $0.indices.contains(seed) && $0[seed].recall < own[seed].recall }
        }
        return Measurement(
            name: "recall-ahead-\(name)", value: (recalls.own - recalls.best) * 100, unit: "points",
            what: shape
                + String(
                    format: "%.1f %% against %.1f %% of %@, ahead of all in %d of %d draws", recalls.own * 100,
                    recalls.best * 100, best?.key ?? "none", wins, own.count))
    }

    private func mean(_ outcomes: [RelayTrial.Outcome], _ value: (RelayTrial.Outcome) -> Double) -> Double {
        outcomes.reduce(0) { $0 + value($1) } / Double(max(outcomes.count, 1))
    }
}

/// The greedy cover as its own report measures it, to hold the drawn populations against what was seen.
private func publishedGreedy(_ populations: [RelayPopulation], days: Int) -> Measurement {
    let recalls = populations.map {
        PublishedMeasure($0, window: Double(days)).recall(GreedyChoice.self, seed: $0.seed)
    }
    return Measurement(
        name: "greedy-as-published-\(days)", value: recalls.reduce(0, +) / Double(max(recalls.count, 1)) * 100,
        unit: "%", what: "greedy cover, measured as nostrability/outbox did")
}

/// How long Linnet takes for 1000 follows, and for one more.
private func choosingTimes(_ population: RelayPopulation) -> [Measurement] {
    var choice = LinnetChoice(population, connections: 20, seed: population.seed)
    choice.begin(on: RelayPopulation.today - 7)
    let readers = choice.choose()
    choice.learn(
        RelayAnswers(
            population: population, day: RelayPopulation.today - 7, start: RelayPopulation.today - 14, asked: readers))
    choice.begin(on: RelayPopulation.today)
    let times = choice.timed(rounds: 9)
    return [
        Measurement(
            name: "choosing", value: times.choosing, unit: "ms",
            what: "from \(RelayComparison.follows) follows and what was measured to a plan and its questions, best of 9"
        ),
        Measurement(
            name: "choosing-follow", value: times.added, unit: "ms", what: "the same for a follow added, median"),
        Measurement(name: "choosing-follow-worst", value: times.worst, unit: "ms", what: "the worst of all of them"),
    ]
}
