import Foundation

/// One figure of one run.
struct Measurement: Codable {
    /// Lowercase words with hyphens; what `Thresholds.json` names.
    let name: String
    /// How much, in ``unit``; for a rate the best of the rounds, which other programs disturb least.
    let value: Double
    /// For example `events/s` or `ms`.
    let unit: String
    /// What was done, in a few words.
    let what: String

    /// The rate of `count` things done by `body`, best of `rounds`.
    static func rate(
        _ name: String, unit: String = "events/s", what: String, count: Int, rounds: Int = 5,
        _ body: () async throws -> Void
    ) async rethrows -> Measurement {
        var best: Measurement?
        for _ in 0..<rounds {
            best = Measurement.better(
                best, try await once(name, unit: unit, what: what, count: count, body))
        }
        return best ?? Measurement(name: name, value: 0, unit: unit, what: what)
    }

    /// The rate of `count` things done by `body`, once.
    static func once(
        _ name: String, unit: String = "events/s", what: String, count: Int, _ body: () async throws -> Void
    ) async rethrows -> Measurement {
        let time = try await ContinuousClock().measure { try await body() }
        return Measurement(name: name, value: Double(count) / (time / .seconds(1)), unit: unit, what: what)
    }

    /// The rate per second of processor time of all threads, once: other programs disturb it much less.
    static func perProcessor(
        _ name: String, unit: String = "events/CPU s", what: String, count: Int, _ body: () async throws -> Void
    ) async rethrows -> Measurement {
        let start = clock()
        try await body()
        let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        return Measurement(name: name, value: Double(count) / seconds, unit: unit, what: what)
    }

    /// The higher rate of two rounds.
    static func better(_ a: Measurement?, _ b: Measurement) -> Measurement {
        guard let a, a.value > b.value else { return b }
        return a
    }
}

/// How long something took in the middle, and but for one time in a hundred.
func percentiles(_ name: String, _ what: String, _ times: [Duration]) -> [Measurement] {
    let sorted = times.sorted()
    return [("p50", sorted.count / 2), ("p99", sorted.count * 99 / 100)].map { label, index in
        Measurement(name: "\(name)-\(label)", value: sorted[index] / .milliseconds(1), unit: "ms", what: what)
    }
}

/// One part of Linnet that is measured: a file in `Areas/` makes one and ``areas`` lists it.
struct Area: Sendable {
    /// What the command line calls it.
    let name: String
    /// Measures; called once per run.
    let run: @Sendable (Setting) async throws -> [Measurement]
}

/// What a run is asked for.
struct Setting: Sendable {
    /// How many events where an area needs many; its threshold holds for the default.
    var events = 200_000
    /// Decides everything that is drawn.
    var seed: UInt64 = 1
}
