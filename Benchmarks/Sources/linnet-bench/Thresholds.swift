import Foundation

/// What the figures of one run must hold; read from `Thresholds.json`.
struct Thresholds: Decodable {
    /// `measurement` ÷ `per`, or for `atMost` the other way of looking, must reach a bound.
    struct Threshold: Decodable {
        let measurement: String
        /// The measurement it is divided by; nothing for a figure with a bound of its own.
        let per: String?
        /// The least it may be.
        let ratio: Double?
        /// The most it may be, for times and sizes.
        let atMost: Double?
        let why: String
    }

    let thresholds: [Threshold]

    /// Prints each bound whose measurements were made, and returns whether all hold.
    func check(_ measurements: [Measurement]) -> Bool {
        var allHold = true
        let values = Dictionary(measurements.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        for threshold in thresholds {
            guard let value = values[threshold.measurement] else { continue }
            var shown = value
            if let per = threshold.per {
                guard let base = values[per] else { continue }
                shown = value / base
            }
            let holds = shown >= threshold.ratio ?? -.infinity && shown <= threshold.atMost ?? .infinity
            allHold = allHold && holds
            let bound = threshold.ratio.map { "≥ \($0)" } ?? threshold.atMost.map { "≤ \($0)" } ?? ""
            let name = threshold.per.map { "\(threshold.measurement) ÷ \($0)" } ?? threshold.measurement
            print(
                "\(holds ? "holds" : "FAILS")  \(name) = \(String(format: "%.2f", shown)) (\(bound): \(threshold.why))")
        }
        return allHold
    }
}
