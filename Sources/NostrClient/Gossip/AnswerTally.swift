internal import NostrCore

/// Works out what is left to ask when relays gave only the newest part of what some filters match.
struct AnswerTally: Sendable {
    /// A relay that gave fewer than this has given all it holds: none is known to give less at once.
    static let fullPage = 100

    private struct Stretch {
        var count = 0
        var oldest: Timestamp?
    }

    private let asked: [RelayURL: [Filter]]
    private var stretches: [RelayURL: [Stretch]]

    /// - Parameter requests: what each relay is asked; answers of others are not counted.
    init(_ requests: [RelayURL: [Filter]]) {
        asked = requests
        stretches = requests.mapValues { Array(repeating: Stretch(), count: $0.count) }
    }

    /// Some of a relay's answer came.
    mutating func count(_ events: [Event], from relay: RelayURL) {
        guard let filters = asked[relay], var counted = stretches[relay] else { return }
        for (index, filter) in filters.enumerated() {
            for event in events where filter.matches(event) {
                counted[index].count += 1
                counted[index].oldest = min(counted[index].oldest ?? event.createdAt, event.createdAt)
            }
        }
        stretches[relay] = counted
    }

    /// The next, older parts to ask for; none of a filter that named its end, or of which little came.
    var older: [RelayURL: [Filter]] {
        asked.compactMapValues { filters in filters.isEmpty ? nil : filters }.reduce(into: [:]) { open, entry in
            let (relay, filters) = entry
            let next = zip(filters, stretches[relay] ?? []).compactMap { filter, stretch -> Filter? in
                guard filter.ids == nil, stretch.count >= Self.fullPage, let oldest = stretch.oldest else { return nil }
                var older = filter
                // A second that holds more than one page; stepping over it is better than standing still.
                older.until = filter.until == oldest ? oldest - .seconds(1) : oldest
                return older
            }
            if !next.isEmpty { open[relay] = next }
        }
    }
}
